"""An ingest in a process of its own that kills itself at a step of its third batch.

Arguments: database, bus, step. Steps: before_read, after_write, before_commit, after_commit.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from edge_gateway.bus import outbox
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.protocol import Delivery, Verdict
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.pools import open_pool
from edge_gateway.telemetry.ingest import Ingest
from edge_gateway.telemetry.repository import books as books_module
from edge_gateway.telemetry.store import PostgresStore
from tests.service.telemetry.fault_house import LIMITS, SETTINGS, ask

STEPS = ("before_read", "after_write", "before_commit", "after_commit")
DURABLE = "ingest"
_BATCH = 3
"""The batch at whose step something happens."""

type Happening = Callable[[], Awaitable[None]]


class Hooks:
    """Lets something happen once, at a step of a batch."""

    def __init__(self, step: str, happening: Happening) -> None:
        """Put the hook in; `remove` takes it out."""
        self._step = step
        self._happening = happening
        self._batches = 0
        self._happened = False
        self._open = books_module.open_books
        self._copy = books_module._copy_newer  # noqa: SLF001 - between two statements there is no other place
        self._put = outbox.put_all
        books_module.open_books = self._hooked(self._open, "before_read", before=True)
        books_module._copy_newer = self._hooked(self._copy, "after_write")  # noqa: SLF001 - as above
        outbox.put_all = self._hooked(self._put, "before_commit")

    def remove(self) -> None:
        """Take it out."""
        books_module.open_books = self._open
        books_module._copy_newer = self._copy  # noqa: SLF001 - as above
        outbox.put_all = self._put

    async def at(self, step: str) -> None:
        """Be at a step."""
        if step == "before_read":
            self._batches += 1
        if step == self._step and self._batches >= _BATCH and not self._happened:
            self._happened = True
            await self._happening()

    def _hooked(self, function: Callable[..., Awaitable[Any]], step: str, *, before: bool = False) -> Any:  # noqa: ANN401 - any function
        async def hooked(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401 - any function
            if before:
                await self.at(step)
            result = await function(*arguments, **keywords)
            if not before:
                await self.at(step)
            return result

        return hooked


async def main(database_url: str, nats_url: str, step: str) -> None:
    """Take states in until killed."""

    async def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    pool = await open_pool(database_url, application_name="mortal ingest")
    bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id="mortal", limits=LIMITS)
    hooks = Hooks(step, die)
    ingest = Ingest(PostgresStore(pool, SETTINGS), ask, SystemClock())

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        verdicts = await ingest.handle(deliveries)
        await hooks.at("after_commit")
        return verdicts

    await bus.subscribe_batch(
        subjects.ALL_STATES,
        handle,
        durable=DURABLE,
        max_batch=SETTINGS.ingest_batch_max,
        max_wait_seconds=SETTINGS.ingest_batch_wait_seconds,
    )
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
