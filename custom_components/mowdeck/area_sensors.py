"""When an area was last mowed; off until somebody wants it."""

from datetime import datetime
from typing import override

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity

from .client.health import MowedArea
from .entity import LookupEntity
from .hub import Hub


class LastMowed(LookupEntity[tuple[MowedArea, ...]], SensorEntity):
    """When an area was last mowed, within the last 30 days."""

    _attr_device_class = SensorDeviceClass.TIMESTAMP
    _attr_entity_registry_enabled_default = False

    def __init__(self, hub: Hub, mower_id: str, area_id: str) -> None:
        """Show an area's, on the area's device."""
        super().__init__(hub, hub.mowed, mower_id, "last_mowed")
        self._area_id = area_id
        self._attr_unique_id = f"{mower_id}_{area_id}_last_mowed"
        self._attr_device_info = hub.devices.area_info(mower_id, area_id)

    @property
    @override
    def native_value(self) -> datetime | None:
        """The moment; None when it was not mowed, or nothing is known."""
        return next((area.last_mowed_at for area in self._known or () if area.area_id == self._area_id), None)

    @override
    def _shown(self) -> object:
        return self.native_value
