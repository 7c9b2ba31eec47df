"""What a mower reports: battery, progress, area, problem, link and signal."""

import time
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, override

from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import PERCENTAGE, SIGNAL_STRENGTH_DECIBELS_MILLIWATT, EntityCategory

from .client.mower import Link, Mower
from .entity import LiveMowerEntity
from .hub import Hub

SIGNAL_SECONDS = 300
SIGNAL_STEP = 5
"""dB. A signal flickers: it is written when it moved by so much, or after so long (design)."""

NO_PROBLEM = "none"
OTHER_PROBLEM = "other"
PROBLEMS = frozenset(
    {
        "area_broken",
        "battery_low",
        "blade_blocked",
        "bumper_disconnected",
        "lifted",
        "locked",
        "outside_area",
        "position_lost",
        "start_failed",
        "stuck",
    }
)
LINKS = ("simulated", "cloud", "bridge", "home_assistant", "local_network")


@dataclass(frozen=True, kw_only=True)
class MowerSensorDescription(SensorEntityDescription):
    """A sensor of a mower that is reached."""

    parts: AbstractSet[str]
    """What it is made of."""
    value: Callable[[Mower], float | str | None]
    attributes: Callable[[Mower], Mapping[str, Any]] = lambda _mower: {}


def _area(mower: Mower) -> str | None:
    """Return the name of the area in which it is."""
    return next((area.name for area in mower.areas if area.id == mower.area_id), None)


def _progress(mower: Mower) -> int | None:
    """Return whole percent: a recorder has no use for each tenth."""
    return None if mower.progress_percent is None else int(mower.progress_percent)


def _problem(mower: Mower) -> str | None:
    if not mower.heard:
        return None
    if mower.problem is None:
        return NO_PROBLEM
    return mower.problem.code if mower.problem.code in PROBLEMS else OTHER_PROBLEM


def _problem_attributes(mower: Mower) -> Mapping[str, Any]:
    problem = mower.problem
    return {
        "code": None if problem is None else problem.code,
        "vendor_code": None if problem is None else problem.vendor_code,
    }


def best_link(mower: Mower) -> Link | None:
    """Return the link over which a mower is reached; the strongest where there are several."""
    connected = [link for link in mower.links if link.connected]
    return max(connected, key=lambda link: -200 if link.signal_dbm is None else link.signal_dbm, default=None)


def _link(mower: Mower) -> str | None:
    link = best_link(mower)
    return link.kind if link is not None and link.kind in LINKS else None


DESCRIPTIONS = (
    MowerSensorDescription(
        key="battery",
        device_class=SensorDeviceClass.BATTERY,
        entity_category=EntityCategory.DIAGNOSTIC,
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        parts=frozenset({"battery_percent"}),
        value=lambda mower: mower.battery_percent,
    ),
    MowerSensorDescription(
        key="progress",
        native_unit_of_measurement=PERCENTAGE,
        parts=frozenset({"progress_percent"}),
        value=_progress,
    ),
    MowerSensorDescription(key="area", parts=frozenset({"area_id", "areas"}), value=_area),
    MowerSensorDescription(
        key="problem_cause",
        device_class=SensorDeviceClass.ENUM,
        entity_category=EntityCategory.DIAGNOSTIC,
        options=[NO_PROBLEM, *sorted(PROBLEMS), OTHER_PROBLEM],
        parts=frozenset({"heard", "problem"}),
        value=_problem,
        attributes=_problem_attributes,
    ),
    MowerSensorDescription(
        key="link",
        device_class=SensorDeviceClass.ENUM,
        entity_category=EntityCategory.DIAGNOSTIC,
        entity_registry_enabled_default=False,
        options=list(LINKS),
        parts=frozenset({"links"}),
        value=_link,
    ),
    MowerSensorDescription(
        key="firmware",
        entity_category=EntityCategory.DIAGNOSTIC,
        entity_registry_enabled_default=False,
        parts=frozenset({"firmware_version"}),
        value=lambda mower: mower.firmware_version,
    ),
)


class MowerSensor(LiveMowerEntity, SensorEntity):
    """Something that a mower reports."""

    entity_description: MowerSensorDescription

    def __init__(self, hub: Hub, mower_id: str, description: MowerSensorDescription) -> None:
        """Show what the description reads from a mower."""
        super().__init__(hub, mower_id, description.key)
        self.entity_description = description
        self._parts = description.parts | {"available"}

    @property
    @override
    def native_value(self) -> float | str | None:
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


class Signal(LiveMowerEntity, SensorEntity):
    """How well a mower is heard."""

    _attr_device_class = SensorDeviceClass.SIGNAL_STRENGTH
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_entity_registry_enabled_default = False
    _attr_native_unit_of_measurement = SIGNAL_STRENGTH_DECIBELS_MILLIWATT
    _attr_state_class = SensorStateClass.MEASUREMENT
    _parts = frozenset({"available", "links", "observed_at"})

    def __init__(self, hub: Hub, mower_id: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Show a mower's signal; `clock` answers seconds."""
        super().__init__(hub, mower_id, "signal")
        self._clock = clock
        self._held: int | None = None
        self._held_since = clock()

    @property
    @override
    def native_value(self) -> int | None:
        """The last value that was worth writing."""
        return self._held

    @override
    def _shown(self) -> object:
        link = best_link(self._view)
        now = None if link is None else link.signal_dbm
        if self._held is None or now is None or abs(now - self._held) >= SIGNAL_STEP:
            worth = now != self._held
        else:
            worth = self._clock() - self._held_since >= SIGNAL_SECONDS
        if worth:
            self._held, self._held_since = now, self._clock()
        return self._held
