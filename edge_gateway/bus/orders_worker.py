"""Orders to a mower: the handler acknowledges by itself, before it acts, and never acts on the same one twice."""

from collections.abc import Sequence
from typing import override

from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.protocol import OrderHandler
from edge_gateway.bus.source import Received, Source
from edge_gateway.bus.worker import Outcome, Worker

_REMEMBERED = 1000
"""Ids of acknowledged orders that are remembered: orders live 30 seconds in their stream."""


class OrdersWorker(Worker):
    """Hands orders over one at a time; what is not acknowledged when the handler ends comes again."""

    def __init__(self, source: Source, handler: OrderHandler, *, consumer: str, limits: BusLimits) -> None:
        """Prepare the worker."""
        super().__init__(source, consumer=consumer, limits=limits)
        self._handler = handler
        self._acknowledged: dict[str, None] = {}

    @override
    async def _gather(self) -> Sequence[Received]:
        if not self._held:
            self._held.extend(await self._pull(1, wait_seconds=self._limits.idle_wait_seconds))
        batch, self._held = self._held, []
        return batch

    @override
    async def _process(self, batch: Sequence[Received]) -> Outcome:
        for position, message in enumerate(batch):
            if not await self._handle(message):
                for later in batch[position:]:
                    await self._redeliver(later)
                return Outcome(settled=position > 0, given_back=True)
        return Outcome(settled=True, given_back=False)

    async def _handle(self, message: Received) -> bool:
        """Handle one order; tell whether it was acknowledged."""
        envelope = await self._read(message)
        if envelope is None:
            return True
        order_id = envelope.id
        if order_id in self._acknowledged:
            # A server that was killed may have lost the acknowledgement; the order was acted upon all the same.
            await self._acknowledge(message)
            return True

        async def acknowledge() -> None:
            if order_id in self._acknowledged:
                return
            await self._source.acknowledge_and_wait(message)
            self._unsettled.pop(message.sequence, None)
            self._acknowledged[order_id] = None
            while len(self._acknowledged) > _REMEMBERED:
                del self._acknowledged[next(iter(self._acknowledged))]

        await self._raises(self._handler(envelope, acknowledge), order_id)
        return order_id in self._acknowledged
