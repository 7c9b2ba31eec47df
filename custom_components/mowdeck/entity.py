"""What all entities have in common: they show one mower or one schedule, and write only what changed of it."""

from abc import abstractmethod
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any, override

from homeassistant.const import EntityCategory
from homeassistant.core import Context, callback
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity

from .acting import CALL_CONTEXT, caller_of
from .client.caller import Caller
from .client.group import Group
from .client.mower import Mower
from .client.schedule import Schedule
from .client.site import Site
from .const import DOMAIN
from .devices import group_subject, site_subject
from .failures import translated
from .hub import Hub
from .lookups import Lookup
from .roster import Roster, View
from .told_errors import Whose

NOTHING: AbstractSet[str] = frozenset()


class MowDeckEntity[V: View](Entity):
    """Shows one thing of a roster."""

    _attr_has_entity_name = True
    _attr_should_poll = False
    _parts: AbstractSet[str] | None = None
    """What it shows of the view, where it need not look at each change: a mower reports every second."""

    def __init__(self, hub: Hub, roster: Roster[V], subject_id: str, key: str | None) -> None:
        """Show the thing with this id; `key` tells its entities apart, and None is the thing itself."""
        self.hub = hub
        self._roster = roster
        self._subject_id = subject_id
        self._last_view = roster.views[subject_id]
        self._written: object = None
        self._attr_unique_id = subject_id if key is None else f"{subject_id}_{key}"
        self._attr_device_info = DeviceInfo(identifiers={(DOMAIN, subject_id)})
        if key is not None:
            self._attr_translation_key = key

    @property
    def _view(self) -> V:
        """How it is, or how it was when it was last looked at."""
        return self._roster.views.get(self._subject_id, self._last_view)

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
        self.async_on_remove(self._roster.listen(self._subject_id, self._look, self._parts))
        self._last_view = self._view
        self._written = self._state()

    @callback
    @override
    def async_entity_id_changed(self, old_entity_id: str) -> None:  # type: ignore[misc, unused-ignore]  # not in 2026.10
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
        self._last_view = self._view
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


class SiteEntity(MowDeckEntity[Site]):
    """Shows a setting of a site."""

    _attr_entity_category = EntityCategory.CONFIG

    def __init__(self, hub: Hub, site_id: str, key: str) -> None:
        """Show a site."""
        super().__init__(hub, hub.site_roster, site_id, key)
        # A site's id is unique only within its gateway.
        self._attr_unique_id = f"{hub.info.gateway_id}_{site_id}_{key}"
        self._attr_device_info = DeviceInfo(identifiers={(DOMAIN, site_subject(site_id))})

    async def _change(self, changes: Mapping[str, Any]) -> None:
        with translated(self.hub, Whose.SITE):
            site = await self.hub.client.update_site(self._subject_id, changes, caller=self._caller)
        self.hub.site_roster.put(site)


class GroupEntity(MowDeckEntity[Group]):
    """Shows something of a group."""

    def __init__(self, hub: Hub, group_id: str, key: str) -> None:
        """Show a group."""
        super().__init__(hub, hub.groups, group_id, key)
        self._attr_device_info = DeviceInfo(identifiers={(DOMAIN, group_subject(group_id))})


class LookupEntity[T](MowerEntity):
    """Shows something of a mower that is asked for; it stays true while the mower is not reached."""

    _parts = NOTHING

    def __init__(self, hub: Hub, lookup: Lookup[T], mower_id: str, key: str) -> None:
        """Show a mower's knowledge of one kind."""
        super().__init__(hub, mower_id, key)
        self._lookup = lookup

    @override
    async def async_added_to_hass(self) -> None:
        """Begin to listen."""
        await super().async_added_to_hass()
        self.async_on_remove(self._lookup.listen(self._subject_id, self._look))

    @property
    def _known(self) -> T | None:
        """What is known; None while nothing is."""
        return self._lookup.values.get(self._subject_id)


class ScheduleEntity(MowDeckEntity[Schedule]):
    """Shows something of a schedule, whether its mower is reached or not."""

    def __init__(self, hub: Hub, schedule_id: str, key: str) -> None:
        """Show a schedule."""
        super().__init__(hub, hub.schedules, schedule_id, key)
