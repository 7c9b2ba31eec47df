"""What happened at one occurrence of a schedule for one mower."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from .reading import Reading


class RunOutcome(StrEnum):
    """How a firing ended for one mower."""

    STARTED = "started"
    SKIPPED_RAIN = "skipped_rain"
    SKIPPED_PERMISSION = "skipped_permission"
    SKIPPED_WINDOW = "skipped_window"
    SKIPPED_MOWER_BUSY = "skipped_mower_busy"
    SKIPPED_MANUAL = "skipped_manual"
    FAILED = "failed"
    PENDING = "pending"
    """Not decided yet (null in the API)."""
    UNKNOWN = "unknown"
    """One that is newer than this client."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run."""

    id: str
    schedule_id: str
    mower_id: str | None
    occurrence_at: datetime
    """The instant it was due."""
    window_ends_at: datetime
    run_now: bool
    outcome: RunOutcome
    reason: str | None
    """A code."""
    numbers: Mapping[str, Any] = field(default_factory=dict)
    """The numbers behind the decision."""
    revision: int
    final: bool
    command_id: str | None
    decided_at: datetime | None
    confirmed_at: datetime | None
    """When the mower was seen moving."""
    ended_at: datetime | None
    end_reason: str | None

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        pending = reading.text_or_none("outcome") is None
        return cls(
            id=reading.text("id"),
            schedule_id=reading.text("schedule_id"),
            mower_id=reading.text_or_none("mower_id"),
            occurrence_at=reading.moment("occurrence_at"),
            window_ends_at=reading.moment("window_ends_at"),
            run_now=bool(reading.flag_or_none("run_now")),
            outcome=RunOutcome.PENDING if pending else reading.choice("outcome", RunOutcome.UNKNOWN),
            reason=reading.text_or_none("reason"),
            numbers=reading.mapping("numbers"),
            revision=reading.integer("revision"),
            final=reading.flag("final"),
            command_id=reading.text_or_none("command_id"),
            decided_at=reading.moment_or_none("decided_at"),
            confirmed_at=reading.moment_or_none("confirmed_at"),
            ended_at=reading.moment_or_none("ended_at"),
            end_reason=reading.text_or_none("end_reason"),
        )


@dataclass(frozen=True, kw_only=True)
class RunPage:
    """Some runs, newest first."""

    items: tuple[Run, ...]
    next: str | None
    """The cursor of the page after; None when there is none."""
