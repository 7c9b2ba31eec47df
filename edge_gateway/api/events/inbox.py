"""What waits to be told to readers: events in the order of their arrival, each once."""

import asyncio
from collections import OrderedDict

import msgspec

from edge_gateway.contracts.envelope import Envelope

_REMEMBERED = 8192
"""So many event ids are remembered: a resend past the stream's own window is dropped here (design, Bus)."""

_LIMIT = 20_000
"""So many events may wait; when the services that are asked for records stay silent for longer, it is a gap."""


class GatewayAlive(msgspec.Struct, frozen=True):
    """The device gateway fell silent, or came back."""


class Gap(msgspec.Struct, frozen=True):
    """Events may have been missed."""

    reason: str


class Owed(msgspec.Struct, frozen=True):
    """An event whose record could not be read when it came."""

    envelope: Envelope


type Item = Envelope | GatewayAlive | Gap | Owed


class Inbox:
    """A queue that never makes its writer wait."""

    def __init__(self, *, limit: int = _LIMIT) -> None:
        """Start empty; more than `limit` waiting items are a gap."""
        self._limit = limit
        self._queue: asyncio.Queue[Item] = asyncio.Queue()
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._overflowed = False

    async def take(self, envelope: Envelope) -> None:
        """Take an event from the bus, unless it was taken before."""
        if envelope.id in self._seen:
            return
        self._seen[envelope.id] = None
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        if self._queue.qsize() >= self._limit:
            self._overflowed = True
            return
        self._queue.put_nowait(envelope)

    def put(self, item: Item) -> None:
        """Let something else take its turn."""
        self._queue.put_nowait(item)

    async def next(self) -> Item:
        """Return the oldest item; after an overflow, once the rest is told, a gap."""
        if self._overflowed and self._queue.empty():
            self._overflowed = False
            return Gap("overflow")
        return await self._queue.get()
