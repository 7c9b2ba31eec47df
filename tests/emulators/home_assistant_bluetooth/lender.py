"""The emulated Home Assistant: it dials, tells of mowers, connects them when it is told to; and what can go wrong."""

import asyncio
import socket as sockets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum

import aiohttp
import msgspec

from edge_gateway.contracts.bluetooth_lending import (
    Acknowledged,
    Advertisement,
    Characteristic,
    Connect,
    Connected,
    Disconnect,
    Disconnected,
    GattService,
    Hello,
    Notified,
    Said,
    Scanner,
    Subscribe,
    Told,
    Watch,
    Write,
)
from tests.emulators.esphome_bridge.peripheral import Peripheral

ADVERTISE_SECONDS = 0.05
REDIAL_SECONDS = 0.05
SOURCE = "AA:BB:CC:00:00:0A"
_PROPERTIES = {0x02: "read", 0x08: "write", 0x10: "notify"}


class Mishap(StrEnum):
    """What becomes of a write."""

    SPENT = "spent"
    """It comes too late: it is not done, and that is said."""
    FAILED = "failed"
    """It is done, and said to have failed."""
    MUTE = "mute"
    """It is done, and nothing is ever said about it."""
    LOST = "lost"
    """It is neither done nor answered."""


@dataclass(kw_only=True)
class Faults:
    """What goes wrong."""

    refuse: str | None = None
    """The code with which every connection is refused."""
    write: Mishap | None = None
    """What becomes of the next write that is `struck`; once."""
    struck: Callable[[bytes], bool] = lambda _: True
    then_cut: bool = False
    """The line to the gateway is cut with that write."""
    lose_notification: bool = False
    """The next notification is lost on the way."""


@dataclass(kw_only=True)
class Held:
    """A connection to a peripheral."""

    id: str
    peripheral: Peripheral
    subscribed: set[str] = field(default_factory=set)
    notified: int = 0


