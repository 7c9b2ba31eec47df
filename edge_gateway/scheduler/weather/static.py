"""Weather that is a setting: always dry, always rain, or never known."""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

from edge_gateway.scheduler.forecast import Forecast, ForecastHour

NAME = "static"

_HOURS_BACK = 49
_HOURS_AHEAD = 72
_ONE_HOUR = timedelta(hours=1)
_RAIN_MM = 2.0
_RAIN_PERCENT = 100.0


def static_forecast(weather: Literal["dry", "rain", "unknown"], now: datetime) -> Forecast | None:
    """Return hours around now that are all dry or all wet, the same for every place; None for unknown. Pure."""
    if weather == "unknown":
        return None
    return Forecast(NAME, now, _hours(now.replace(minute=0, second=0, microsecond=0), wet=weather == "rain"))


@lru_cache(maxsize=8)
def _hours(this_hour: datetime, *, wet: bool) -> tuple[ForecastHour, ...]:
    return tuple(
        ForecastHour(
            this_hour + number * _ONE_HOUR,
            this_hour + (number + 1) * _ONE_HOUR,
            _RAIN_MM if wet else 0.0,
            _RAIN_PERCENT if wet else 0.0,
        )
        for number in range(-_HOURS_BACK, _HOURS_AHEAD)
    )
