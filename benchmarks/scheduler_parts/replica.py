"""A replica of the Scheduler whose clock stands at nine: in this process, or in one of its own.

As a program it is told its servers on the command line, ticks for each line that it reads and answers each with how
many starts it ordered.
"""

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import structlog

from benchmarks.scheduler_parts import stored
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.scheduler.fleet_questions import FleetQuestions
from edge_gateway.scheduler.service import SchedulerService
from edge_gateway.scheduler.settings import SchedulerSettings

_TICK_SECONDS = 600.0
_STOP_SECONDS = 20.0


class Clock:
    """Stands at nine."""

    def now(self) -> datetime:
        """Return nine o'clock."""
        return stored.DUE_AT


async def connected(nats_url: str, stack: AsyncExitStack) -> JetStreamBus:
    """Return a connection to the bus."""
    bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id=new_id())
    stack.push_async_callback(bus.close)
    return bus


async def pooled(url: str, stack: AsyncExitStack) -> Pool:
    """Return a pool like a service's own."""
    pool = await open_pool(url, application_name="benchmark")
    stack.push_async_callback(pool.close)
    return pool


async def opened(nats_url: str, url: str, stack: AsyncExitStack) -> SchedulerService:
    """Return a replica in this process; its ticks are the caller's."""
    settings = SchedulerSettings(weather_provider="static", static_weather="dry")
    replica = SchedulerService(
        bus=await connected(nats_url, stack), pool=await pooled(url, stack), clock=Clock(), settings=settings
    )
    await replica.open()
    stack.push_async_callback(replica.stop)
    return replica


class ReplicaProcess:
    """A replica in a process of its own."""

    def __init__(self, child: Process) -> None:
        """Talk to it over its pipes."""
        self._child = child

    async def answer(self) -> int:
        """Return the number that it says next; raises `RuntimeError` when it ended instead."""
        if self._child.stdout is None:
            message = "it has no output"
            raise RuntimeError(message)
        async with asyncio.timeout(_TICK_SECONDS):
            line = await self._child.stdout.readline()
        if not line:
            message = "a replica ended"
            raise RuntimeError(message)
        return int(line)

    async def tick(self) -> int:
        """Have it do everything that is due; return how many starts it ordered."""
        if self._child.stdin is None:
            message = "it has no input"
            raise RuntimeError(message)
        self._child.stdin.write(b"tick\n")
        await self._child.stdin.drain()
        return await self.answer()


@asynccontextmanager
async def process(nats_url: str, url: str) -> AsyncIterator[ReplicaProcess]:
    """Return a replica that runs and is ready; end it afterwards."""
    child = await create_subprocess_exec(sys.executable, __file__, nats_url, url, stdin=PIPE, stdout=PIPE)
    try:
        replica = ReplicaProcess(child)
        await replica.answer()
        yield replica
        if child.stdin is not None:
            child.stdin.close()
        async with asyncio.timeout(_STOP_SECONDS):
            await child.wait()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


async def _serve(nats_url: str, url: str) -> None:
    orders = 0
    start = FleetQuestions.start

    async def counted(*arguments: object) -> object:
        nonlocal orders
        orders += 1
        return await start(*arguments)  # type: ignore[arg-type]  # handed on as they are

    FleetQuestions.start = counted  # type: ignore[method-assign, assignment]  # it is counted and nothing else
    async with AsyncExitStack() as stack:
        replica = await opened(nats_url, url, stack)
        print(0, flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            before = orders
            await replica.tick()
            print(orders - before, flush=True)


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    asyncio.run(_serve(*sys.argv[1:3]))
