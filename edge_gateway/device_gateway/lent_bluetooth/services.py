"""The GATT services of a connected mower, as the Bluetooth library wants them."""

from typing import cast

from bleak.assigned_numbers import CharacteristicPropertyName
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection

from edge_gateway.contracts.bluetooth_lending import Connected

_HEADER_BYTES = 3
"""Of each packet, beside what is written."""


def services_of(connected: Connected) -> BleakGATTServiceCollection:
    """Return the services that Home Assistant found."""
    largest = connected.mtu - _HEADER_BYTES
    collection = BleakGATTServiceCollection()
    for told in connected.services:
        service = BleakGATTService(told, told.handle, told.uuid)
        collection.add_service(service)
        for one in told.characteristics:
            properties = cast("list[CharacteristicPropertyName]", list(one.properties))
            collection.add_characteristic(
                BleakGATTCharacteristic(one, one.handle, one.uuid, properties, lambda: largest, service)
            )
    return collection
