"""Events of one mower on their way to the bus: in order, bounded, and never in the way of the driver."""

import asyncio
from collections import deque
from enum import StrEnum

import msgspec
import structlog

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.device_gateway import metrics

_log = structlog.get_logger(__name__)

_FIRST_BACK_OFF_SECONDS = 0.2
_LONGEST_BACK_OFF_SECONDS = 5.0


class EventKind(StrEnum):
    """What an event is to the queue."""

    STATE = "state"
    """The oldest are lost when too many wait."""
    NEWEST = "newest"
    """Map and availability: only the newest of a subject counts, an older one that waits is replaced."""
    OUTCOME = "outcome"
    """Never lost while the gateway runs; orders are few, and none come while the bus is away."""


class _Pending(msgspec.Struct, frozen=True):
    subject: str
    envelope: Envelope
    kind: EventKind


class Publisher:
    """Publishes one mower's events one after the other and waits for a bus that is away."""

    def __init__(self, bus: EventBus, *, mower_id: str, maximum_states: int) -> None:
        """Prepare an empty queue."""
        self._bus = bus
        self._log = _log.bind(mower=mower_id)
        self._maximum_states = maximum_states
        self._pending: deque[_Pending] = deque()
        self._states = 0
        self._lost_in_outage = 0
        self._filled = asyncio.Event()
        self._allowed = asyncio.Event()
        self._allowed.set()
        self._emptied = asyncio.Event()
        self._emptied.set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to publish."""
        self._task = asyncio.create_task(self._run(), name="device gateway publisher")

    def pause(self) -> None:
        """Publish nothing for now: somebody else may be the one who speaks for this mower."""
        self._allowed.clear()

    def go_on(self) -> None:
        """Publish again, what waited first."""
        self._allowed.set()

    def put(self, subject: str, envelope: Envelope, kind: EventKind) -> None:
        """Queue an event; returns at once."""
        if kind is EventKind.NEWEST:
            self._forget_older(subject)
        elif kind is EventKind.STATE:
            if self._states >= self._maximum_states:
                self._lose_oldest_state()
            self._states += 1
        self._pending.append(_Pending(subject, envelope, kind))
        metrics.EVENTS_PENDING.inc()
        self._emptied.clear()
        self._filled.set()

    async def stop(self, *, drain_seconds: float) -> None:
        """Publish what waits for at most so long, nothing when paused; the rest is lost, counted and logged."""
        try:
            async with asyncio.timeout(drain_seconds if self._allowed.is_set() else 0):
                await self._emptied.wait()
        except TimeoutError:
            self._log.warning("events not published before the stop", lost=len(self._pending))
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for pending in self._pending:
            metrics.EVENTS_LOST.labels(pending.kind, "stopped").inc()
            metrics.EVENTS_PENDING.dec()
        self._pending.clear()

    async def _run(self) -> None:
        failures = 0
        while True:
            await self._filled.wait()
            await self._allowed.wait()
            pending = self._pending[0]
            try:
                await self._bus.publish(pending.subject, pending.envelope)
            except UnavailableError as error:
                if not failures:
                    self._log.warning("bus away, events wait", code=error.code)
                failures += 1
                await asyncio.sleep(min(_FIRST_BACK_OFF_SECONDS * 2 ** min(failures, 10), _LONGEST_BACK_OFF_SECONDS))
                continue
            except Exception:  # noqa: BLE001  # refused for ever, it would hold up everything behind it
                self._log.exception("event refused by the bus", subject=pending.subject)
                metrics.EVENTS_LOST.labels(pending.kind, "refused").inc()
            if failures:
                self._log.info("bus back", states_lost=self._lost_in_outage)
                failures = 0
                self._lost_in_outage = 0
            self._done(pending)

    def _done(self, pending: _Pending) -> None:
        # While it was on its way it may have been pushed out by newer ones; it was published all the same.
        if self._pending and self._pending[0] is pending:
            self._pending.popleft()
            self._removed(pending)
        if not self._pending:
            self._filled.clear()
            self._emptied.set()

    def _removed(self, pending: _Pending) -> None:
        metrics.EVENTS_PENDING.dec()
        if pending.kind is EventKind.STATE:
            self._states -= 1

    def _forget_older(self, subject: str) -> None:
        older = next((pending for pending in self._pending if pending.subject == subject), None)
        if older is not None:
            self._pending.remove(older)
            self._removed(older)

    def _lose_oldest_state(self) -> None:
        oldest = next(pending for pending in self._pending if pending.kind is EventKind.STATE)
        self._pending.remove(oldest)
        self._removed(oldest)
        self._lost_in_outage += 1
        metrics.EVENTS_LOST.labels(EventKind.STATE, "full").inc()
