"""A bridge's own sensors are found whatever their owner calls them."""

import pytest
from aioesphomeapi import EntityCategory, EntityInfo, SensorInfo

from edge_gateway.device_gateway.bridges.own_sensors import OwnSensors, own_sensors


def sensor(key: int, object_id: str, **said: object) -> SensorInfo:
    return SensorInfo.from_dict({"key": key, "name": object_id, "object_id": object_id, **said})


def signal(key: int, object_id: str, *, unit: str = "dBm", diagnostic: bool = True) -> SensorInfo:
    category = EntityCategory.DIAGNOSTIC if diagnostic else EntityCategory.NONE
    return sensor(key, object_id, device_class="signal_strength", unit_of_measurement=unit, entity_category=category)


UPTIME, BEACON = sensor(1, "uptime"), signal(5, "mower_rssi", diagnostic=False)


@pytest.mark.parametrize(
    ("entities", "wifi"),
    [
        ([sensor(2, "wifi_signal")], 2),
        ([BEACON, signal(2, "wlan_empfang")], 2),
        ([BEACON, signal(3, "other"), signal(2, "wifi")], 2),
        ([BEACON], None),
        ([signal(2, "one"), signal(3, "another")], None),
        ([signal(2, "quality", unit="%")], None),
        ([sensor(2, "temperature", device_class="temperature")], None),
        ([], None),
    ],
)
def test_the_signal_of_the_bridge_s_own_wifi(entities: list[EntityInfo], wifi: int | None) -> None:
    assert own_sensors([*entities, UPTIME]) == OwnSensors(uptime=1, wifi=wifi)
