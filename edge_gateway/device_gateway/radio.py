"""The Bluetooth stack without a radio of its own: it hears and connects over bridges and what Home Assistant lends.

It never touches the machine's own Bluetooth (no DBus, no adapters). There is one per process, because the library
has one manager per process.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any, override

import habluetooth
from bluetooth_adapters import BluetoothAdapters
from habluetooth import BluetoothManager, BluetoothScannerDevice, BluetoothServiceInfoBleak
from habluetooth.usage import install_multiple_bleak_catcher

from edge_gateway.device_gateway.sighting import Sighting

type Heard = Callable[[str, str], None]
"""Hears address and name of a device."""


class NoAdapters(BluetoothAdapters):
    """A machine without Bluetooth."""

    @property
    @override
    def adapters(self) -> dict[str, Any]:
        return {}

    @property
    @override
    def default_adapter(self) -> str:
        return ""


class PinningManager(BluetoothManager):
    """The library's manager, which lets an address be connected over one carrier only."""

    def __init__(self, heard: Heard) -> None:
        """Tell of each device that is heard."""
        super().__init__(bluetooth_adapters=NoAdapters())
        self._tell = heard
        self.pins: dict[str, str] = {}
        """The source by device address."""

    @override
    def _discover_service_info(self, service_info: BluetoothServiceInfoBleak) -> None:
        self._tell(service_info.address, service_info.name)

    @override
    def async_scanner_devices_by_address(self, address: str, connectable: bool) -> list[BluetoothScannerDevice]:
        found = super().async_scanner_devices_by_address(address, connectable)
        pinned = self.pins.get(address)
        return found if pinned is None else [one for one in found if one.scanner.source == pinned]

    def everywhere(self, address: str) -> list[BluetoothScannerDevice]:
        """Return how a device is heard over every carrier, whatever it is pinned to."""
        return super().async_scanner_devices_by_address(address, connectable=True)


class Radio:
    """The stack."""

    def __init__(self) -> None:
        """Touch nothing yet."""
        self._manager: PinningManager | None = None
        self._starting = asyncio.Lock()
        self._watchers: list[Heard] = []

    async def start(self) -> None:
        """Take the library's place as the one that Bluetooth goes through; again it does nothing."""
        async with self._starting:
            if self._manager is not None:
                return
            install_multiple_bleak_catcher()
            manager = PinningManager(self._heard)
            habluetooth.set_manager(manager)
            await manager.async_setup()
            self._manager = manager

    def stop(self) -> None:
        """Let go."""
        if self._manager is None:
            return
        self._manager.async_stop()
        self._manager = None
        # The library takes it away when it stops; whoever imports pymammotion later must find it.
        install_multiple_bleak_catcher()

    def watch(self, heard: Heard) -> None:
        """Tell of each device that is heard from now on."""
        self._watchers.append(heard)

    def register(self, scanner: Any) -> Callable[[], None]:  # noqa: ANN401  # the library's scanner
        """Take a carrier's scanner in; returns what takes it out again."""
        manager = self._running()
        return manager.async_register_scanner(scanner)

    def sightings(self, address: str) -> Iterable[Sighting]:
        """Return over which carriers a device is heard."""
        if self._manager is None:
            return
        now = time.monotonic()
        for found in self._manager.everywhere(address):
            heard_at = found.scanner.discovered_device_timestamps.get(address, now)
            allocations = found.scanner.get_allocations()
            yield Sighting(
                source=found.scanner.source,
                device=found.ble_device,
                signal_dbm=found.advertisement.rssi,
                free_slots=None if allocations is None else allocations.free,
                age_seconds=max(0.0, now - heard_at),
                connected=allocations is not None and address in allocations.allocated,
            )

    def pin(self, address: str, source: str | None) -> None:
        """Let connections to an address be made over this carrier only; null: over any."""
        if self._manager is None:
            return
        if source is None:
            self._manager.pins.pop(address, None)
        else:
            self._manager.pins[address] = source

    def pinned(self, address: str) -> str | None:
        """Return over what alone an address is connected, or is being connected; null: nobody wants it."""
        return None if self._manager is None else self._manager.pins.get(address)

    def _running(self) -> PinningManager:
        if self._manager is None:
            message = "the radio is not started"
            raise RuntimeError(message)
        return self._manager

    def _heard(self, address: str, name: str) -> None:
        for watcher in self._watchers:
            watcher(address, name)
