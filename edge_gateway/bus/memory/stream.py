"""A stream that is kept in memory: newest per subject, age, size, duplicates dropped by id."""

from collections.abc import Callable, Iterator
from datetime import datetime

import msgspec

from edge_gateway.bus.limits import DUPLICATE_WINDOW
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.subjects import Stream


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """One event in a stream."""

    sequence: int
    subject: str
    id: str
    data: bytes
    at: datetime


class MemoryStream:
    """Keeps the events of a stream within its limits and tells its consumers of new ones."""

    def __init__(self, definition: Stream, clock: Clock) -> None:
        """Start empty."""
        self.definition = definition
        self._clock = clock
        self._events: dict[int, Stored] = {}
        self._newest: dict[str, int] = {}
        self._ids: dict[str, datetime] = {}
        self._bytes = 0
        self.last_sequence = 0
        self.listeners: list[Callable[[Stored], None]] = []

    def publish(self, subject: str, event_id: str, data: bytes) -> None:
        """Keep an event unless its id was published a moment ago."""
        now = self._clock.now()
        window = min(DUPLICATE_WINDOW, self.definition.max_age or DUPLICATE_WINDOW)
        seen = self._ids.get(event_id)
        if seen is not None and now - seen < window:
            return
        self._forget_ids(now - window)
        self._ids[event_id] = now
        self.last_sequence += 1
        stored = Stored(sequence=self.last_sequence, subject=subject, id=event_id, data=data, at=now)
        if self.definition.last_per_subject and subject in self._newest:
            self._remove(self._newest[subject])
        self._events[stored.sequence] = stored
        self._newest[subject] = stored.sequence
        self._bytes += len(data)
        self._expire()
        while self._bytes > self.definition.max_bytes:
            self._remove(next(iter(self._events)))
        for listener in tuple(self.listeners):
            listener(stored)

    def get(self, sequence: int) -> Stored | None:
        """Return an event while the stream keeps it."""
        self._expire()
        return self._events.get(sequence)

    def last(self, subject: str) -> Stored | None:
        """Return the newest event of a subject."""
        self._expire()
        sequence = self._newest.get(subject)
        return None if sequence is None else self._events.get(sequence)

    def events(self) -> Iterator[Stored]:
        """Return all that is kept, oldest first."""
        self._expire()
        return iter(tuple(self._events.values()))

    def _expire(self) -> None:
        if self.definition.max_age is None:
            return
        oldest = self._clock.now() - self.definition.max_age
        while self._events and (first := next(iter(self._events.values()))).at <= oldest:
            self._remove(first.sequence)

    def _remove(self, sequence: int) -> None:
        removed = self._events.pop(sequence)
        self._bytes -= len(removed.data)
        if self._newest.get(removed.subject) == sequence:
            del self._newest[removed.subject]

    def _forget_ids(self, before: datetime) -> None:
        while self._ids and next(iter(self._ids.values())) <= before:
            del self._ids[next(iter(self._ids))]
