"""What all entities have in common: they show one mower or one schedule, and write only what changed of it."""

from abc import abstractmethod
from typing import override

from homeassistant.core import Context, callback
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity

from .acting import CALL_CONTEXT, caller_of
from .client.caller import Caller
from .client.mower import Mower
from .client.schedule import Schedule
from .const import DOMAIN
from .hub import Hub
from .roster import Roster, View


class MowDeckEntity[V: View](Entity):
    """Shows one thing of a roster."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, hub: Hub, roster: Roster[V], subject_id: str, key: str | None) -> None:
        """Show the thing with this id; `key` tells its entities apart, and None is the thing itself."""
        self.hub = hub
        self._roster = roster
        self._subject_id = subject_id
        self._view = roster.views[subject_id]
        self._written: object = None
        self._attr_unique_id = subject_id if key is None else f"{subject_id}_{key}"
        self._attr_device_info = DeviceInfo(identifiers={(DOMAIN, subject_id)})
        if key is not None:
            self._attr_translation_key = key

    @property
    @override
    def available(self) -> bool:
        """Whether the gateway is there and has it."""
        return self.hub.connected and self._subject_id in self._roster.views

    @abstractmethod
    def _shown(self) -> object:
        """Return everything that state and attributes are made of, to be compared."""

    @override
    async def async_added_to_hass(self) -> None:
        """Begin to listen."""
        await super().async_added_to_hass()
        self.async_on_remove(self._roster.listen(self._subject_id, self._look))
        self._view = self._roster.views.get(self._subject_id, self._view)
        self._written = self._state()

    @callback
    @override
    def async_entity_id_changed(self, old_entity_id: str) -> None:
        """Stay as it is when it is renamed (2026.11): nothing here hangs on the entity's id."""

    @callback
    @override
    def async_set_context(self, context: Context) -> None:
        """Keep who calls for this task, besides what Home Assistant keeps for the next write."""
        super().async_set_context(context)
        CALL_CONTEXT.set(context)

    @property
    def _caller(self) -> Caller:
        """For whom the call acts that this task carries out."""
        return caller_of(CALL_CONTEXT.get())

    @callback
    def _look(self) -> None:
        """Write the state when it is another than the one that was written."""
        self._view = self._roster.views.get(self._subject_id, self._view)
        state = self._state()
        if state != self._written:
            self._written = state
            self.async_write_ha_state()

    def _state(self) -> object:
        return self._shown() if self.available else None


class MowerEntity(MowDeckEntity[Mower]):
    """Shows something of a mower that stays true while the mower is not reached."""

    def __init__(self, hub: Hub, mower_id: str, key: str | None) -> None:
        """Show a mower."""
        super().__init__(hub, hub.mowers, mower_id, key)


class LiveMowerEntity(MowerEntity):
    """Shows something of a mower that is only known while the mower is reached."""

    @property
    @override
    def available(self) -> bool:
        """Whether the mower is reached; one that sleeps is."""
        return super().available and self._view.available


class ScheduleEntity(MowDeckEntity[Schedule]):
    """Shows something of a schedule, whether its mower is reached or not."""

    def __init__(self, hub: Hub, schedule_id: str, key: str) -> None:
        """Show a schedule."""
        super().__init__(hub, hub.schedules, schedule_id, key)
