"""A mower's connection as the Bluetooth library knows connections, carried by Home Assistant."""

from collections.abc import Callable
from typing import Any, Protocol, override

import msgspec
from bleak.args import SizedBuffer
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.exc import BleakError

from edge_gateway.device_gateway.lent_bluetooth.connection import LentConnection
from edge_gateway.device_gateway.lent_bluetooth.services import services_of

_SMALLEST_MTU = 23


class Seconds(msgspec.Struct, frozen=True, kw_only=True):
    """How long Home Assistant may take; less than who waits above, so that its answer comes in time."""

    connect: float
    order: float


class Lender(Protocol):
    """Home Assistant, as a connection needs it."""

    def connection(self, address: str, source: str) -> LentConnection:
        """Return a new connection, not made yet; raises `BleakError` when Home Assistant is gone."""
        ...

    def clear_cache(self, address: str) -> None:
        """Have the mower's services forgotten."""
        ...


class LentClient(BaseBleakClient):
    """The client for one mower; made anew for each connection by the library's manager."""

    def __init__(
        self,
        address_or_ble_device: BLEDevice | str,
        *,
        lender: Lender,
        source: str,
        seconds: Seconds,
        disconnected_callback: Callable[[], None] | None,
        timeout: float,
        **kwargs: Any,  # noqa: ANN401  # what the library gives every kind of client
    ) -> None:
        """Connect nothing yet; `source` is Home Assistant's own name of the scanner to connect over."""
        super().__init__(address_or_ble_device, disconnected_callback=disconnected_callback, timeout=timeout, **kwargs)
        self._lender = lender
        self._source = source
        self._seconds = seconds
        self._connection: LentConnection | None = None
        self._mtu = _SMALLEST_MTU

    @property
    @override
    def name(self) -> str:
        return self.address

    @property
    @override
    def mtu_size(self) -> int:
        return self._mtu

    @property
    @override
    def is_connected(self) -> bool:
        return self._connection is not None and self._connection.up

    @override
    async def connect(self, pair: bool, **kwargs: Any) -> None:
        connection = self._lender.connection(self.address, self._source)
        made = await connection.open(seconds=self._seconds.connect)
        self._mtu = made.mtu
        self.services = services_of(made)
        self._connection = connection
        connection.lost = self._lost

    @override
    async def disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    @override
    async def write_gatt_char(self, characteristic: BleakGATTCharacteristic, data: SizedBuffer, response: bool) -> None:
        await self._connected().write(characteristic.uuid, bytes(data), response=response, seconds=self._seconds.order)

    @override
    async def start_notify(
        self, characteristic: BleakGATTCharacteristic, callback: NotifyCallback, **kwargs: Any
    ) -> None:
        await self._connected().subscribe(characteristic.uuid, callback, seconds=self._seconds.order)

    @override
    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> None:
        self._connected().unsubscribe(characteristic.uuid)

    async def clear_cache(self) -> bool:
        """Have the mower's services forgotten before the next connection."""
        self._lender.clear_cache(self.address)
        return True

    @override
    async def pair(self, *args: Any, **kwargs: Any) -> None:
        raise _not_lent()

    @override
    async def unpair(self) -> None:
        raise _not_lent()

    @override
    async def read_gatt_char(
        self, characteristic: BleakGATTCharacteristic, *, use_cached: bool = False, **kwargs: Any
    ) -> bytearray:
        raise _not_lent()

    @override
    async def read_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, *, use_cached: bool = False, **kwargs: Any
    ) -> bytearray:
        raise _not_lent()

    @override
    async def write_gatt_descriptor(self, descriptor: BleakGATTDescriptor, data: SizedBuffer) -> None:
        raise _not_lent()

    def _connected(self) -> LentConnection:
        if self._connection is None:
            message = "not connected"
            raise BleakError(message)
        return self._connection

    def _lost(self) -> None:
        if self._disconnected_callback is not None:
            self._disconnected_callback()


def _not_lent() -> BleakError:
    return BleakError("Home Assistant does not lend this: mowers do without it")
