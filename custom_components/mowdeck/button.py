"""Runs a schedule at once."""

from typing import override
from uuid import uuid4

from homeassistant.components.button import ButtonEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import ScheduleEntity
from .failures import translated
from .hub import Hub, MowDeckConfigEntry

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the buttons of each schedule."""
    hub = entry.runtime_data
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
        """Order the run."""
        with translated(self.hub):
            await self.hub.client.run_schedule_now(self._subject_id, key=uuid4().hex, caller=self._caller)
