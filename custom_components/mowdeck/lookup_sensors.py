"""What is asked for: what a mower did in its life, how long its blades last, and why rain holds it back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, override

from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import PERCENTAGE, EntityCategory, UnitOfArea, UnitOfLength, UnitOfTime

from .client.health import Health
from .client.weather import MowerWeather
from .entity import LookupEntity
from .hub import Hub
from .lookups import Lookup

REASONS = frozenset(
    {
        "dry",
        "rain_expected",
        "rain_recent",
        "forecast_unknown",
        "rain_rule_off",
        "no_location",
        "not_obeyed",
        "rain_override",
        "held_by_user",
    }
)
OTHER_REASON = "other"


@dataclass(frozen=True, kw_only=True)
class LookupSensorDescription[T](SensorEntityDescription):
    """A sensor of something that is asked for."""

    value: Callable[[T], datetime | float | str | None]
    attributes: Callable[[T], Mapping[str, Any]] = lambda _known: {}


HEALTH_DESCRIPTIONS: tuple[LookupSensorDescription[Health], ...] = (
    LookupSensorDescription(
        key="mowing_time",
        device_class=SensorDeviceClass.DURATION,
        native_unit_of_measurement=UnitOfTime.SECONDS,
        state_class=SensorStateClass.TOTAL_INCREASING,
        suggested_display_precision=1,
        suggested_unit_of_measurement=UnitOfTime.HOURS,
        value=lambda health: health.mowing_seconds,
    ),
    LookupSensorDescription(
        key="distance",
        device_class=SensorDeviceClass.DISTANCE,
        native_unit_of_measurement=UnitOfLength.METERS,
        state_class=SensorStateClass.TOTAL_INCREASING,
        suggested_display_precision=1,
        suggested_unit_of_measurement=UnitOfLength.KILOMETERS,
        value=lambda health: health.distance_m,
    ),
    LookupSensorDescription(
        key="mowed_area",
        device_class=SensorDeviceClass.AREA,
        native_unit_of_measurement=UnitOfArea.SQUARE_METERS,
        state_class=SensorStateClass.TOTAL_INCREASING,
        suggested_display_precision=0,
        value=lambda health: health.area_m2,
    ),
    LookupSensorDescription(
        key="charge_cycles",
        entity_category=EntityCategory.DIAGNOSTIC,
        entity_registry_enabled_default=False,
        state_class=SensorStateClass.TOTAL_INCREASING,
        value=lambda health: health.charge_cycles,
    ),
    LookupSensorDescription(
        key="blade_time",
        device_class=SensorDeviceClass.DURATION,
        entity_category=EntityCategory.DIAGNOSTIC,
        native_unit_of_measurement=UnitOfTime.SECONDS,
        state_class=SensorStateClass.TOTAL_INCREASING,
        suggested_display_precision=1,
        suggested_unit_of_measurement=UnitOfTime.HOURS,
        value=lambda health: health.blade_seconds,
        attributes=lambda health: {
            "life_hours": health.blade_life_seconds / 3600,
            "new_since": None if health.blades_reset_at is None else health.blades_reset_at.isoformat(),
        },
    ),
    LookupSensorDescription(
        key="blade_life",
        entity_category=EntityCategory.DIAGNOSTIC,
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        value=lambda health: health.blade_left_percent,
    ),
)

RAIN_DESCRIPTIONS: tuple[LookupSensorDescription[MowerWeather], ...] = (
    LookupSensorDescription(
        key="hold_until",
        device_class=SensorDeviceClass.TIMESTAMP,
        value=lambda weather: weather.hold_until,
    ),
    LookupSensorDescription(
        key="hold_reason",
        device_class=SensorDeviceClass.ENUM,
        options=[*sorted(REASONS), OTHER_REASON],
        value=lambda weather: weather.reason if weather.reason in REASONS else OTHER_REASON,
        attributes=lambda weather: {"numbers": dict(weather.numbers)},
    ),
)


class LookupSensor[T](LookupEntity[T], SensorEntity):
    """Something that is asked for."""

    entity_description: LookupSensorDescription[T]
    _unrecorded_attributes = frozenset({"numbers"})

    def __init__(self, hub: Hub, lookup: Lookup[T], mower_id: str, description: LookupSensorDescription[T]) -> None:
        """Show what the description reads from it."""
        super().__init__(hub, lookup, mower_id, description.key)
        self.entity_description = description

    @property
    @override
    def native_value(self) -> datetime | float | str | None:
        """The value; None is unknown."""
        return None if self._known is None else self.entity_description.value(self._known)

    @property
    @override
    def extra_state_attributes(self) -> Mapping[str, Any]:
        """What belongs to it."""
        return {} if self._known is None else self.entity_description.attributes(self._known)

    @override
    def _shown(self) -> object:
        return self.native_value, self.extra_state_attributes
