"""Whether a schedule is enabled, and whether its next run is skipped."""

from typing import override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .asked import AskedSwitch
from .client.schedule import Schedule
from .const import DOMAIN
from .failures import translated
from .hub import Hub, MowDeckConfigEntry

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the switches of each schedule."""
    hub = entry.runtime_data
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
        with translated(self.hub):
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
        with translated(self.hub):
            schedule = await change(self._subject_id, occurrence, caller=self._caller)
        self.hub.put_answered(schedule)
