"""Events one at a time, in order: acknowledged after the handler, or as a live view without acknowledgement."""

import time
from collections.abc import Sequence
from typing import override

from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.protocol import Handler
from edge_gateway.bus.settlement import DROPPED_BY_AGE
from edge_gateway.bus.source import Received, Source
from edge_gateway.bus.worker import Outcome, Worker

_PULL = 64
"""Events pulled at once by a worker that shares its consumer with nobody."""


class SingleWorker(Worker):
    """Acknowledges each event after its handler; one whose handler raises comes again, before its subject's next."""

    def __init__(
        self, source: Source, handler: Handler, *, consumer: str, limits: BusLimits, exclusive: bool = True
    ) -> None:
        """Prepare the worker; a replica that shares the work (`exclusive=False`) takes one event at a time."""
        super().__init__(source, consumer=consumer, limits=limits)
        self._pull_limit = _PULL if exclusive else 1
        self._handler = handler
        self._refused_since: dict[int, float] = {}

    @override
    async def _gather(self) -> Sequence[Received]:
        if not self._held:
            self._held.extend(await self._pull(self._pull_limit, wait_seconds=self._limits.idle_wait_seconds))
        batch, self._held = self._held, []
        return batch

    @override
    async def _process(self, batch: Sequence[Received]) -> Outcome:
        held_back: set[str] = set()
        settled = False
        for message in batch:
            if message.subject in held_back:
                await self._redeliver(message)
            elif await self._handle(message):
                settled = True
            else:
                held_back.add(message.subject)
                await self._redeliver(message)
        return Outcome(settled=settled, given_back=bool(held_back))

    async def _handle(self, message: Received) -> bool:
        """Handle and settle one event; false when it is to come again."""
        envelope = await self._read(message)
        if envelope is None:
            return True
        if await self._raises(self._handler(envelope), envelope.id):
            return await self._dropped_by_age(message)
        self._refused_since.pop(message.sequence, None)
        await self._acknowledge(message)
        return True

    async def _dropped_by_age(self, message: Received) -> bool:
        now = time.monotonic()
        limit = self._limits.redeliver_for_seconds
        self._refused_since = {key: since for key, since in self._refused_since.items() if now - since < 2 * limit}
        if now - self._refused_since.setdefault(message.sequence, now) < limit:
            return False
        del self._refused_since[message.sequence]
        await self._drop(message, DROPPED_BY_AGE)
        return True


class LiveWorker(Worker):
    """Hands each event to a handler once; one that raises is logged and counted, and the next one follows."""

    def __init__(self, source: Source, handler: Handler, *, consumer: str, limits: BusLimits) -> None:
        """Prepare the worker of a view."""
        super().__init__(source, consumer=consumer, limits=limits)
        self._handler = handler

    @override
    async def _gather(self) -> Sequence[Received]:
        if not self._held:
            self._held.extend(await self._pull(_PULL, wait_seconds=self._limits.idle_wait_seconds))
        batch, self._held = self._held, []
        return batch

    @override
    async def _process(self, batch: Sequence[Received]) -> Outcome:
        for message in batch:
            envelope = await self._read(message)
            if envelope is not None:
                await self._raises(self._handler(envelope), envelope.id)
            await self._acknowledge(message)
        return Outcome(settled=True, given_back=False)
