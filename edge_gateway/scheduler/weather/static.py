"""Weather that is a setting: always dry, always rain, or never known."""

from datetime import timedelta
from typing import Literal, override

from edge_gateway.contracts.clock import Clock
from edge_gateway.scheduler.forecast import Forecast, ForecastHour
from edge_gateway.scheduler.weather.port import WeatherProvider

_HOURS_BACK = 49
_HOURS_AHEAD = 72
_ONE_HOUR = timedelta(hours=1)
_RAIN_MM = 2.0
_RAIN_PERCENT = 100.0


class StaticWeather(WeatherProvider):
    """Answers every place with the same weather."""

    name = "static"
    needs_location = False

    def __init__(self, weather: Literal["dry", "rain", "unknown"], clock: Clock) -> None:
        """Answer this weather."""
        self._weather = weather
        self._clock = clock

    @override
    async def forecast(self, latitude: float | None, longitude: float | None) -> Forecast | None:
        """Return hours around now that are all dry or all wet; None for unknown."""
        if self._weather == "unknown":
            return None
        wet = self._weather == "rain"
        now = self._clock.now()
        this_hour = now.replace(minute=0, second=0, microsecond=0)
        hours = tuple(
            ForecastHour(
                this_hour + number * _ONE_HOUR,
                this_hour + (number + 1) * _ONE_HOUR,
                _RAIN_MM if wet else 0.0,
                _RAIN_PERCENT if wet else 0.0,
            )
            for number in range(-_HOURS_BACK, _HOURS_AHEAD)
        )
        return Forecast(self.name, now, hours)
