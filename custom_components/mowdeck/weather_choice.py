"""Which weather entity and which rain sensor a person chose for a site; kept in the entry's options."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

CONF_WEATHER: Final = "weather"
"""In the options: by the id of a site."""
CONF_WEATHER_ENTITY: Final = "weather_entity"
CONF_RAIN_SENSOR: Final = "rain_sensor"


@dataclass(frozen=True, kw_only=True)
class WeatherChoice:
    """What is told of one site."""

    weather_entity: str
    rain_sensor: str | None

    @classmethod
    def read(cls, options: Mapping[str, Any], site_id: str) -> Self | None:
        """Return what was chosen for a site; None where the gateway looks for itself."""
        chosen = options.get(CONF_WEATHER, {}).get(site_id)
        if chosen is None:
            return None
        return cls(weather_entity=chosen[CONF_WEATHER_ENTITY], rain_sensor=chosen.get(CONF_RAIN_SENSOR))


def with_choice(options: Mapping[str, Any], site_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return options in which a site has this choice, or none where no weather entity is given."""
    chosen = {name: sites for name, sites in options.get(CONF_WEATHER, {}).items() if name != site_id}
    if CONF_WEATHER_ENTITY in given:
        names = (CONF_WEATHER_ENTITY, CONF_RAIN_SENSOR)
        chosen[site_id] = {name: given[name] for name in names if name in given}
    return {**options, CONF_WEATHER: chosen}
