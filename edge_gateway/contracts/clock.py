"""The time, as something that is handed over and never looked up in a rule."""

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the present moment."""

    def now(self) -> datetime:
        """Return the present moment: aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock, moved by an offset that a test may set.

    A gateway has one clock for all its services, so that a test can bring the whole house to another moment.
    """

    def __init__(self, offset: timedelta = timedelta()) -> None:
        """Start with an offset to the machine's clock."""
        self.offset = offset

    def now(self) -> datetime:
        """Return the machine's time moved by the offset: aware, in UTC."""
        return datetime.now(UTC) + self.offset
