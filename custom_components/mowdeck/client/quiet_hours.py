"""When the mowers of a site stay at home."""

from dataclasses import dataclass
from typing import Any, Self

from .reading import Reading


@dataclass(frozen=True, kw_only=True)
class QuietTime:
    """A time of the day: of the clock on the wall, or of the sun."""

    at: str
    """Wall time `HH:MM`; of a time of the sun: what counts where there is none that day."""
    sun: str | None = None
    """`sunset` or `sunrise`; None is the fixed time."""
    offset_minutes: int = 0
    """So long after the sun's time; before it when negative."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            at=reading.text("at"),
            sun=reading.text_or_none("sun"),
            offset_minutes=reading.integer_or_none("offset_minutes") or 0,
        )

    def json(self) -> dict[str, Any]:
        """Return it as the API takes it."""
        return {"at": self.at, "sun": self.sun, "offset_minutes": self.offset_minutes}


@dataclass(frozen=True, kw_only=True)
class QuietHours:
    """From the beginning to the next end."""

    begin: QuietTime
    end: QuietTime

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(begin=QuietTime.read(reading.object("begin")), end=QuietTime.read(reading.object("end")))

    def json(self) -> dict[str, Any]:
        """Return it as the API takes it."""
        return {"begin": self.begin.json(), "end": self.end.json()}


USUAL = QuietHours(begin=QuietTime(at="20:00"), end=QuietTime(at="08:00"))
"""What is taken when somebody switches quiet hours on: hedgehogs are out, neighbours rest."""
