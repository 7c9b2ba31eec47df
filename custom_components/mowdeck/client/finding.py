"""What is wrong now, with a mower or with the gateway, and what to do about it."""

from dataclasses import dataclass
from typing import Self

from .reading import Reading


@dataclass(frozen=True, kw_only=True)
class NamedSchedule:
    """Which schedule is meant."""

    id: str
    name: str

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(id=reading.text("id"), name=reading.text("name"))


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    id: str
    """The same as long as it is the same thing."""
    code: str
    severity: str
    """`info`, `warning` or `alarm`."""
    detail: str
    """The gateway's own sentence, in English."""
    remedy: str
    """The same."""
    mower_id: str | None
    service: str | None
    bridge_id: str | None
    bridge_name: str | None
    """Of a finding about a Bluetooth bridge."""
    person: str | None
    """Of a finding about somebody who is gone: how they were called."""
    schedules: tuple[NamedSchedule, ...]
    """The schedules that it is about."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            code=reading.text("code"),
            severity=reading.text("severity"),
            detail=reading.text("detail"),
            remedy=reading.text("remedy"),
            mower_id=reading.text_or_none("mower_id"),
            service=reading.text_or_none("service"),
            bridge_id=reading.text_or_none("bridge_id"),
            bridge_name=reading.text_or_none("bridge_name"),
            person=reading.text_or_none("principal_name") or reading.text_or_none("principal"),
            schedules=reading.objects("schedules", NamedSchedule.read),
        )
