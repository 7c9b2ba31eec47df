"""Where a mower is; off until somebody wants it, for it fills the history."""

import math
import time
from collections.abc import Callable
from typing import override

from homeassistant.components.device_tracker.entity import TrackerEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .client.mower import Position
from .entity import LiveMowerEntity
from .hub import Hub, MowDeckConfigEntry

PARALLEL_UPDATES = 0

LEAST_SECONDS = 30.0
LEAST_METRES = 5.0
METRES_PER_DEGREE = 111_320.0


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the tracker of each mower."""
    hub = entry.runtime_data
    hub.mowers.on_new(lambda mower_id: async_add_entities([Tracker(hub, mower_id)]))


def metres_between(one: Position, other: Position) -> float:
    """Return how far two places of a garden are apart."""
    north = (one.latitude - other.latitude) * METRES_PER_DEGREE
    east = (one.longitude - other.longitude) * METRES_PER_DEGREE * math.cos(math.radians(one.latitude))
    return math.hypot(north, east)


class Tracker(LiveMowerEntity, TrackerEntity):
    """A mower's position, written at most each half minute and when it moved by 5 m (design)."""

    _attr_entity_registry_enabled_default = False
    _parts = frozenset({"available", "position", "observed_at"})

    def __init__(self, hub: Hub, mower_id: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Show where a mower is; `clock` answers seconds."""
        super().__init__(hub, mower_id, "position")
        self._clock = clock
        self._held: Position | None = None
        self._held_since = 0.0

    @property
    @override
    def latitude(self) -> float | None:
        """Degrees."""
        return None if self._held is None else self._held.latitude

    @property
    @override
    def longitude(self) -> float | None:
        """Degrees."""
        return None if self._held is None else self._held.longitude

    @override
    def _shown(self) -> object:
        position = self._view.position
        if self._held is None or position is None:
            worth = position != self._held
        else:
            late = self._clock() - self._held_since >= LEAST_SECONDS
            worth = late and metres_between(position, self._held) >= LEAST_METRES
        if worth:
            self._held, self._held_since = position, self._clock()
        return self.latitude, self.longitude
