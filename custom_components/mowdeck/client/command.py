"""Orders to mowers and what became of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from .reading import Reading


class CommandKind(StrEnum):
    """What is ordered."""

    START_MOW = "start_mow"
    PAUSE = "pause"
    RESUME = "resume"
    RETURN_TO_DOCK = "return_to_dock"
    CANCEL_JOB = "cancel_job"


class StartMode(StrEnum):
    """How a start treats an open job."""

    AUTO = "auto"
    NEW = "new"
    RESUME = "resume"


class CommandStatus(StrEnum):
    """How far a command has come."""

    ACCEPTED = "accepted"
    SENT = "sent"
    ACKNOWLEDGED = "acknowledged"
    CONFIRMED = "confirmed"
    FAILED = "failed"
    EXPIRED = "expired"
    UNKNOWN = "unknown"
    """One that is newer than this client."""


FINAL_STATUSES = frozenset({CommandStatus.CONFIRMED, CommandStatus.FAILED, CommandStatus.EXPIRED})
"""Statuses after which nothing more comes."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """What a mower is to do. What is not named stays as the mower has it."""

    kind: CommandKind
    mode: StartMode | None = None
    """Of a start only."""
    area_ids: tuple[str, ...] | None = None
    """Of a start only; None is all enabled areas."""
    pattern: Mapping[str, Any] | None = None
    """Of a start only: the maker's settings of this job."""

    def json(self) -> dict[str, Any]:
        """Return the body of the request."""
        body: dict[str, Any] = {"kind": self.kind.value}
        if self.mode is not None:
            body["mode"] = self.mode.value
        if self.area_ids is not None:
            body["area_ids"] = list(self.area_ids)
        if self.pattern is not None:
            body["pattern"] = dict(self.pattern)
        return body


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command as the gateway recorded it."""

    id: str
    mower_id: str
    status: CommandStatus
    reason: str | None
    """Why it failed, expired or needed nothing: a code."""
    values: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            mower_id=reading.text("mower_id"),
            status=reading.choice("status", CommandStatus.UNKNOWN),
            reason=reading.text_or_none("reason"),
            values=reading.mapping("values"),
        )

    @property
    def final(self) -> bool:
        """Whether nothing more comes."""
        return self.status in FINAL_STATUSES
