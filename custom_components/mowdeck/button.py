"""Runs a schedule at once; begins the time of a mower's blades anew."""

from typing import override

from homeassistant.components.button import ButtonEntity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import NOTHING, MowerEntity, ScheduleEntity
from .failures import translated
from .hub import Hub, MowDeckConfigEntry
from .running_now import check_started, run_now

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the buttons of each mower and each schedule."""
    hub = entry.runtime_data
    hub.mowers.on_new(lambda mower_id: async_add_entities([ResetBlades(hub, mower_id)]))
    hub.schedules.on_new(lambda schedule_id: async_add_entities([RunNow(hub, schedule_id)]))


class RunNow(ScheduleEntity, ButtonEntity):
    """Runs a schedule at once, whatever the rain rule says; what became of it shows as its last run."""

    def __init__(self, hub: Hub, schedule_id: str) -> None:
        """Run a schedule."""
        super().__init__(hub, schedule_id, "run_now")

    @override
    def _shown(self) -> object:
        return True

    @override
    async def async_press(self) -> None:
        """Order the run; a mower that does not start is an error that says why."""
        runs = await run_now(self.hub, self._subject_id, self._caller)
        await check_started(self.hass, self.hub, runs)


class ResetBlades(MowerEntity, ButtonEntity):
    """Tells the gateway that the blades were changed."""

    _attr_entity_category = EntityCategory.CONFIG
    _parts = NOTHING

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Reset a mower's blades."""
        super().__init__(hub, mower_id, "reset_blades")

    @override
    def _shown(self) -> object:
        return True

    @override
    async def async_press(self) -> None:
        """Begin their time anew."""
        with translated(self.hub):
            health = await self.hub.client.reset_blades(self._subject_id, caller=self._caller)
        self.hub.health.put(self._subject_id, health)
