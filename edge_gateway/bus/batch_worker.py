"""Batches: linger, prefetch while the handler runs, one verdict per message (design, Bus)."""

import asyncio
import time
from collections.abc import Sequence
from typing import override

import structlog

from edge_gateway.bus import metrics
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.protocol import BatchHandler, Delivery, Verdict
from edge_gateway.bus.settlement import Settlement, settle, settle_raised
from edge_gateway.bus.source import Received, Source
from edge_gateway.bus.worker import Outcome, Worker

_log = structlog.get_logger(__name__)


class BatchWorker(Worker):
    """Hands batches to a handler and settles each message by its verdict, after the handler returned."""

    def __init__(
        self,
        source: Source,
        handler: BatchHandler,
        *,
        consumer: str,
        limits: BusLimits,
        max_batch: int,
        max_wait_seconds: float,
    ) -> None:
        """Prepare the worker; `max_wait_seconds` 0 takes only what is queued."""
        super().__init__(source, consumer=consumer, limits=limits)
        self._handler = handler
        self._max_batch = max_batch
        self._max_wait_seconds = max_wait_seconds
        self._refused_since: dict[int, float] = {}

    @override
    async def _gather(self) -> Sequence[Received]:
        if not self._held:
            self._held.extend(await self._pull(self._max_batch, wait_seconds=self._limits.idle_wait_seconds))
        missing = self._max_batch - len(self._held)
        if self._held and missing > 0:
            self._held.extend(await self._pull(missing, wait_seconds=self._max_wait_seconds, until_full=True))
        batch, self._held = self._held[: self._max_batch], self._held[self._max_batch :]
        return batch

    @override
    async def _process(self, batch: Sequence[Received]) -> Outcome:
        readable: list[Received] = []
        deliveries: list[Delivery] = []
        for message in batch:
            envelope = await self._read(message)
            if envelope is not None:
                readable.append(message)
                deliveries.append(Delivery(subject=message.subject, envelope=envelope, redelivered=message.redelivered))
        if not readable:
            return Outcome(settled=True, given_back=False)
        metrics.BATCH_SIZE.labels(self._consumer).observe(len(readable))
        prefetch = asyncio.create_task(self._pull(self._max_batch, wait_seconds=0), name="bus prefetch")
        try:
            verdicts = await self._handle(deliveries)
        except asyncio.CancelledError:
            prefetch.cancel()
            raise
        # No pull is outstanding while messages are given back, so nothing newer can come before them.
        await asyncio.wait({prefetch})
        following = [*self._held, *(() if prefetch.exception() else prefetch.result())]
        if verdicts is None:
            settlement = settle_raised(readable, following, refused_since=self._refused_since)
        else:
            settlement = settle(
                readable,
                verdicts,
                following,
                refused_since=self._refused_since,
                now=time.monotonic(),
                redeliver_for_seconds=self._limits.redeliver_for_seconds,
            )
        self._refused_since = settlement.refused_since
        self._held = list(settlement.kept)
        await self._carry_out(settlement)
        return Outcome(
            settled=bool(settlement.acknowledged or settlement.dropped), given_back=bool(settlement.redelivered)
        )

    async def _handle(self, deliveries: Sequence[Delivery]) -> Sequence[Verdict] | None:
        """Return the handler's verdicts; null when it raised or did not answer one per message."""
        try:
            verdicts = await self._handler(deliveries)
        except Exception:  # noqa: BLE001  # the contract: whatever a handler raises redelivers the batch
            _log.exception("batch handler raised", consumer=self._consumer, messages=len(deliveries))
            metrics.HANDLER_ERRORS.labels(self._consumer).inc()
            return None
        if len(verdicts) != len(deliveries):
            _log.error(
                "batch handler did not answer one verdict per message",
                consumer=self._consumer,
                messages=len(deliveries),
                verdicts=len(verdicts),
            )
            metrics.HANDLER_ERRORS.labels(self._consumer).inc()
            return None
        return verdicts

    async def _carry_out(self, settlement: Settlement) -> None:
        for message in settlement.acknowledged:
            await self._acknowledge(message)
        for message, reason in settlement.dropped:
            await self._drop(message, reason)
        for message in settlement.redelivered:
            await self._redeliver(message)
