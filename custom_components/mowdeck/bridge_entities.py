"""What a Bluetooth bridge shows: whether it is connected, how many mowers it can still connect, its Wi-Fi."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, override

from homeassistant.components.binary_sensor import BinarySensorDeviceClass, BinarySensorEntity
from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import SIGNAL_STRENGTH_DECIBELS_MILLIWATT, EntityCategory
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .client.bridge import Bridge, BridgeStatus
from .const import DOMAIN
from .devices import bridge_subject
from .entity import MowDeckEntity
from .hub import Hub
from .mirrors import Kind


@dataclass(frozen=True, kw_only=True)
class BridgeSensorDescription(SensorEntityDescription):
    """A sensor of a bridge."""

    value: Callable[[Bridge], float | None]


SENSORS = (
    BridgeSensorDescription(
        key="free_slots",
        state_class=SensorStateClass.MEASUREMENT,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=lambda bridge: bridge.free_slots,
    ),
    BridgeSensorDescription(
        key="wifi_signal",
        device_class=SensorDeviceClass.SIGNAL_STRENGTH,
        native_unit_of_measurement=SIGNAL_STRENGTH_DECIBELS_MILLIWATT,
        state_class=SensorStateClass.MEASUREMENT,
        entity_category=EntityCategory.DIAGNOSTIC,
        # One with a cable has none.
        entity_registry_enabled_default=False,
        value=lambda bridge: bridge.wifi_dbm,
    ),
)


def add_for_bridges(
    hub: Hub, async_add_entities: AddConfigEntryEntitiesCallback, make: Callable[[str], list[Entity]]
) -> None:
    """Make the entities of each bridge, as parts of its mirror."""

    def add(bridge_id: str) -> None:
        if (mirror := hub.mirrors.find(Kind.BRIDGE, bridge_id)) is not None:
            async_add_entities(make(bridge_id), config_subentry_id=mirror.subentry_id)

    hub.bridges.on_new(add)


class BridgeEntity(MowDeckEntity[Bridge]):
    """Shows something of a bridge."""

    def __init__(self, hub: Hub, bridge_id: str, key: str) -> None:
        """Show a bridge."""
        super().__init__(hub, hub.bridges, bridge_id, key)
        self._attr_device_info = DeviceInfo(identifiers={(DOMAIN, bridge_subject(bridge_id))})


class BridgeConnection(BridgeEntity, BinarySensorEntity):
    """Whether the gateway is connected to a bridge; not known where another gateway is."""

    _attr_device_class = BinarySensorDeviceClass.CONNECTIVITY
    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(self, hub: Hub, bridge_id: str) -> None:
        """Show a bridge."""
        super().__init__(hub, bridge_id, "bridge_connection")

    @property
    @override
    def is_on(self) -> bool | None:
        """Whether it is connected."""
        if self._view.status in (BridgeStatus.ELSEWHERE, BridgeStatus.UNKNOWN):
            return None
        return self._view.status is BridgeStatus.CONNECTED

    @property
    @override
    def extra_state_attributes(self) -> Mapping[str, Any]:
        """How it is."""
        return {"status": self._view.status.value}

    @override
    def _shown(self) -> object:
        return self._view.status


class BridgeSensor(BridgeEntity, SensorEntity):
    """A number of a bridge that is connected."""

    entity_description: BridgeSensorDescription

    def __init__(self, hub: Hub, bridge_id: str, description: BridgeSensorDescription) -> None:
        """Show what the description reads from a bridge."""
        super().__init__(hub, bridge_id, description.key)
        self.entity_description = description

    @property
    @override
    def available(self) -> bool:
        """Whether the bridge is connected."""
        return super().available and self._view.status is BridgeStatus.CONNECTED

    @property
    @override
    def native_value(self) -> float | None:
        """The number."""
        return self.entity_description.value(self._view)

    @override
    def _shown(self) -> object:
        return self.native_value
