"""The loop that every subscription runs: pull, process, settle; stops by draining, survives the server's absence."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence

import msgspec
import structlog

from edge_gateway.bus import metrics
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.settlement import DROPPED_UNREADABLE
from edge_gateway.bus.source import Received, Source
from edge_gateway.bus.waiting import wait_at_most
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import UnavailableError

_log = structlog.get_logger(__name__)


class Outcome(msgspec.Struct, frozen=True):
    """How the processing of a batch went."""

    settled: bool
    """Some message is done for good."""
    given_back: bool
    """Some message comes again: the worker sits out a back-off."""


class Worker(ABC):
    """Pulls messages of one consumer and processes them, batch by batch, never two batches at once."""

    def __init__(self, source: Source, *, consumer: str, limits: BusLimits) -> None:
        """Prepare the worker of a consumer; `consumer` is its name in logs and metrics."""
        self._source = source
        self._consumer = consumer
        self._limits = limits
        self._held: list[Received] = []
        self._unsettled: dict[int, Received] = {}
        self._reported_at = time.monotonic()
        self._overdue = False
        """The server may have lost patience with something in hand: this process stood still for too long."""
        self._stopping = asyncio.Event()
        self._pulling: asyncio.Task[Sequence[Received]] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Take the consumer over and begin; raises `UnavailableError` when the server cannot be reached."""
        await self._source.take_over()
        self._tasks = [
            asyncio.create_task(self._run(), name=f"bus worker {self._consumer}"),
            asyncio.create_task(self._report_working(), name=f"bus heartbeat {self._consumer}"),
        ]

    async def unsubscribe(self) -> None:
        """Stop deliveries, handle and settle what was received within the drain time-out; the rest is redelivered."""
        self._stopping.set()
        if self._pulling is not None:
            self._pulling.cancel()
        if not self._tasks:
            return
        run, heartbeat = self._tasks
        _, unfinished = await asyncio.wait({run}, timeout=self._limits.drain_seconds)
        if unfinished:
            _log.warning("handler not done within the drain time-out", consumer=self._consumer)
            run.cancel()
        heartbeat.cancel()
        ended, _ = await asyncio.gather(run, heartbeat, return_exceptions=True)
        if isinstance(ended, Exception):
            _log.warning(
                "not all that was received is settled, it comes again", consumer=self._consumer, exc_info=ended
            )
        self._tasks = []
        await self._source.close()

    @abstractmethod
    async def _gather(self) -> Sequence[Received]:
        """Return the next messages to process, in order; empty when there are none yet."""

    @abstractmethod
    async def _process(self, batch: Sequence[Received]) -> Outcome:
        """Handle the messages and settle each."""

    async def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            try:
                outcome = await self._step()
            except UnavailableError as error:
                _log.info("bus unavailable, trying again", consumer=self._consumer, code=error.code)
                outcome = Outcome(settled=False, given_back=True)
            except Exception:  # noqa: BLE001  # whatever fails here must not end the loop; it is logged
                # A fault of ours must not silence the subscription: forget what is in hand and begin again.
                _log.exception("worker failed, beginning again", consumer=self._consumer)
                outcome = Outcome(settled=False, given_back=True)
                self._forget()
            failures = failures + 1 if outcome.given_back else 0
            if failures:
                await wait_at_most(self._stopping, self._limits.back_off_seconds(failures, progress=outcome.settled))
        await self._drain()

    async def _step(self) -> Outcome:
        if self._source.stale:
            self._forget()
            await self._source.take_over()
            metrics.TAKE_OVERS.labels(self._consumer).inc()
        batch = await self._gather()
        if not batch or self._source.stale:
            return Outcome(settled=False, given_back=False)
        metrics.LAG.labels(self._consumer).set(batch[-1].pending)
        return await self._processed(batch)

    async def _processed(self, batch: Sequence[Received]) -> Outcome:
        outcome = await self._process(batch)
        self._note_report()
        if outcome.given_back:
            await self._source.settled(overdue=self._overdue)
        self._overdue = False
        return outcome

    async def _drain(self) -> None:
        self._received(await self._source.stop(), keep=True)
        while self._held:
            batch = await self._gather()
            if batch:
                await self._process(batch)
        # Whoever takes the consumer over next must not get again what is done.
        await self._source.settled()

    async def _pull(self, limit: int, *, wait_seconds: float, until_full: bool = False) -> Sequence[Received]:
        """Pull and remember as unsettled; empty when the worker is told to stop meanwhile."""
        if self._stopping.is_set():
            return ()
        self._pulling = asyncio.create_task(
            self._source.pull(limit, wait_seconds=wait_seconds, until_full=until_full), name="bus pull"
        )
        try:
            await asyncio.wait({self._pulling})
            if self._pulling.cancelled():
                return ()
            return self._received(self._pulling.result())
        finally:
            self._pulling.cancel()
            self._pulling = None

    def _received(self, messages: Sequence[Received], *, keep: bool = False) -> Sequence[Received]:
        if not self._unsettled:
            self._reported_at = time.monotonic()
        self._unsettled.update((message.sequence, message) for message in messages)
        if keep:
            self._held.extend(messages)
        return messages

    def _forget(self) -> None:
        """Forget what is in hand: the server delivers it again."""
        self._held.clear()
        self._unsettled.clear()

    async def _report_working(self) -> None:
        """Keep what is in hand from being redelivered while handlers run and back-offs are sat out."""
        while True:
            await asyncio.sleep(self._limits.acknowledge_wait_seconds / 3)
            self._note_report()
            try:
                for message in tuple(self._unsettled.values()):
                    await self._source.working(message)
            except UnavailableError as error:
                _log.info("could not report work in progress", consumer=self._consumer, code=error.code)

    def _note_report(self) -> None:
        """Note that the server hears of what is in hand; too late, and it has begun to deliver it again."""
        now = time.monotonic()
        if now - self._reported_at >= self._limits.acknowledge_wait_seconds:
            self._overdue = True
        self._reported_at = now

    async def _raises(self, handling: Awaitable[None], event_id: str) -> bool:
        """Run a handler; tell whether it raised, which is logged and counted."""
        try:
            await handling
        except Exception:  # noqa: BLE001  # the contract: whatever a handler raises is a refusal of this event
            _log.exception("handler raised", consumer=self._consumer, event_id=event_id)
            metrics.HANDLER_ERRORS.labels(self._consumer).inc()
            return True
        return False

    async def _acknowledge(self, message: Received) -> None:
        self._unsettled.pop(message.sequence, None)
        await self._source.acknowledge(message)

    async def _redeliver(self, message: Received) -> None:
        self._unsettled.pop(message.sequence, None)
        metrics.REDELIVERIES.labels(self._consumer).inc()
        await self._source.redeliver(message)

    async def _drop(self, message: Received, reason: str) -> None:
        self._unsettled.pop(message.sequence, None)
        _log.warning("message dropped", consumer=self._consumer, subject=message.subject, reason=reason)
        metrics.DROPS.labels(self._consumer, reason).inc()
        await self._source.drop(message)

    async def _read(self, message: Received) -> Envelope | None:
        """Return the event; a message that is none is dropped, and null returned."""
        try:
            envelope = msgspec.json.decode(message.data, type=Envelope)
        except msgspec.DecodeError:
            await self._drop(message, DROPPED_UNREADABLE)
            return None
        metrics.DELIVERIES.labels(self._consumer).inc()
        return envelope
