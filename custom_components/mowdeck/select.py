"""Where the forecasts of a site come from; by what its quiet hours begin and end."""

from typing import override

from homeassistant.components.select import SelectEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .client.site import WEATHER_FROM_HERE
from .entity import SiteEntity
from .hub import Hub, MowDeckConfigEntry
from .quiet_hours import EDGES, QuietEdgeBy

PARALLEL_UPDATES = 0

OF_THE_GATEWAY = "gateway"
"""The gateway's own setting says it."""
SOURCES = (OF_THE_GATEWAY, "open_meteo", WEATHER_FROM_HERE)


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the choices of each site."""
    hub = entry.runtime_data
    hub.site_roster.on_new(
        lambda site_id: async_add_entities(
            [WeatherSource(hub, site_id), *(QuietEdgeBy(hub, site_id, edge) for edge in EDGES)]
        )
    )


class WeatherSource(SiteEntity, SelectEntity):
    """Where a site's forecasts come from."""

    def __init__(self, hub: Hub, site_id: str) -> None:
        """Show a site's."""
        super().__init__(hub, site_id, "weather_source")
        self._attr_options = list(SOURCES)

    @property
    @override
    def current_option(self) -> str | None:
        """The source; None is one that is newer than this integration."""
        source = self._view.weather_source or OF_THE_GATEWAY
        return source if source in SOURCES else None

    @override
    def _shown(self) -> object:
        return self.current_option

    @override
    async def async_select_option(self, option: str) -> None:
        """Change it."""
        await self._change({"weather_source": None if option == OF_THE_GATEWAY else option})
