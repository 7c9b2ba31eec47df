"""One Home Assistant that lends its Bluetooth, from its hello to its end."""

import time
from collections.abc import Callable, Sequence
from typing import override

import msgspec
import structlog
from bleak.exc import BleakError

from edge_gateway.contracts.bluetooth_lending import (
    Acknowledged,
    Advertisement,
    ClearCache,
    Connected,
    Disconnect,
    Disconnected,
    Hello,
    Notified,
    Said,
    Scanner,
    Watch,
)
from edge_gateway.contracts.bluetooth_relay import COLLECT_SECONDS, HANDED_AT_ONCE, CollectLentReply
from edge_gateway.device_gateway.lent_bluetooth.client import Lender, Seconds
from edge_gateway.device_gateway.lent_bluetooth.connection import LentConnection
from edge_gateway.device_gateway.lent_bluetooth.outbox import Outbox
from edge_gateway.device_gateway.lent_bluetooth.scanner import LentScanner
from edge_gateway.device_gateway.radio import Radio

_log = structlog.get_logger(__name__)

_SCANNERS_MAXIMUM = 256


class LentSession(Lender):
    """One Home Assistant."""

    def __init__(
        self, session_id: str, instance_id: str, *, radio: Radio, seconds: Seconds, changed: Callable[[], None]
    ) -> None:
        """Know no scanner yet; tell `changed` when a way to a mower may have come or gone."""
        self.id = session_id
        self.instance_id = instance_id
        self.ended: str | None = None
        self.addresses: dict[str, str] = {}
        """The Bluetooth address by the advertised name, of watched mowers."""
        self._radio = radio
        self._seconds = seconds
        self._changed = changed
        self._outbox = Outbox()
        self._names: frozenset[str] = frozenset()
        self._scanners: dict[str, LentScanner] = {}
        """By Home Assistant's own name of the scanner."""
        self._take_out: dict[str, list[Callable[[], None]]] = {}
        self._connections: dict[str, LentConnection] = {}
        self._number = 0
        self._collected_at = time.monotonic()
        self._collecting = 0

    @property
    def sources(self) -> frozenset[str]:
        """The names of its scanners in the radio."""
        return frozenset(scanner.source for scanner in self._scanners.values())

    @property
    def silent_seconds(self) -> float:
        """How long nobody has fetched its messages."""
        return 0.0 if self._collecting else time.monotonic() - self._collected_at

    def watch(self, names: frozenset[str]) -> None:
        """Have these mowers told of from now on, and no others."""
        self._names = names
        self._outbox.put(Watch(names=tuple(sorted(names))))

    def hear(self, number: int, messages: Sequence[Said]) -> None:
        """Hear what Home Assistant said; a request that is missing ends the session."""
        if number != self._number + 1:
            self.end("out_of_step")
            return
        self._number = number
        for message in messages:
            self._hear(message)
        if self._outbox.full:
            self.end("overrun")

    async def collect(self) -> CollectLentReply:
        """Wait for something to say, not for long."""
        self._collecting += 1
        try:
            if self.ended is None:
                await self._outbox.wait(seconds=COLLECT_SECONDS)
        finally:
            self._collecting -= 1
            self._collected_at = time.monotonic()
        if self.ended is not None:
            return CollectLentReply(ended=self.ended)
        return CollectLentReply(messages=self._outbox.take(HANDED_AT_ONCE))

    def end(self, reason: str) -> None:
        """Let go of everything: its connections are over, and what was not fetched is never said."""
        if self.ended is not None:
            return
        self.ended = reason
        for connection in tuple(self._connections.values()):
            connection.session_lost()
        self._connections.clear()
        for source in tuple(self._scanners):
            self._remove(source)
        self._outbox.wake()
        _log.info("home assistant lends no bluetooth any more", instance_id=self.instance_id, reason=reason)
        self._changed()

    @override
    def connection(self, address: str, source: str) -> LentConnection:
        if self.ended is not None:
            message = "Home Assistant is gone"
            raise BleakError(message)
        for known in [one for one in self._connections.values() if one.over]:
            # Home Assistant never said that it ended.
            del self._connections[known.id]
        connection = LentConnection(self._outbox, address=address, source=source)
        self._connections[connection.id] = connection
        return connection

    @override
    def clear_cache(self, address: str) -> None:
        self._outbox.put(ClearCache(address=address))

    def take_scanners(self, hello: Hello) -> None:
        """Use these scanners from now on, as far as connections can be made over them."""
        wanted = {one.source: one for one in hello.scanners[:_SCANNERS_MAXIMUM] if one.connectable}
        for source in self._scanners.keys() - wanted.keys():
            self._remove(source)
        for source, told in wanted.items():
            if source in self._scanners:
                self._scanners[source].told = told
            else:
                self._add(told)
        self._changed()

    def _hear(self, message: Said) -> None:
        match message:
            case Hello():
                self.take_scanners(message)
            case Advertisement():
                self._heard_mower(message)
            case Connected() if message.id not in self._connections:
                # It came too late for whoever wanted it.
                self._outbox.put(Disconnect(id=message.id))
            case Connected() | Acknowledged() | Notified() | Disconnected():
                self._hear_of_connection(message)

    def _hear_of_connection(self, message: Connected | Acknowledged | Notified | Disconnected) -> None:
        connection = self._connections.get(message.id)
        if connection is None:
            return
        match message:
            case Connected():
                connection.connected(message)
            case Acknowledged():
                connection.acknowledged(message)
            case Notified():
                connection.notified(message)
            case Disconnected():
                connection.disconnected(message)
        if connection.over:
            del self._connections[message.id]

    def _heard_mower(self, message: Advertisement) -> None:
        scanner = self._scanners.get(message.source)
        if scanner is None or message.name not in self._names:
            return
        address = message.address.upper()
        known = self.addresses.get(message.name) == address
        self.addresses[message.name] = address
        scanner.hear(msgspec.structs.replace(message, address=address))
        if not known:
            self._changed()

    def _add(self, told: Scanner) -> None:
        scanner = LentScanner(
            f"{self.instance_id}/{told.source}",
            told,
            self,
            seconds=self._seconds,
            can_connect=lambda: self.ended is None,
        )
        self._take_out[told.source] = [scanner.async_setup(), self._radio.register(scanner)]
        self._scanners[told.source] = scanner

    def _remove(self, source: str) -> None:
        for take_out in reversed(self._take_out.pop(source)):
            take_out()
        del self._scanners[source]
