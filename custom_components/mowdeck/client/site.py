"""A garden."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from .quiet_hours import QuietHours
from .reading import Reading

DEFAULT_SITE_ID = "home"
"""The site that every gateway has."""

WEATHER_FROM_HERE = "home_assistant"
"""The source that is pushed by Home Assistant."""


@dataclass(frozen=True, kw_only=True)
class Site:
    """One site."""

    id: str
    name: str
    time_zone: str
    time_zone_chosen: bool
    """False while it is only the default of a fresh gateway."""
    latitude: float | None
    longitude: float | None
    rain: Mapping[str, Any]
    """The settings of the rain rule."""
    weather_source: str | None
    """Where its forecasts come from; None is the gateway's own choice."""
    quiet_hours: QuietHours | None
    """When its mowers stay at home; None is never."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            name=reading.text("name"),
            time_zone=reading.text("time_zone"),
            time_zone_chosen=reading.flag("time_zone_chosen"),
            latitude=reading.number_or_none("latitude"),
            longitude=reading.number_or_none("longitude"),
            rain=reading.mapping("rain"),
            weather_source=reading.text_or_none("weather_source"),
            quiet_hours=reading.object_or_none("quiet_hours", QuietHours.read),
        )
