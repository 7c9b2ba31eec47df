"""Whether a mower charges, has a problem, is reached, and is held back."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, override

from homeassistant.components.binary_sensor import (
    BinarySensorDeviceClass,
    BinarySensorEntity,
    BinarySensorEntityDescription,
)
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .bridge_entities import BridgeConnection, add_for_bridges
from .client.mower import Activity, Mower
from .client.weather import MowerWeather
from .entity import LiveMowerEntity, LookupEntity, MowerEntity
from .hub import Hub, MowDeckConfigEntry

PARALLEL_UPDATES = 0

GATEWAY_GONE = "gateway_gone"
"""The reason of a mower that is not reached because its gateway is not."""


def _has_problem(mower: Mower) -> bool | None:
    """Tell whether something is wrong; None while nothing was ever heard of the mower."""
    if not mower.heard:
        return None
    return mower.problem is not None or mower.activity is Activity.ERROR


def _problem_attributes(mower: Mower) -> Mapping[str, Any]:
    problem = mower.problem
    if problem is None:
        return {}
    return {"code": problem.code, "vendor_code": problem.vendor_code}


@dataclass(frozen=True, kw_only=True)
class MowerBinarySensorDescription(BinarySensorEntityDescription):
    """A binary sensor of a mower that is reached."""

    parts: AbstractSet[str]
    """What it is made of."""
    is_on: Callable[[Mower], bool | None]
    attributes: Callable[[Mower], Mapping[str, Any]] = lambda _mower: {}


DESCRIPTIONS = (
    MowerBinarySensorDescription(
        key="charging",
        device_class=BinarySensorDeviceClass.BATTERY_CHARGING,
        entity_category=EntityCategory.DIAGNOSTIC,
        parts=frozenset({"charging"}),
        is_on=lambda mower: mower.charging,
    ),
    MowerBinarySensorDescription(
        key="problem",
        device_class=BinarySensorDeviceClass.PROBLEM,
        entity_category=EntityCategory.DIAGNOSTIC,
        parts=frozenset({"heard", "problem", "activity"}),
        is_on=_has_problem,
        attributes=_problem_attributes,
    ),
)


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the binary sensors of each mower and each bridge."""
    hub = entry.runtime_data
    add_for_bridges(hub, async_add_entities, lambda bridge_id: [BridgeConnection(hub, bridge_id)])
    hub.mowers.on_new(
        lambda mower_id: async_add_entities(
            [
                Connectivity(hub, mower_id),
                RainHold(hub, mower_id),
                *(MowerBinarySensor(hub, mower_id, description) for description in DESCRIPTIONS),
            ]
        )
    )


class MowerBinarySensor(LiveMowerEntity, BinarySensorEntity):
    """Something of a mower that is so or not."""

    entity_description: MowerBinarySensorDescription

    def __init__(self, hub: Hub, mower_id: str, description: MowerBinarySensorDescription) -> None:
        """Show what the description reads from a mower."""
        super().__init__(hub, mower_id, description.key)
        self.entity_description = description
        self._parts = description.parts | {"available"}

    @property
    @override
    def is_on(self) -> bool | None:
        """Whether it is so; None is unknown."""
        return self.entity_description.is_on(self._view)

    @property
    @override
    def extra_state_attributes(self) -> Mapping[str, Any]:
        """What belongs to it."""
        return self.entity_description.attributes(self._view)

    @override
    def _shown(self) -> object:
        return self.is_on, self.extra_state_attributes


class Connectivity(MowerEntity, BinarySensorEntity):
    """Whether a mower is reached: the one thing that is known at all times."""

    _attr_device_class = BinarySensorDeviceClass.CONNECTIVITY
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _parts = frozenset({"available", "unavailable_reason"})

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Show a mower's connection."""
        super().__init__(hub, mower_id, "connectivity")

    @property
    @override
    def available(self) -> bool:
        """Always: without a gateway the mower is not reached."""
        return True

    @property
    @override
    def is_on(self) -> bool:
        """Whether the mower is reached."""
        return super().available and self._view.available

    @property
    @override
    def extra_state_attributes(self) -> Mapping[str, Any]:
        """Why it is not, as a code."""
        if self.is_on:
            return {}
        return {"reason": self._view.unavailable_reason if super().available else GATEWAY_GONE}

    @override
    def _shown(self) -> object:
        return self.is_on, self.extra_state_attributes


class RainHold(LookupEntity[MowerWeather], BinarySensorEntity):
    """Whether a plan would not start the mower now, for rain or because a person said so."""

    _unrecorded_attributes = frozenset({"forecast_at"})

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Show a mower's verdict."""
        super().__init__(hub, hub.rain, mower_id, "rain_hold")

    @property
    @override
    def is_on(self) -> bool | None:
        """Whether it is held back; None is unknown."""
        return None if self._known is None else self._known.hold

    @property
    @override
    def attribution(self) -> str | None:
        """Whose forecast it is."""
        return None if self._known is None else self._known.attribution

    @property
    @override
    def extra_state_attributes(self) -> Mapping[str, Any]:
        """Where the verdict comes from."""
        known = self._known
        if known is None:
            return {}
        return {
            "reason": known.reason,
            "wet": known.wet,
            "source": known.provider,
            "forecast_at": None if known.fetched_at is None else known.fetched_at.isoformat(),
        }

    @override
    def _shown(self) -> object:
        return self.is_on, self.attribution, self.extra_state_attributes
