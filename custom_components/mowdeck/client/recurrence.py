"""When a schedule is due: weekly, every so many days, or once."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Self

from .reading import Reading


class Weekday(StrEnum):
    """A day of the week, in the order of `date.weekday()`."""

    MONDAY = "mon"
    TUESDAY = "tue"
    WEDNESDAY = "wed"
    THURSDAY = "thu"
    FRIDAY = "fri"
    SATURDAY = "sat"
    SUNDAY = "sun"


@dataclass(frozen=True, kw_only=True)
class Weekly:
    """On days of the week."""

    days: tuple[Weekday, ...]
    at: str
    """Wall time `HH:MM` in the schedule's zone."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(days=reading.choices("days", Weekday), at=reading.text("at"))

    def json(self) -> dict[str, Any]:
        """Return it as the API takes it."""
        return {"kind": "weekly", "days": [day.value for day in self.days], "at": self.at}


@dataclass(frozen=True, kw_only=True)
class EveryNDays:
    """Every so many calendar days from an anchor, never before it."""

    interval: int
    anchor: date
    at: str

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(interval=reading.integer("interval"), anchor=reading.day("anchor"), at=reading.text("at"))

    def json(self) -> dict[str, Any]:
        """Return it as the API takes it."""
        return {
            "kind": "every_n_days",
            "interval": self.interval,
            "anchor": self.anchor.isoformat(),
            "at": self.at,
        }


@dataclass(frozen=True, kw_only=True)
class Once:
    """On one day."""

    day: date
    at: str

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(day=reading.day("day"), at=reading.text("at"))

    def json(self) -> dict[str, Any]:
        """Return it as the API takes it."""
        return {"kind": "once", "day": self.day.isoformat(), "at": self.at}


type Recurrence = Weekly | EveryNDays | Once


def read_recurrence(reading: Reading) -> Recurrence | None:
    """Read a recurrence from JSON; one of a kind that is newer than this client is None."""
    match reading.text("kind"):
        case "weekly":
            return Weekly.read(reading)
        case "every_n_days":
            return EveryNDays.read(reading)
        case "once":
            return Once.read(reading)
        case _:
            return None
