"""What a schedule would do in the next 14 days."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Self

from .reading import Reading


@dataclass(frozen=True, kw_only=True)
class PreviewedMower:
    """What the rain rule says of one mower at one occurrence."""

    mower_id: str
    known: bool
    """False where no forecast reaches: then the rest is None."""
    hold: bool | None
    reason: str | None
    """A code."""
    pause_until: datetime | None

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            mower_id=reading.text("mower_id"),
            known=reading.flag("known"),
            hold=reading.flag_or_none("hold"),
            reason=reading.text_or_none("reason"),
            pause_until=reading.moment_or_none("pause_until"),
        )


@dataclass(frozen=True, kw_only=True)
class PreviewedRun:
    """One occurrence to come."""

    occurrence_at: datetime
    day: date
    """The date that a skip names."""
    window_ends_at: datetime
    skipped: bool
    mowers: tuple[PreviewedMower, ...]

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            occurrence_at=reading.moment("occurrence_at"),
            day=reading.day("day"),
            window_ends_at=reading.moment("window_ends_at"),
            skipped=reading.flag("skipped"),
            mowers=reading.objects("mowers", PreviewedMower.read),
        )


@dataclass(frozen=True, kw_only=True)
class Preview:
    """The occurrences of the next 14 days."""

    time_zone: str
    enabled: bool
    """A disabled schedule shows what it would do."""
    items: tuple[PreviewedRun, ...]
    attribution: tuple[str, ...]
    """What must be shown with the verdicts."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            time_zone=reading.text("time_zone"),
            enabled=reading.flag("enabled"),
            items=reading.objects("items", PreviewedRun.read),
            attribution=reading.texts("attribution"),
        )
