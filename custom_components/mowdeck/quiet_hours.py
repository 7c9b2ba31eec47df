"""Entities of a site's quiet hours: whether there are any, and when they begin and end."""

from dataclasses import replace
from datetime import time
from typing import override

from homeassistant.components.number import NumberDeviceClass, NumberEntity, NumberMode
from homeassistant.components.select import SelectEntity
from homeassistant.components.time import TimeEntity
from homeassistant.const import UnitOfTime

from .client.quiet_hours import USUAL, QuietHours, QuietTime
from .entity import SiteEntity
from .hub import Hub
from .site_switches import SiteSwitch

BEGIN = "begin"
END = "end"
EDGES = (BEGIN, END)

CLOCK = "clock"
TIMES = (CLOCK, "sunset", "sunrise")


class KeepsQuietHours(SiteSwitch):
    """Whether a site has quiet hours; those that were switched off are remembered until a restart."""

    def __init__(self, hub: Hub, site_id: str) -> None:
        """Show a site's switch."""
        super().__init__(hub, site_id, "quiet_hours")
        self._last = USUAL

    @property
    @override
    def _confirmed(self) -> bool:
        return self._view.quiet_hours is not None

    @override
    async def _send(self, *, on: bool) -> None:
        self._last = self._view.quiet_hours or self._last
        await self._change({"quiet_hours": self._last.json() if on else None})


class _Edge(SiteEntity):
    """Shows something of the beginning or the end; unknown while there are no quiet hours."""

    def __init__(self, hub: Hub, site_id: str, edge: str, key: str) -> None:
        """Show a site's."""
        super().__init__(hub, site_id, key)
        self._edge = edge

    @property
    def _time(self) -> QuietTime | None:
        hours = self._view.quiet_hours
        return None if hours is None else self._of(hours)

    def _of(self, hours: QuietHours) -> QuietTime:
        return hours.begin if self._edge == BEGIN else hours.end

    async def _put(self, moved: QuietTime) -> None:
        hours = self._view.quiet_hours or USUAL
        changed = replace(hours, begin=moved) if self._edge == BEGIN else replace(hours, end=moved)
        await self._change({"quiet_hours": changed.json()})

    @property
    def _known(self) -> QuietTime:
        """What is changed: the time as it is, or the usual one when quiet hours begin with this change."""
        return self._time or self._of(USUAL)

    @override
    def _shown(self) -> object:
        return self._time


class QuietEdge(_Edge, TimeEntity):
    """When quiet hours begin or end, by the clock."""

    def __init__(self, hub: Hub, site_id: str, edge: str) -> None:
        """Show a site's."""
        super().__init__(hub, site_id, edge, f"quiet_hours_{edge}")

    @property
    @override
    def native_value(self) -> time | None:
        """The wall time."""
        return None if self._time is None else time.fromisoformat(self._time.at)

    @override
    async def async_set_value(self, value: time) -> None:
        """Move it."""
        await self._put(replace(self._known, at=value.strftime("%H:%M")))


class QuietEdgeBy(_Edge, SelectEntity):
    """By what quiet hours begin or end: the clock or the sun."""

    _attr_entity_registry_enabled_default = False

    def __init__(self, hub: Hub, site_id: str, edge: str) -> None:
        """Show a site's."""
        super().__init__(hub, site_id, edge, f"quiet_hours_{edge}_by")
        self._attr_options = list(TIMES)

    @property
    @override
    def current_option(self) -> str | None:
        """The clock or a time of the sun."""
        return None if self._time is None else self._time.sun or CLOCK

    @override
    async def async_select_option(self, option: str) -> None:
        """Change it."""
        await self._put(replace(self._known, sun=None if option == CLOCK else option))


class QuietEdgeOffset(_Edge, NumberEntity):
    """How long after the sun's time quiet hours begin or end."""

    _attr_entity_registry_enabled_default = False
    _attr_device_class = NumberDeviceClass.DURATION
    _attr_native_unit_of_measurement = UnitOfTime.MINUTES
    _attr_native_min_value = -180
    _attr_native_max_value = 180
    _attr_native_step = 1
    _attr_mode = NumberMode.BOX

    def __init__(self, hub: Hub, site_id: str, edge: str) -> None:
        """Show a site's."""
        super().__init__(hub, site_id, edge, f"quiet_hours_{edge}_offset")

    @property
    @override
    def native_value(self) -> float | None:
        """The minutes; negative ones are before the sun's time."""
        return None if self._time is None else self._time.offset_minutes

    @override
    async def async_set_native_value(self, value: float) -> None:
        """Change it."""
        await self._put(replace(self._known, offset_minutes=int(value)))
