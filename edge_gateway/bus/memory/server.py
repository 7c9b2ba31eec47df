"""What several memory buses share, as clients of one server would: streams, durables, responders, leases."""

import time
import zlib
from collections.abc import Awaitable, Callable

from edge_gateway.bus.memory.consumer import MemoryConsumer
from edge_gateway.bus.memory.leases import MemoryLeases
from edge_gateway.bus.memory.stream import MemoryStream, Stored
from edge_gateway.bus.questions import Answer, partitions_in_use
from edge_gateway.bus.routing import stream_of
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.subjects import STREAMS, TELEMETRY, TELEMETRY_PARTITIONS

type Responder = Callable[[bytes], Awaitable[Answer]]
"""Answers an encoded question."""


class MemoryServer:
    """The state that outlives a bus."""

    def __init__(self, clock: Clock, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Start empty; the clock ages events, `monotonic` leases."""
        self._streams = {stream.name: MemoryStream(stream, clock) for stream in (*STREAMS, TELEMETRY_PARTITIONS)}
        self._partitions = 1
        self._streams[TELEMETRY.name].listeners.append(self._divide)
        self._durables: dict[tuple[str, str], MemoryConsumer] = {}
        self._responders: dict[str, list[Responder]] = {}
        self.leases = MemoryLeases(monotonic)

    def stream(self, pattern: str) -> MemoryStream:
        """Return the stream of a subject; raises `ValueError` when there is none."""
        return self._streams[stream_of(pattern).name]

    def consumer(self, pattern: str, durable: str | None, *, acknowledge_wait_seconds: float) -> MemoryConsumer:
        """Return the durable's consumer, or a new one."""
        stream = self.stream(pattern)
        key = (stream.definition.name, durable or "")
        if durable is not None and key in self._durables:
            consumer = self._durables[key]
            consumer.pattern = pattern
            return consumer
        consumer = MemoryConsumer(stream, pattern, acknowledge_wait_seconds=acknowledge_wait_seconds)
        if durable is not None:
            self._durables[key] = consumer
        return consumer

    def divide_states(self, partitions: int, *, undivided: str) -> None:
        """See `EventBus.divide_states`."""
        if partitions == self._partitions:
            return
        key = (TELEMETRY.name, undivided)
        reading = [
            consumer
            for (stream, durable), consumer in self._durables.items()
            if stream == TELEMETRY_PARTITIONS.name or (stream, durable) == key
        ]
        if any(consumer.waiting or consumer.overdue_in_seconds is not None for consumer in reading):
            raise partitions_in_use(self._partitions, partitions)
        if (consumer := self._durables.pop(key, None)) is not None:
            consumer.close()
        self._partitions = partitions

    def _divide(self, stored: Stored) -> None:
        if self._partitions > 1:
            mower_id = stored.subject.rpartition(".")[2]
            number = zlib.crc32(mower_id.encode()) % self._partitions
            subject = f"telemetry.partition.{number}.{mower_id}"
            self._streams[TELEMETRY_PARTITIONS.name].publish(subject, stored.id, stored.data)

    def add_responder(self, subject: str, responder: Responder) -> None:
        """Let a responder join those of a subject."""
        self._responders.setdefault(subject, []).append(responder)

    def remove_responder(self, subject: str, responder: Responder) -> None:
        """Let a responder leave; one that has left may leave again (its service stopped, then the bus was closed)."""
        responders = self._responders[subject]
        if responder in responders:
            responders.remove(responder)

    def responder(self, subject: str) -> Responder | None:
        """Return whose turn it is to answer; null when nobody serves the subject."""
        responders = self._responders.get(subject)
        if not responders:
            return None
        responders.append(responders.pop(0))
        return responders[-1]
