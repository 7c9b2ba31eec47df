"""The GATT client of the emulated scanner: what bleak asks of a radio, done on emulated peripherals."""

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar, override

from bleak.args import SizedBuffer
from bleak.assigned_numbers import CharacteristicPropertyName
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakError

from tests.emulators.esphome_bridge.peripheral import NO_ANSWER, Peripheral

_WORDS: dict[int, CharacteristicPropertyName] = {2: "read", 8: "write", 16: "notify"}


class Air:
    """What one scanner can reach, and who is connected over it."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """Tell when a connection came or went."""
        self.peripherals: dict[str, Peripheral] = {}
        self.clients: list[GattClient] = []
        self.writable = asyncio.Event()
        """A write waits until it is set."""
        self.writable.set()
        self.broken: Exception | None = None
        """What every write, and the end of a connection, raises."""
        self.cleared: list[str] = []
        """The addresses of which services were forgotten."""
        self.changed = changed

    def drop(self) -> None:
        """Lose every connection."""
        for client in tuple(self.clients):
            client.lose()


class GattClient(BaseBleakClient):
    """One connection; a subclass for each scanner has its `air`."""

    air: ClassVar[Air]

    def __init__(self, address_or_ble_device: BLEDevice | str, **kwargs: Any) -> None:  # noqa: ANN401  # bleak's own
        """Prepare."""
        super().__init__(address_or_ble_device, **kwargs)
        self._listeners: dict[str, NotifyCallback] = {}

    @property
    def _peripheral(self) -> Peripheral:
        return self.air.peripherals[self.address]

    @property
    @override
    def mtu_size(self) -> int:
        return self._peripheral.mtu

    @property
    @override
    def is_connected(self) -> bool:
        return self in self.air.clients

    @override
    async def connect(self, pair: bool, **kwargs: Any) -> None:
        peripheral = self._peripheral
        peripheral.connects += 1
        await asyncio.sleep(0)
        if peripheral.connect_error == NO_ANSWER:
            await asyncio.get_running_loop().create_future()
        if peripheral.connect_error:
            message = f"error {peripheral.connect_error}"
            raise BleakError(message)
        self.services = _services(peripheral)
        self.air.clients.append(self)
        peripheral.connected(self._notify)
        self.air.changed()

    @override
    async def disconnect(self) -> None:
        await asyncio.sleep(0)
        self.lose()
        if self.air.broken is not None:
            raise self.air.broken

    def lose(self) -> None:
        """Be connected no more."""
        if self.is_connected:
            self.air.clients.remove(self)
            self._peripheral.disconnected()
            self.air.changed()
            if self._disconnected_callback is not None:
                self._disconnected_callback()

    async def clear_cache(self) -> bool:
        """Forget the services."""
        self.air.cleared.append(self.address)
        return True

    @override
    async def pair(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    @override
    async def unpair(self) -> None:
        raise NotImplementedError

    @override
    async def read_gatt_char(
        self, characteristic: BleakGATTCharacteristic, *, use_cached: bool = False, **kwargs: Any
    ) -> bytearray:
        return bytearray(self._peripheral.by_handle[characteristic.handle].value)

    @override
    async def read_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, *, use_cached: bool = False, **kwargs: Any
    ) -> bytearray:
        raise NotImplementedError

    @override
    async def write_gatt_char(self, characteristic: BleakGATTCharacteristic, data: SizedBuffer, response: bool) -> None:
        await self.air.writable.wait()
        if self.air.broken is not None:
            raise self.air.broken
        self._peripheral.written(characteristic.uuid, bytes(data))

    @override
    async def write_gatt_descriptor(self, descriptor: BleakGATTDescriptor, data: SizedBuffer) -> None:
        raise NotImplementedError

    @override
    async def start_notify(
        self, characteristic: BleakGATTCharacteristic, callback: NotifyCallback, **kwargs: Any
    ) -> None:
        self._listeners[characteristic.uuid] = callback

    @override
    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> None:
        del self._listeners[characteristic.uuid]

    def _notify(self, uuid: str, data: bytes) -> None:
        if (listener := self._listeners.get(uuid)) is not None:
            listener(bytearray(data))


def _services(peripheral: Peripheral) -> BleakGATTServiceCollection:
    collection = BleakGATTServiceCollection()
    service = BleakGATTService(None, peripheral.service_handle, peripheral.service)
    collection.add_service(service)
    for one in peripheral.characteristics:
        words = [word for bit, word in _WORDS.items() if one.properties & bit]
        collection.add_characteristic(
            BleakGATTCharacteristic(None, one.handle, one.uuid, words, lambda: peripheral.mtu - 3, service)
        )
    return collection
