"""A mower's map as a picture."""

from typing import override

from homeassistant.components.image import ImageEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .client.map import Map
from .entity import LookupEntity
from .hub import Hub, MowDeckConfigEntry
from .map_drawing import draw

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the map of each mower."""
    hub = entry.runtime_data
    hub.mowers.on_new(lambda mower_id: async_add_entities([MapImage(hass, hub, mower_id)]))


class MapImage(LookupEntity[Map | None], ImageEntity):
    """The map; it changes with the map itself, its areas, and the area that is mowed."""

    _attr_content_type = "image/svg+xml"
    _parts = frozenset({"areas", "area_id"})

    def __init__(self, hass: HomeAssistant, hub: Hub, mower_id: str) -> None:
        """Draw a mower's map."""
        LookupEntity.__init__(self, hub, hub.maps, mower_id, "map")
        ImageEntity.__init__(self, hass)
        self._drawn: object = None

    @override
    async def async_image(self) -> bytes | None:
        """Return the drawing; None while no map is known."""
        if self._known is None:
            return None
        return draw(self._known, self._view.areas, self._view.area_id)

    @override
    def _shown(self) -> object:
        drawn = None if self._known is None else (self._known, self._view.areas, self._view.area_id)
        if drawn != self._drawn:
            self._drawn = drawn
            self._attr_image_last_updated = None if drawn is None else dt_util.utcnow()
        return self._attr_image_last_updated
