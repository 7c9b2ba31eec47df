"""What a mower reports and did; when a schedule runs next, when it ran last, and what came of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, override

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity, SensorEntityDescription
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .area_sensors import LastMowed
from .bridge_entities import SENSORS, BridgeSensor, add_for_bridges
from .budget_sensor import RequestBudget
from .client.run import RunOutcome
from .client.schedule import Schedule
from .entity import ScheduleEntity
from .hub import Hub, MowDeckConfigEntry
from .lookup_sensors import HEALTH_DESCRIPTIONS, RAIN_DESCRIPTIONS, LookupSensor
from .mower_sensors import DESCRIPTIONS, MowerSensor, Signal

PARALLEL_UPDATES = 0


@dataclass(frozen=True, kw_only=True)
class ScheduleSensorDescription(SensorEntityDescription):
    """A sensor of a schedule."""

    value: Callable[[Schedule], datetime | str | None]
    attributes: Callable[[Schedule], Mapping[str, Any]]


def _last_outcome(schedule: Schedule) -> str | None:
    """Return how the last run ended; None before the first, and for an outcome that is newer than this integration."""
    run = schedule.last_run
    return None if run is None or run.outcome is RunOutcome.UNKNOWN else run.outcome.value


def _next_run_attributes(schedule: Schedule) -> Mapping[str, Any]:
    """Return the occurrence that is skipped before the next run."""
    skipped = schedule.next_run_at if schedule.next_run_skipped and schedule.enabled else None
    return {"skipped_run": None if skipped is None else skipped.isoformat()}


def _last_run_attributes(schedule: Schedule) -> Mapping[str, Any]:
    run = schedule.last_run
    if run is None:
        return {}
    return {
        "outcome": run.outcome.value,
        "reason": run.reason,
        "end_reason": run.end_reason,
        "confirmed_at": None if run.confirmed_at is None else run.confirmed_at.isoformat(),
        "ended_at": None if run.ended_at is None else run.ended_at.isoformat(),
        "run_now": run.run_now,
    }


def _last_outcome_attributes(schedule: Schedule) -> Mapping[str, Any]:
    run = schedule.last_run
    return {} if run is None else {"reason": run.reason, "numbers": dict(run.numbers)}


SCHEDULE_DESCRIPTIONS = (
    ScheduleSensorDescription(
        key="next_run",
        device_class=SensorDeviceClass.TIMESTAMP,
        value=lambda schedule: schedule.next_start_at,
        attributes=_next_run_attributes,
    ),
    ScheduleSensorDescription(
        key="last_run",
        device_class=SensorDeviceClass.TIMESTAMP,
        entity_registry_enabled_default=False,
        value=lambda schedule: None if schedule.last_run is None else schedule.last_run.occurrence_at,
        attributes=_last_run_attributes,
    ),
    ScheduleSensorDescription(
        key="last_outcome",
        device_class=SensorDeviceClass.ENUM,
        options=[outcome.value for outcome in RunOutcome if outcome is not RunOutcome.UNKNOWN],
        value=_last_outcome,
        attributes=_last_outcome_attributes,
    ),
)


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the sensors of each mower, each schedule, each login and each bridge."""
    hub = entry.runtime_data
    hub.accounts.on_new(lambda account_id: async_add_entities([RequestBudget(hub, account_id)]))
    add_for_bridges(hub, async_add_entities, lambda bridge_id: [BridgeSensor(hub, bridge_id, each) for each in SENSORS])
    hub.mowers.on_new(
        lambda mower_id: async_add_entities(
            [
                *(MowerSensor(hub, mower_id, each) for each in DESCRIPTIONS),
                Signal(hub, mower_id),
                *(LookupSensor(hub, hub.health, mower_id, each) for each in HEALTH_DESCRIPTIONS),
                *(LookupSensor(hub, hub.rain, mower_id, each) for each in RAIN_DESCRIPTIONS),
            ]
        )
    )
    hub.areas.on_new(lambda mower_id, area_id: async_add_entities([LastMowed(hub, mower_id, area_id)]), Platform.SENSOR)
    hub.schedules.on_new(
        lambda schedule_id: async_add_entities(
            ScheduleSensor(hub, schedule_id, description) for description in SCHEDULE_DESCRIPTIONS
        )
    )


class ScheduleSensor(ScheduleEntity, SensorEntity):
    """Something of a schedule."""

    entity_description: ScheduleSensorDescription
    _unrecorded_attributes = frozenset({"numbers"})

    def __init__(self, hub: Hub, schedule_id: str, description: ScheduleSensorDescription) -> None:
        """Show what the description reads from a schedule."""
        super().__init__(hub, schedule_id, description.key)
        self.entity_description = description

    @property
    @override
    def native_value(self) -> datetime | str | None:
        """The value; None is unknown."""
        return self.entity_description.value(self._view)

    @property
    @override
    def extra_state_attributes(self) -> Mapping[str, Any]:
        """What belongs to it."""
        return self.entity_description.attributes(self._view)

    @override
    def _shown(self) -> object:
        return self.native_value, self.extra_state_attributes
