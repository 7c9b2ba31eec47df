"""Which sensors of a bridge tell of itself: how long it runs, and how well it receives the Wi-Fi. Pure."""

from collections.abc import Iterable

import msgspec
from aioesphomeapi import EntityCategory, EntityInfo, SensorInfo


class OwnSensors(msgspec.Struct, frozen=True, kw_only=True):
    """The keys under which the bridge sends them; null: it has none."""

    uptime: int | None = None
    wifi: int | None = None


def own_sensors(entities: Iterable[EntityInfo]) -> OwnSensors:
    """Return a bridge's own sensors.

    Owners name them as they like, in any language. The signal of Wi-Fi is a diagnostic one in dBm; that of a beacon in
    the garden has the same class and unit and is no diagnostic one. Where several could be meant, a name decides.
    """
    sensors = [entity for entity in entities if isinstance(entity, SensorInfo)]
    uptime = next((sensor for sensor in sensors if "uptime" in sensor.object_id), None)
    wifi = next((sensor for sensor in sensors if "wifi" in sensor.object_id), None)
    if wifi is None:
        signals = [sensor for sensor in sensors if _tells_of_the_bridge_s_signal(sensor)]
        wifi = signals[0] if len(signals) == 1 else None
    return OwnSensors(uptime=uptime.key if uptime else None, wifi=wifi.key if wifi else None)


def _tells_of_the_bridge_s_signal(sensor: SensorInfo) -> bool:
    return (
        sensor.device_class == "signal_strength"
        and sensor.unit_of_measurement == "dBm"
        and sensor.entity_category is EntityCategory.DIAGNOSTIC
    )
