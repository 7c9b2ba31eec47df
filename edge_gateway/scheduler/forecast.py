"""A forecast as the rain rule reads it: half-open hours in UTC, millimetres, percent. Unknown is None, never 0."""

from dataclasses import dataclass
from datetime import datetime, timedelta

CLOCK_WAS_AHEAD = timedelta(minutes=10)
"""A forecast that was fetched so far in the future is of a clock that was wrong, and is not believed."""


@dataclass(frozen=True, slots=True)
class ForecastHour:
    """What is expected in [starts_at, ends_at)."""

    starts_at: datetime
    ends_at: datetime
    precipitation_mm: float | None
    probability_percent: float | None
    rain_mm: float | None = None
    """The part of it that is rain; only shown."""
    raining: bool = False
    """A rain sensor said so: that reaches every threshold."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The hours of one place, as one provider answered them."""

    provider: str
    fetched_at: datetime
    hours: tuple[ForecastHour, ...]
    attribution: str | None = None
    """What must be shown with it."""
