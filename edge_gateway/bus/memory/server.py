"""What several memory buses share, as clients of one server would: streams, durables, responders, leases."""

import time
from collections.abc import Awaitable, Callable

from edge_gateway.bus.memory.consumer import MemoryConsumer
from edge_gateway.bus.memory.leases import MemoryLeases
from edge_gateway.bus.memory.stream import MemoryStream
from edge_gateway.bus.questions import Answer
from edge_gateway.bus.routing import stream_of
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.subjects import STREAMS

type Responder = Callable[[bytes], Awaitable[Answer]]
"""Answers an encoded question."""


class MemoryServer:
    """The state that outlives a bus."""

    def __init__(self, clock: Clock, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Start empty; the clock ages events, `monotonic` leases."""
        self._streams = {stream.name: MemoryStream(stream, clock) for stream in STREAMS}
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
