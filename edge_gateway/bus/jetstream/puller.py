"""Pulls from one consumer: an inbox of its own, one outstanding request, its own deadline.

nats-py's `fetch` does not linger, costs a task per message and cannot tell that a delivery was lost.
Two kinds of request are used. `no_wait` with an expiry is answered as soon as something is there, with all that is
there, and then ended by a status; without an expiry, at once. Without `no_wait` the server waits for the whole batch.
"""

import asyncio
import time
from collections import deque
from collections.abc import Sequence

import msgspec
import structlog
from nats.aio.msg import Msg

from edge_gateway.bus.jetstream.connection import Connection, Standing
from edge_gateway.bus.jetstream.delivery import is_delivery, read_delivery
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.questions import bus_unavailable
from edge_gateway.bus.source import Received

_log = structlog.get_logger(__name__)

_NANOSECONDS = 1_000_000_000
_ENDED_NORMALLY = frozenset({"404", "408"})
"""Nothing (more) there; time over."""
_HEARTBEAT = "100"


class _Request(msgspec.Struct, omit_defaults=True):
    """A pull as the server wants it."""

    batch: int
    expires: int = 0
    """Nanoseconds."""
    no_wait: bool = False


class Puller:
    """The receiving end of a consumer, from one `open` to the next."""

    def __init__(self, connection: Connection, stream: str, *, limits: BusLimits, gapless: bool) -> None:
        """Prepare; `gapless` when nobody else pulls from the consumer, so that a gap means a lost delivery."""
        self._connection = connection
        self._stream = stream
        self._limits = limits
        self._gapless = gapless
        self._subject = ""
        self._inbox: Standing | None = None
        self._inbox_subject = ""
        self._generation = -1
        self._broken = False
        self._stopped = False
        self._next_consumer_sequence = 1
        self._redelivered_up_to = 0
        self._buffer: deque[Received] = deque()
        self._requests = 0
        self._missing = 0
        self._status: tuple[str, str] | None = None
        self._event = asyncio.Event()
        connection.listeners.append(self._event.set)

    @property
    def stale(self) -> bool:
        """Whether a delivery was or may have been lost since `open`."""
        return self._broken or self._generation != self._connection.generation

    def break_off(self) -> None:
        """Be stale: what was sent or received last is not certain."""
        self._broken = True

    async def shut(self) -> None:
        """End the inbox: whatever is on its way to it is lost, and nothing more is delivered to it."""
        inbox, self._inbox = self._inbox, None
        if inbox is not None:
            await self._connection.remove(inbox)
        self._buffer.clear()

    async def open(self, consumer: str, *, generation: int, redelivered_up_to: int = 0) -> None:
        """Begin with a consumer that was just made or reset.

        `generation` is the connection's from before that; messages up to the stream sequence `redelivered_up_to` were
        delivered before.
        """
        self._subject = f"$JS.API.CONSUMER.MSG.NEXT.{self._stream}.{consumer}"
        self._next_consumer_sequence = 1
        self._redelivered_up_to = redelivered_up_to
        self._broken = False
        client = await self._connection.client(seconds=self._limits.publish_seconds)
        self._inbox_subject = client.new_inbox()
        self._inbox = await self._connection.add(
            f"{self._inbox_subject}.*", self._arrived, seconds=self._limits.publish_seconds
        )
        self._generation = generation

    async def pull(self, limit: int, *, wait_seconds: float, until_full: bool) -> Sequence[Received]:
        """See `Source.pull`."""
        if len(self._buffer) < (limit if until_full else 1) and not self._stopped:
            await self._request(limit - len(self._buffer), wait_seconds=wait_seconds, until_full=until_full)
        if self.stale:
            self._buffer.clear()
        return [self._buffer.popleft() for _ in range(min(limit, len(self._buffer)))]

    async def stop(self) -> Sequence[Received]:
        """End the inbox; return what had arrived or was on its way."""
        self._stopped = True
        self._event.set()
        inbox, self._inbox = self._inbox, None
        if inbox is not None:
            await self._connection.remove(inbox, drain_seconds=self._limits.drain_seconds)
        if self._event.set in self._connection.listeners:
            self._connection.listeners.remove(self._event.set)
        received = () if self.stale else tuple(self._buffer)
        self._buffer.clear()
        return received

    async def _request(self, count: int, *, wait_seconds: float, until_full: bool) -> None:
        """Ask for `count` messages and return when the request has ended."""
        # One message is the whole batch: the plain request then ends with it, too.
        no_wait = wait_seconds == 0 or not (until_full or count == 1)
        request = _Request(batch=count, expires=int(wait_seconds * _NANOSECONDS), no_wait=no_wait)
        self._requests += 1
        self._missing = count
        self._status = None
        client = await self._connection.client(seconds=self._limits.publish_seconds)
        with unavailable_when("a pull cannot be sent"):
            await client.publish(
                self._subject, msgspec.json.encode(request), reply=f"{self._inbox_subject}.{self._requests}"
            )
        deadline = time.monotonic() + wait_seconds + self._limits.publish_seconds
        while self._waits():
            self._event.clear()
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    await self._event.wait()
            except TimeoutError as error:
                self._broken = True
                what = f"a pull from {self._stream} was not answered"
                raise bus_unavailable(what) from error
        self._check_status()

    def _waits(self) -> bool:
        return self._missing > 0 and self._status is None and not self.stale and not self._stopped

    def _check_status(self) -> None:
        if self._status is not None and self._status[0] not in _ENDED_NORMALLY:
            self._broken = True
            what = f"a pull from {self._stream} was refused ({' '.join(self._status)})"
            raise bus_unavailable(what)

    async def _arrived(self, message: Msg) -> None:
        if is_delivery(message.reply):
            self._delivered(message)
        elif message.subject == f"{self._inbox_subject}.{self._requests}":
            headers = message.headers or {}
            status = headers.get("Status", "")
            if status != _HEARTBEAT:
                self._status = (status, headers.get("Description", ""))
                self._event.set()

    def _delivered(self, message: Msg) -> None:
        delivered = read_delivery(message.reply)
        if self._gapless and delivered.consumer_sequence != self._next_consumer_sequence:
            _log.warning(
                "delivery lost on the way",
                stream=self._stream,
                expected=self._next_consumer_sequence,
                received=delivered.consumer_sequence,
            )
            self._broken = True
        self._next_consumer_sequence = delivered.consumer_sequence + 1
        self._buffer.append(
            Received(
                subject=message.subject,
                data=message.data,
                sequence=delivered.sequence,
                redelivered=delivered.deliveries > 1 or delivered.sequence <= self._redelivered_up_to,
                pending=delivered.pending,
                token=message.reply,
            )
        )
        self._missing -= 1
        if self._missing <= 0 or self._broken:
            self._event.set()
