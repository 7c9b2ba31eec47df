"""One scanner of Home Assistant, as the Bluetooth library knows scanners."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, cast, override

from bleak.backends.client import BaseBleakClient
from habluetooth import Allocations, BaseHaRemoteScanner, HaBluetoothConnector

from edge_gateway.contracts.bluetooth_lending import Advertisement, Scanner
from edge_gateway.device_gateway.lent_bluetooth.client import Lender, LentClient, Seconds


class LentScanner(BaseHaRemoteScanner):
    """One scanner; its source here is made of Home Assistant's id and its own, as a bridge might have the same."""

    def __init__(
        self, source: str, told: Scanner, lender: Lender, *, seconds: Seconds, can_connect: Callable[[], bool]
    ) -> None:
        """Hear nothing yet."""
        client = partial(LentClient, lender=lender, source=told.source, seconds=seconds)
        connector = HaBluetoothConnector(
            client=cast("type[BaseBleakClient]", client), source=source, can_connect=can_connect
        )
        super().__init__(source, source, connector, connectable=True)
        self.told = told

    @override
    def get_allocations(self) -> Allocations | None:
        slots, free = self.told.slots, self.told.free_slots
        if slots is None or free is None:
            return None
        return Allocations(adapter=self.source, slots=slots, free=free, allocated=[])

    def hear(self, message: Advertisement) -> None:
        """Take an advertisement in."""
        details: dict[str, Any] = {}
        self._async_on_advertisement(
            message.address,
            message.signal_dbm,
            message.name,
            list(message.service_uuids),
            {},
            dict(message.manufacturer_data),
            None,
            details,
            time.monotonic() - max(0, message.age_ms) / 1000,
        )
