"""What Home Assistant tells the gateway of the weather at a site."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, kw_only=True)
class PushedHour:
    """One hour of a forecast, from `starts_at` on; None is unknown."""

    starts_at: datetime
    precipitation: float | None
    """In the unit of the push."""
    probability_percent: float | None

    def json(self) -> dict[str, Any]:
        """Return it as the API takes it."""
        return {
            "starts_at": self.starts_at.isoformat(),
            "precipitation": self.precipitation,
            "probability_percent": self.probability_percent,
        }


@dataclass(frozen=True, kw_only=True)
class PushedWeather:
    """The hourly forecast of a weather entity, and what a rain sensor says."""

    source: str
    """The entity, to be shown."""
    attribution: str | None
    precipitation_unit: str | None
    """`mm`, `cm` or `in`; None makes every amount unknown."""
    hours: tuple[PushedHour, ...]
    sensor: bool = False
    """Whether there is a rain sensor."""
    raining: bool | None = None
    """What it says; None while it is unavailable."""
    observed_at: datetime

    def json(self) -> Mapping[str, Any]:
        """Return the body of the request."""
        body: dict[str, Any] = {
            "source": self.source,
            "attribution": self.attribution,
            "precipitation_unit": self.precipitation_unit,
            "hours": [hour.json() for hour in self.hours],
        }
        if self.sensor:
            body["rain_sensor"] = {"raining": self.raining, "observed_at": self.observed_at.isoformat()}
        return body
