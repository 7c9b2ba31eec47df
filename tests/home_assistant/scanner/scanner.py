"""The scanner: which peripherals it hears, how many connections it can make, what can go wrong."""

from collections.abc import Callable
from typing import override

from bleak_retry_connector.bluez import Allocations
from habluetooth import BaseHaRemoteScanner, HaBluetoothConnector, get_manager
from homeassistant.components.bluetooth import MONOTONIC_TIME, async_register_scanner
from homeassistant.core import HomeAssistant

from tests.emulators.esphome_bridge.peripheral import Peripheral
from tests.home_assistant.scanner.gatt_client import Air, GattClient

SOURCE = "AA:BB:CC:00:00:01"


class EmulatedScanner(BaseHaRemoteScanner):
    """One scanner that can connect."""

    def __init__(self, *, source: str = SOURCE, name: str = "emulated", slots: int = 3) -> None:
        """Have so many slots; 0 tells none."""
        self.air = Air(changed=self._changed)
        connector = HaBluetoothConnector(
            client=type("ClientOfScanner", (GattClient,), {"air": self.air}),
            source=source,
            can_connect=lambda: self.slots == 0 or len(self.air.clients) < self.slots,
        )
        self.slots = slots
        self._unregister: list[Callable[[], None]] = []
        super().__init__(source, name, connector, True)  # noqa: FBT003  # compiled: it takes no keyword

    def register(self, hass: HomeAssistant) -> None:
        """Become one of Home Assistant's scanners."""
        self._unregister = [self.async_setup(), async_register_scanner(hass, self)]

    def unregister(self) -> None:
        """Be taken away."""
        while self._unregister:
            self._unregister.pop()()

    def hear(self, peripheral: Peripheral, *, name: str | None = "", maker_data: bytes = b"\x01\x02") -> None:
        """Hear a peripheral advertise; a `name` of None is heard by a scanner that only listens."""
        self.air.peripherals[peripheral.mac] = peripheral
        self._async_on_advertisement(
            peripheral.mac,
            peripheral.rssi,
            (name or peripheral.name) if name is not None else None,
            [peripheral.service],
            {},
            {424: maker_data},
            None,
            {},
            MONOTONIC_TIME(),
        )

    @override
    def get_allocations(self) -> Allocations | None:
        if self.slots == 0:
            return None
        taken = [client.address for client in self.air.clients]
        return Allocations(adapter=self.source, slots=self.slots, free=self.slots - len(taken), allocated=taken)

    def _changed(self) -> None:
        if (allocations := self.get_allocations()) is not None:
            get_manager().async_on_allocation_changed(allocations)
