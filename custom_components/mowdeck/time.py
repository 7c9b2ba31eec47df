"""When the quiet hours of a site begin and end."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .hub import MowDeckConfigEntry
from .quiet_hours import EDGES, QuietEdge

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the times of each site."""
    hub = entry.runtime_data
    hub.site_roster.on_new(lambda site_id: async_add_entities(QuietEdge(hub, site_id, edge) for edge in EDGES))
