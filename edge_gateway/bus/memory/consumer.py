"""A consumer of a memory stream: what was delivered, what is pending, what comes again first."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence

import msgspec

from edge_gateway.bus.memory.stream import MemoryStream, Stored
from edge_gateway.bus.routing import matches, starts_with_last
from edge_gateway.bus.source import Received


class MemoryConsumer:
    """The state that outlives its readers: a durable's place in a stream."""

    def __init__(self, stream: MemoryStream, pattern: str, *, acknowledge_wait_seconds: float) -> None:
        """Start with the last event per subject (DEVICE) or with new events."""
        self._stream = stream
        self.pattern = pattern
        self._acknowledge_wait_seconds = acknowledge_wait_seconds
        self._queued: deque[int] = deque()
        self._again: deque[int] = deque()
        self._deadlines: dict[int, float] = {}
        self._delivered: set[int] = set()
        self.arrived = asyncio.Event()
        if starts_with_last(stream.definition):
            self._queued.extend(event.sequence for event in stream.events() if matches(pattern, event.subject))
        stream.listeners.append(self._published)

    def close(self) -> None:
        """Stop listening to the stream."""
        self._stream.listeners.remove(self._published)

    def take(self, limit: int) -> list[Received]:
        """Deliver up to `limit` messages, those that come again first."""
        self._redeliver_overdue()
        taken: list[Received] = []
        while len(taken) < limit and (queue := self._again or self._queued):
            stored = self._stream.get(queue.popleft())
            if stored is not None:
                taken.append(self._deliver(stored))
        pending = self.waiting
        return [msgspec.structs.replace(message, pending=pending) for message in taken]

    @property
    def waiting(self) -> int:
        """How many messages could be delivered now."""
        self._redeliver_overdue()
        return len(self._again) + len(self._queued)

    @property
    def overdue_in_seconds(self) -> float | None:
        """How long until something unsettled comes again; null when nothing is out."""
        return max(0.0, min(self._deadlines.values()) - time.monotonic()) if self._deadlines else None

    def settle(self, sequence: int) -> None:
        """Forget a message: done."""
        self._deadlines.pop(sequence, None)
        self._delivered.discard(sequence)
        if sequence in self._again:
            self._again.remove(sequence)

    def give_back(self, sequence: int) -> None:
        """Deliver a message again, after those given back before and before anything newer."""
        if self._deadlines.pop(sequence, None) is not None:
            self._again.append(sequence)
            self.arrived.set()

    def extend(self, sequence: int) -> None:
        """Wait anew for a message to be settled."""
        if sequence in self._deadlines:
            self._deadlines[sequence] = time.monotonic() + self._acknowledge_wait_seconds

    def reset(self) -> None:
        """Deliver again, in order, everything that is not settled."""
        self._again = deque(sorted({*self._again, *self._deadlines}))
        self._deadlines.clear()
        self.arrived.set()

    def _published(self, stored: Stored) -> None:
        if matches(self.pattern, stored.subject):
            self._queued.append(stored.sequence)
            self.arrived.set()

    def _deliver(self, stored: Stored) -> Received:
        self._deadlines[stored.sequence] = time.monotonic() + self._acknowledge_wait_seconds
        redelivered = stored.sequence in self._delivered
        self._delivered.add(stored.sequence)
        return Received(
            subject=stored.subject, data=stored.data, sequence=stored.sequence, redelivered=redelivered, pending=0
        )

    def _redeliver_overdue(self) -> None:
        now = time.monotonic()
        overdue = sorted(sequence for sequence, deadline in self._deadlines.items() if deadline <= now)
        for sequence in overdue:
            self.give_back(sequence)


class MemorySource:
    """One worker's view of a consumer (`Source`)."""

    def __init__(self, consumer: MemoryConsumer, *, own: bool, shared: bool, acknowledge: bool) -> None:
        """`own` consumers end with their worker; without `acknowledge` everything delivered is settled."""
        self._consumer = consumer
        self._own = own
        self._shared = shared
        self._acknowledge = acknowledge

    @property
    def stale(self) -> bool:
        """Never: nothing is lost on the way."""
        return False

    async def take_over(self) -> None:
        """See `Source`."""
        if not self._shared:
            self._consumer.reset()

    async def pull(self, limit: int, *, wait_seconds: float, until_full: bool = False) -> Sequence[Received]:
        """See `Source`."""
        enough = limit if until_full else 1
        deadline = time.monotonic() + wait_seconds
        while self._consumer.waiting < enough and (left := deadline - time.monotonic()) > 0:
            self._consumer.arrived.clear()
            overdue = self._consumer.overdue_in_seconds
            await _wait(self._consumer.arrived, left if overdue is None else min(left, overdue + 0.001))
        taken = self._consumer.take(limit)
        if not self._acknowledge:
            for message in taken:
                self._consumer.settle(message.sequence)
        if not taken:
            # A pull without a wait gives others their turn, as a real server's answer does.
            await asyncio.sleep(0)
        return taken

    async def acknowledge(self, message: Received) -> None:
        """See `Source`."""
        self._consumer.settle(message.sequence)

    async def acknowledge_and_wait(self, message: Received) -> None:
        """See `Source`."""
        self._consumer.settle(message.sequence)

    async def redeliver(self, message: Received) -> None:
        """See `Source`."""
        self._consumer.give_back(message.sequence)

    async def drop(self, message: Received) -> None:
        """See `Source`."""
        self._consumer.settle(message.sequence)

    async def settled(self, *, overdue: bool = False) -> None:
        """See `Source`: at once."""
        if overdue:
            await self.take_over()

    async def working(self, message: Received) -> None:
        """See `Source`."""
        self._consumer.extend(message.sequence)

    async def stop(self) -> Sequence[Received]:
        """See `Source`: nothing is ever on its way."""
        return ()

    async def close(self) -> None:
        """See `Source`."""
        if self._own:
            self._consumer.close()


async def _wait(event: asyncio.Event, seconds: float) -> None:
    """Return when the event is set or the time is over."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
