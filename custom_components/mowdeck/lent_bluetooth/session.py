"""One dialled connection to the gateway: what is heard goes there, what it tells is done here."""

import asyncio
from collections import Counter
from collections.abc import Callable

from homeassistant.components import bluetooth
from homeassistant.core import HomeAssistant, callback

from custom_components.mowdeck.client.lending_said import Disconnected, LendingHello, Said, Scanner
from custom_components.mowdeck.client.lending_socket import LendingSocket
from custom_components.mowdeck.client.lending_told import (
    ClearCache,
    Connect,
    Disconnect,
    Subscribe,
    Told,
    Watch,
    Write,
)

from .connection import Connection
from .hearing import Hearing
from .pulse import Pulse
from .refusals import ASKED, NOT_LENT, STOPPED
from .scanners import scanners_now, watch_scanners

FLUSH_SECONDS = 1.0
"""What was said before the end may take so long to leave."""


class Session:
    """Serves one gateway until the socket ends; then nothing of it is connected any more."""

    def __init__(self, hass: HomeAssistant, socket: LendingSocket, instance_id: str) -> None:
        """Speak over this socket."""
        self.connections: dict[str, Connection] = {}
        self.hearing = Hearing(hass, self.say)
        self.ended: Counter[str] = Counter()
        """How often a connection ended or was not made, by code."""
        self.scanners: tuple[Scanner, ...] = ()
        """As the gateway was told last."""
        self._hass = hass
        self._socket = socket
        self._instance_id = instance_id
        self._outgoing: asyncio.Queue[tuple[Said, Callable[[], None] | None]] = asyncio.Queue()
        self._end_following: Callable[[], None] | None = None
        self._look_soon = False
        self._sweep: asyncio.Task[None] | None = None
        self._pulse = Pulse(hass.loop)
        self._clear_next: set[str] = set()
        """Addresses of which the services are read anew at the next connection."""

    async def run(self) -> None:
        """Serve; ends with a `ClientError`, or by being cancelled."""
        self._tell_scanners(first=True)
        sender = self._hass.async_create_background_task(self._send(), "mowdeck bluetooth sender", eager_start=False)
        try:
            while True:
                self._hear(await self._socket.receive())
        finally:
            await self._end(sender)

    @callback
    def say(self, said: Said, left: Callable[[], None] | None = None) -> None:
        """Say something; `left` is called when it is on its way."""
        if isinstance(said, Disconnected):
            self.ended[said.code] += 1
        self._outgoing.put_nowait((said, left))

    async def _send(self) -> None:
        try:
            while True:
                said, left = await self._outgoing.get()
                await self._socket.send(said)
                if left is not None:
                    left()
                self._outgoing.task_done()
        finally:
            # Without it nothing would be heard any more, and the session go on as if all were well.
            await self._socket.close()

    async def _end(self, sender: asyncio.Task[None]) -> None:
        """Let go of every mower at once, then say so, if anybody listens."""
        self.hearing.end()
        self._follow_scanners()
        if self._sweep is not None:
            self._sweep.cancel()
        connections = tuple(self.connections.values())
        for connection in connections:
            connection.end(STOPPED)
        await asyncio.gather(*(connection.task for connection in connections))
        # A sender that failed is done: a gateway that is gone knows that nothing is connected any more.
        flushed = self._hass.async_create_background_task(self._outgoing.join(), "mowdeck bluetooth farewell")
        await asyncio.wait((flushed, sender), timeout=FLUSH_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        flushed.cancel()
        sender.cancel()
        await asyncio.gather(flushed, sender, return_exceptions=True)

    @callback
    def _hear(self, told: Told) -> None:
        match told:
            case Watch():
                self._watch(told)
            case Connect():
                self._connect(told)
            case ClearCache():
                self._clear_cache(told)
            case Subscribe() | Write() | Disconnect():
                # One of a connection that ended meanwhile: the gateway hears of its end.
                if (connection := self.connections.get(told.id)) is None:
                    return
                if isinstance(told, Disconnect):
                    connection.end(ASKED)
                else:
                    connection.put(told, late_seconds=self._pulse.late_seconds)

    @callback
    def _watch(self, told: Watch) -> None:
        self.hearing.want(told.names)
        self._follow_scanners()
        self._tell_scanners()
        if self.hearing.unheard:
            self._search()
        for connection in self.connections.values():
            if not self.hearing.may_connect(connection.address):
                connection.end(STOPPED, "It is not lent any more")

    @callback
    def _connect(self, told: Connect) -> None:
        if told.id in self.connections:
            # The gateway gives ids; one that it gives twice would hide a connection.
            return
        if not self.hearing.may_connect(told.address):
            self.say(Disconnected(id=told.id, code=NOT_LENT, detail="Nobody switched it on for this mower"))
            return
        former = [each for each in self.connections.values() if each.address == told.address]
        for each in former:
            each.end(ASKED, "Another connection takes its place")
        connection = Connection(
            self._hass, told, clear_cache=told.address in self._clear_next, after=former, say=self.say
        )
        self._clear_next.discard(told.address)
        self.connections[told.id] = connection
        connection.task.add_done_callback(lambda _task: self._over(told.id))
        self._pulse.start()

    @callback
    def _over(self, connection_id: str) -> None:
        del self.connections[connection_id]
        if not self.connections:
            self._pulse.stop()

    @callback
    def _clear_cache(self, told: ClearCache) -> None:
        connected = [each for each in self.connections.values() if each.address == told.address and each.connected]
        for connection in connected:
            connection.put(told, late_seconds=0.0)
        if not connected:
            self._clear_next.add(told.address)

    @callback
    def _follow_scanners(self) -> None:
        """Hear of changes of the scanners while a mower is wanted."""
        if self.hearing.names and self._end_following is None:
            self._end_following = watch_scanners(self._scanners_changed)
        elif not self.hearing.names and self._end_following is not None:
            self._end_following()
            self._end_following = None

    @callback
    def _scanners_changed(self) -> None:
        # They say so in the middle of the change, and several times of one.
        if not self._look_soon:
            self._look_soon = True
            self._hass.loop.call_soon(self._look)

    @callback
    def _look(self) -> None:
        self._look_soon = False
        if self._end_following is None:
            return
        known = {scanner.source for scanner in self.scanners}
        self._tell_scanners()
        if self.hearing.unheard and {scanner.source for scanner in self.scanners} - known:
            self._search()

    @callback
    def _tell_scanners(self, *, first: bool = False) -> None:
        scanners = scanners_now(self._hass)
        if first or scanners != self.scanners:
            self.scanners = scanners
            self.say(LendingHello(instance_id=self._instance_id, scanners=scanners))

    @callback
    def _search(self) -> None:
        """Have the scanners ask for names once: those that only listen may never hear one."""
        if self._sweep is None or self._sweep.done():
            self._sweep = self._hass.async_create_background_task(
                bluetooth.async_request_active_scan(self._hass), "mowdeck bluetooth search"
            )