class EmulatedHomeAssistant:
    """One Home Assistant with one scanner."""

    def __init__(self, peripherals: list[Peripheral], *, instance_id: str = "home-1", slots: int = 3) -> None:
        """Have these around; dial nobody yet."""
        self.peripherals = peripherals
        self.instance_id = instance_id
        self.slots = slots
        self.taken = 0
        """Connections that others hold."""
        self.faults = Faults()
        self.connections: dict[str, Held] = {}
        self.told: list[Told] = []
        """Every message of the gateway."""
        self.watched: tuple[str, ...] = ()
        self.dials = 0
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._queue: asyncio.Queue[Said] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def start(self, url: str, headers: dict[str, str]) -> None:
        """Dial, and again whenever it ends."""
        self._task = asyncio.get_running_loop().create_task(self._run(url, headers))

    async def stop(self) -> None:
        """Hang up."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def cut(self) -> None:
        """Lose the connection to the gateway, without a word."""
        if self._socket is not None:
            self._socket.get_extra_info("socket").shutdown(sockets.SHUT_RDWR)

    def drop(self) -> None:
        """Lose every mower."""
        for held in tuple(self.connections.values()):
            self._release(held, "lost")

    def occupy(self, count: int) -> None:
        """Have others hold so many connections."""
        self.taken = count
        self.say(self._hello())

    def say(self, message: Said) -> None:
        """Say something, after what was said before."""
        self._queue.put_nowait(message)

    async def _run(self, url: str, headers: dict[str, str]) -> None:
        async with aiohttp.ClientSession() as session:
            while True:
                with suppress(aiohttp.ClientError, ConnectionError):
                    async with session.ws_connect(url, headers=headers, heartbeat=5) as socket:
                        self.dials += 1
                        self._socket = socket
                        await self._serve(socket)
                self._let_go()
                await asyncio.sleep(REDIAL_SECONDS)

    async def _serve(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._queue = asyncio.Queue()
        self.say(self._hello())
        tasks = [asyncio.create_task(self._send(socket)), asyncio.create_task(self._advertise())]
        try:
            async for frame in socket:
                self._hear(msgspec.json.decode(frame.data, type=Told))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        while True:
            message = await self._queue.get()
            await socket.send_str(msgspec.json.encode(message).decode())

    async def _advertise(self) -> None:
        while True:
            connected = {held.peripheral.mac for held in self.connections.values()}
            for one in self.peripherals:
                if one.in_reach and one.mac not in connected and one.name in self.watched:
                    self.say(
                        Advertisement(source=SOURCE, address=one.mac, name=one.name, signal_dbm=one.rssi, age_ms=20)
                    )
            await asyncio.sleep(ADVERTISE_SECONDS)

    def _hello(self) -> Hello:
        free = self.slots - self.taken - len(self.connections)
        scanner = Scanner(source=SOURCE, name="Proxy in the shed", connectable=True, slots=self.slots, free_slots=free)
        return Hello(instance_id=self.instance_id, scanners=(scanner,))

    def _hear(self, message: Told) -> None:
        self.told.append(message)
        match message:
            case Watch():
                self.watched = message.names
            case Connect():
                self._connect(message)
            case Disconnect() if message.id in self.connections:
                self._release(self.connections[message.id], "asked")
            case Subscribe():
                self._subscribe(message)
            case Write():
                self._write(message)

    def _connect(self, message: Connect) -> None:
        peripheral = next((one for one in self.peripherals if one.mac == message.address and one.in_reach), None)
        code = self.faults.refuse
        if peripheral is None:
            code = "not_found"
        elif self.taken + len(self.connections) >= self.slots:
            code = "no_slot"
        if code is not None or peripheral is None:
            self.say(Disconnected(id=message.id, code=code or "failed", detail="emulated"))
            return
        peripheral.connects += 1
        held = self.connections[message.id] = Held(id=message.id, peripheral=peripheral)
        peripheral.connected(lambda uuid, data: self._notify(held, uuid, data))
        self.say(self._hello())
        self.say(
            Connected(
                id=message.id,
                source=SOURCE,
                mtu=peripheral.mtu,
                services=(
                    GattService(
                        uuid=peripheral.service,
                        handle=peripheral.service_handle,
                        characteristics=tuple(
                            Characteristic(
                                uuid=one.uuid,
                                handle=one.handle,
                                properties=tuple(name for bit, name in _PROPERTIES.items() if one.properties & bit),
                            )
                            for one in peripheral.characteristics
                        ),
                    ),
                ),
            )
        )

    def _subscribe(self, message: Subscribe) -> None:
        held = self.connections.get(message.id)
        if held is not None:
            held.subscribed.add(message.characteristic)
            self.say(Acknowledged(id=message.id, seq=message.seq))

    def _write(self, message: Write) -> None:
        held = self.connections.get(message.id)
        if held is None:
            return
        mishap = self.faults.write if self.faults.struck(message.data) else None
        if mishap not in {Mishap.SPENT, Mishap.LOST}:
            held.peripheral.written(message.characteristic, message.data)
        if mishap not in {Mishap.MUTE, Mishap.LOST}:
            self.say(Acknowledged(id=message.id, seq=message.seq, code=None if mishap is None else str(mishap)))
        if mishap is not None:
            self.faults.write = None
            if self.faults.then_cut:
                self.cut()

    def _notify(self, held: Held, uuid: str, data: bytes) -> None:
        if uuid not in held.subscribed or self.connections.get(held.id) is not held:
            return
        held.notified += 1
        if self.faults.lose_notification:
            self.faults.lose_notification = False
            return
        self.say(Notified(id=held.id, seq=held.notified, characteristic=uuid, data=data))

    def _release(self, held: Held, code: str) -> None:
        del self.connections[held.id]
        held.peripheral.disconnected()
        self.say(Disconnected(id=held.id, code=code))
        self.say(self._hello())

    def _let_go(self) -> None:
        """Hold no mower for a gateway that is gone."""
        self._socket = None
        self.watched = ()
        for held in tuple(self.connections.values()):
            self._release(held, "stopped")
