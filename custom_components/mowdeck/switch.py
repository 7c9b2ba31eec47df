"""Whether a schedule is enabled."""

import asyncio
from typing import Any, override

from homeassistant.components.switch import SwitchEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import ScheduleEntity
from .failures import translated
from .hub import Hub, MowDeckConfigEntry

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the switches of each schedule."""
    hub = entry.runtime_data
    hub.schedules.on_new(lambda schedule_id: async_add_entities([ScheduleEnabled(hub, schedule_id)]))


class ScheduleEnabled(ScheduleEntity, SwitchEntity):
    """Turns a schedule on and off. Shows what the gateway confirmed, and what was asked only until it answers."""

    def __init__(self, hub: Hub, schedule_id: str) -> None:
        """Show a schedule's switch."""
        super().__init__(hub, schedule_id, "enabled")
        self._asked: bool | None = None
        self._waiting = 0
        """How many calls have no answer yet."""
        self._turn = asyncio.Lock()
        """One request at a time, or the gateway might hear the first press last."""

    @property
    @override
    def is_on(self) -> bool:
        """Whether the schedule is enabled."""
        return self._view.enabled if self._asked is None else self._asked

    @override
    def _shown(self) -> object:
        return self.is_on

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Enable the schedule."""
        await self._ask(enabled=True)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        """Disable the schedule."""
        await self._ask(enabled=False)

    async def _ask(self, *, enabled: bool) -> None:
        self._asked = enabled
        self._waiting += 1
        self._look()
        try:
            async with self._turn:
                with translated(self.hub):
                    schedule = await self.hub.client.update_schedule(
                        self._subject_id, {"enabled": enabled}, caller=self._caller
                    )
                self.hub.put_answered(schedule)
        finally:
            self._waiting -= 1
            if self._waiting == 0:
                self._asked = None
            self._look()
