"""Switches of schedules, mowers, areas and sites."""

from typing import override

from homeassistant.const import EntityCategory, Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .asked import AskedSwitch
from .bluetooth_switch import lend_bluetooth
from .client.mower import Area, Mower
from .client.schedule import Schedule
from .const import DOMAIN
from .entity import NOTHING
from .failures import translated
from .hub import Hub, MowDeckConfigEntry
from .lent_bluetooth.lending import has_bluetooth
from .quiet_hours import KeepsQuietHours
from .site_switches import RAIN_SWITCHES, RainSwitch
from .told_errors import Whose

PARALLEL_UPDATES = 0

MOST_AREAS = 30
"""A map of more areas would flood the house with switches: then they are off at first (design)."""


async def async_setup_entry(
    hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the switches of each mower, area, site and schedule."""
    hub = entry.runtime_data
    hub.mowers.on_new(lambda mower_id: async_add_entities([ObeyRain(hub, mower_id)]))
    if has_bluetooth(hass):
        hub.mowers.on_new(lambda mower_id: async_add_entities(lend_bluetooth(hub, mower_id)))
    hub.areas.on_new(
        lambda mower_id, area_id: async_add_entities([AreaEnabled(hub, mower_id, area_id)]), Platform.SWITCH
    )
    hub.site_roster.on_new(
        lambda site_id: async_add_entities(
            [KeepsQuietHours(hub, site_id), *(RainSwitch(hub, site_id, setting) for setting in RAIN_SWITCHES)]
        )
    )
    hub.schedules.on_new(
        lambda schedule_id: async_add_entities([ScheduleEnabled(hub, schedule_id), SkipNext(hub, schedule_id)])
    )


class ScheduleEnabled(AskedSwitch[Schedule]):
    """Turns a schedule on and off."""

    def __init__(self, hub: Hub, schedule_id: str) -> None:
        """Show a schedule's switch."""
        super().__init__(hub, hub.schedules, schedule_id, "enabled")

    @property
    @override
    def _confirmed(self) -> bool:
        return self._view.enabled

    @override
    async def _send(self, *, on: bool) -> None:
        with translated(self.hub, Whose.of(self._view.target)):
            schedule = await self.hub.client.update_schedule(self._subject_id, {"enabled": on}, caller=self._caller)
        self.hub.put_answered(schedule)


class SkipNext(AskedSwitch[Schedule]):
    """On while the next run of a schedule is skipped."""

    def __init__(self, hub: Hub, schedule_id: str) -> None:
        """Show whether a schedule's next run is skipped."""
        super().__init__(hub, hub.schedules, schedule_id, "skip_next")

    @property
    @override
    def _confirmed(self) -> bool:
        return self._view.enabled and self._view.next_run_skipped

    @override
    async def _send(self, *, on: bool) -> None:
        occurrence = self._view.next_run_at if self._view.enabled else None
        if occurrence is None:
            raise ServiceValidationError(
                translation_domain=DOMAIN,
                translation_key="no_next_run",
                translation_placeholders={"schedule": self._view.name},
            )
        # The occurrence that was seen when it was pressed: one that has begun meanwhile is refused, not the one after.
        change = self.hub.client.skip if on else self.hub.client.unskip
        with translated(self.hub, Whose.of(self._view.target)):
            schedule = await change(self._subject_id, occurrence, caller=self._caller)
        self.hub.put_answered(schedule)


class ObeyRain(AskedSwitch[Mower]):
    """Whether the rain rule holds a mower back."""

    _parts = frozenset({"obey_rain"})
    _attr_entity_category = EntityCategory.CONFIG

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Show whether a mower obeys the rain rule."""
        super().__init__(hub, hub.mowers, mower_id, "obey_rain")

    @property
    @override
    def _confirmed(self) -> bool:
        return self._view.obey_rain

    @override
    async def _send(self, *, on: bool) -> None:
        with translated(self.hub):
            mower = await self.hub.client.update_mower(self._subject_id, {"obey_rain": on}, caller=self._caller)
        self.hub.mowers.put(mower)


class AreaEnabled(AskedSwitch[Mower]):
    """Whether an area is mowed when nobody names areas."""

    _parts = NOTHING
    _attr_entity_category = EntityCategory.CONFIG

    def __init__(self, hub: Hub, mower_id: str, area_id: str) -> None:
        """Show an area's switch, on the area's device."""
        super().__init__(hub, hub.mowers, mower_id, "area_enabled")
        self._area_id = area_id
        self._attr_unique_id = f"{mower_id}_{area_id}_enabled"
        self._attr_device_info = hub.devices.area_info(mower_id, area_id)
        self._attr_entity_registry_enabled_default = len(self._view.areas) <= MOST_AREAS

    @property
    @override
    def available(self) -> bool:
        """Whether the gateway is there and the area is on the map."""
        return super().available and self._area is not None

    @override
    async def async_added_to_hass(self) -> None:
        """Begin to listen to the area."""
        await super().async_added_to_hass()
        self.async_on_remove(self.hub.areas.listen(self._subject_id, self._area_id, self._look))

    @property
    def _area(self) -> Area | None:
        return self.hub.areas.find(self._subject_id, self._area_id)

    @property
    @override
    def _confirmed(self) -> bool:
        return self._area is not None and self._area.enabled

    @override
    async def _send(self, *, on: bool) -> None:
        with translated(self.hub):
            mower = await self.hub.client.update_area(
                self._subject_id, self._area_id, {"enabled": on}, caller=self._caller
            )
        self.hub.mowers.put(mower)
