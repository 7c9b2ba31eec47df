"""The emulated bridge: who is connected to it, who gets the advertisements, what can go wrong."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from aioesphomeapi import BluetoothProxyFeature

from tests.emulators.esphome_bridge.messages import api
from tests.emulators.esphome_bridge.peripheral import Connection, Peripheral
from tests.emulators.esphome_bridge.requests import answer
from tests.emulators.esphome_bridge.wire import Wire

FEATURES = int(
    BluetoothProxyFeature.PASSIVE_SCAN
    | BluetoothProxyFeature.ACTIVE_CONNECTIONS
    | BluetoothProxyFeature.REMOTE_CACHING
    | BluetoothProxyFeature.PAIRING
    | BluetoothProxyFeature.CACHE_CLEARING
    | BluetoothProxyFeature.RAW_ADVERTISEMENTS
    | BluetoothProxyFeature.FEATURE_STATE_AND_MODE
)
PASSIVE_FEATURES = int(
    BluetoothProxyFeature.PASSIVE_SCAN
    | BluetoothProxyFeature.RAW_ADVERTISEMENTS
    | BluetoothProxyFeature.FEATURE_STATE_AND_MODE
)
ADVERTISE_SECONDS = 0.05
SUPERVISION_TIMEOUT = 0x08
_WARNING = 2


@dataclass(kw_only=True)
class Firmware:
    """What is flashed."""

    name: str = "mowdeck-bridge-000001"
    mac: str = "AA:BB:CC:00:00:01"
    esphome_version: str = "2026.10.0"
    features: int = FEATURES
    slots: int = 3
    first_subscriber_keeps: bool = False
    """As before 2026.7: a second subscriber is turned away silently; since then it replaces the first."""
    provisionable: bool = False
    """It takes its first key from whoever comes."""
    uptime_seconds: float = 3600.0
    wifi_dbm: float | None = -58.0


@dataclass
class EmulatedBridge:
    """A bridge with peripherals around it."""

    peripherals: list[Peripheral]
    key: str | None = None
    """Base64; null speaks plaintext."""
    firmware: Firmware = field(default_factory=Firmware)
    deaf: bool = False
    """Its scanner hears nothing, while the API works."""
    stuck: bool = False
    """It takes what is sent to it and does nothing."""
    mute: bool = False
    """It does what it is told, and none of what Bluetooth tells leaves it."""
    port: int = 0
    wires: set[Wire] = field(default_factory=set)
    subscriber: Wire | None = None
    connections: dict[int, Connection] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    """The names of all requests, in order."""
    restarts: int = 0
    _server: asyncio.Server | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def start(self) -> None:
        """Listen on loopback, on the port of before if there was one, and advertise."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._wire, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        self.do(self._advertise())

    async def stop(self) -> None:
        """Break everything off."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._go_dark()
        if self._server is not None:
            self._server.close()
            self._server = None

    async def reboot(self) -> None:
        """Lose every connection and come up again."""
        self.restarts += 1
        self.firmware.uptime_seconds = 1.0
        self._go_dark()
        self.deaf = False

    def do(self, work: Any) -> None:  # noqa: ANN401  # a coroutine
        """Do something that takes time."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def push(self, message: Any) -> None:  # noqa: ANN401  # any message of the API
        """Send what Bluetooth tells, as the firmware does: to the subscriber alone."""
        if self.subscriber is not None and not self.stuck and not self.mute:
            self.subscriber.send(message)

    def peripheral(self, address: int) -> Peripheral | None:
        """Return the device with an address."""
        return next((one for one in self.peripherals if one.address == address and one.in_reach), None)

    def slots_message(self) -> Any:  # noqa: ANN401  # a message of the API
        """Return how many connections are free."""
        slots, used = self.firmware.slots, list(self.connections)
        return api.BluetoothConnectionsFreeResponse(free=slots - len(used), limit=slots, allocated=used)

    def subscribe(self, wire: Wire) -> None:
        """Let a client have the advertisements, or not, as the firmware decides."""
        before = self.subscriber
        if before is not None and before is not wire:
            if self.firmware.first_subscriber_keeps:
                self.log("Only one API subscription is allowed at a time")
                return
            self.log(f"Subscription from {wire.client_info} replaces {before.client_info}")
        self.subscriber = wire
        self.tell_scanner()

    def tell_scanner(self, mode: int = 0) -> None:
        """Tell the subscriber that the scanner runs."""
        self.push(api.BluetoothScannerStateResponse(state=2, mode=mode, configured_mode=0))

    def log(self, line: str) -> None:
        """Log a warning to whoever listens to logs."""
        for wire in self.wires:
            wire.send(api.SubscribeLogsResponse(level=_WARNING, message=f"[W][bluetooth_proxy:1]: {line}".encode()))

    def drop(self, mac: str, error: int = SUPERVISION_TIMEOUT) -> None:
        """Lose a device."""
        address = int(mac.replace(":", ""), 16)
        if self.release(address):
            self.push(api.BluetoothDeviceConnectionResponse(address=address, connected=False, error=error))
            self.push(self.slots_message())

    def release(self, address: int) -> bool:
        """Let go of a device; tell whether it was held."""
        connection = self.connections.pop(address, None)
        if connection is not None and connection.up:
            connection.peripheral.disconnected()
        return connection is not None

    def occupy(self, count: int) -> None:
        """Have other devices take so many connections."""
        for number in range(count):
            stranger = Peripheral(mac=f"00:00:00:00:00:{number + 1:02X}", name="other", service="", characteristics=[])
            self.connections[stranger.address] = Connection(peripheral=stranger, up=False)
        self.push(self.slots_message())

    def vacate(self) -> None:
        """Have the other devices let go."""
        for address in [address for address, one in self.connections.items() if one.peripheral.name == "other"]:
            del self.connections[address]
        self.push(self.slots_message())

    def _go_dark(self) -> None:
        self.subscriber = None
        for address in list(self.connections):
            self.release(address)
        for wire in tuple(self.wires):
            wire.abort()

    def _wire(self) -> Wire:
        return Wire(
            key=self.key,
            name=self.firmware.name,
            mac=self.firmware.mac,
            opened=self.wires.add,
            closed=self._closed,
            heard=self._heard,
        )

    def _closed(self, wire: Wire) -> None:
        self.wires.discard(wire)
        if self.subscriber is wire:
            # The firmware drops every device when the subscriber is gone, not when it is merely replaced.
            self.subscriber = None
            for address in list(self.connections):
                self.release(address)

    def _heard(self, wire: Wire, message: Any) -> None:  # noqa: ANN401  # any message of the API
        self.requests.append(type(message).__name__)
        if not self.stuck:
            answer(self, wire, message)

    async def _advertise(self) -> None:
        while True:
            await asyncio.sleep(ADVERTISE_SECONDS)
            heard = [one for one in self.peripherals if one.in_reach and one.address not in self.connections]
            if heard and not self.deaf:
                self.push(
                    api.BluetoothLERawAdvertisementsResponse(
                        advertisements=[
                            api.BluetoothLERawAdvertisement(
                                address=one.address, rssi=one.rssi, address_type=0, data=one.advertisement
                            )
                            for one in heard
                        ]
                    )
                )
