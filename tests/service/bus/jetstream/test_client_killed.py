"""A client is killed with work in hand: the next one gets it, in order; a lease passes on in time."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.protocol import Acknowledge
from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import Envelope
from tests.eventually import eventually
from tests.service.bus.events import BatchRecorder, Recorder, event, ids, publish_states
from tests.service.bus.jetstream.conftest import LIMITS, Broker
from tests.service.bus.jetstream.hanging_client import HOLDER, LEASE


@asynccontextmanager
async def client(broker: Broker, what: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.service.bus.jetstream.hanging_client",
        broker.url,
        what,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def word(process: asyncio.subprocess.Process) -> str:
    """Return the next line of a client that is not a line of its log."""
    assert process.stdout is not None
    async with asyncio.timeout(20):
        while True:
            line = (await process.stdout.readline()).decode().strip()
            assert line, "the client ended"
            if "[" not in line:
                return line


async def test_batch_of_a_killed_client_comes_before_newer_ones(broker: Broker, bus: JetStreamBus) -> None:
    ingest = await bus.subscribe_batch(
        subjects.ALL_STATES, BatchRecorder().batch, durable="ingest", max_batch=4, max_wait_seconds=0.2
    )
    await ingest.unsubscribe()
    await publish_states(bus, "a", range(10))
    async with client(broker, "batch") as process:
        assert await word(process) == "batch of 4"
    await publish_states(bus, "a", range(10, 14))
    recorder = BatchRecorder()
    started = time.monotonic()
    await bus.subscribe_batch(subjects.ALL_STATES, recorder.batch, durable="ingest", max_batch=4, max_wait_seconds=0.05)
    await recorder.until_count(14)
    assert recorder.events == ids("a", range(14))
    assert set(ids("a", range(4))) <= set(recorder.redelivered)
    assert time.monotonic() - started < LIMITS.acknowledge_wait_seconds


async def test_order_of_a_killed_actor_passes_to_the_next(broker: Broker, bus: JetStreamBus) -> None:
    async def handle(envelope: Envelope, acknowledge: Acknowledge) -> None:
        await acknowledge()
        recorder.note(envelope.id)

    recorder = Recorder()
    earlier = await bus.subscribe_orders(subjects.ALL_ORDERS, handle, durable="actor")
    await earlier.unsubscribe()
    await bus.publish(subjects.order_subject("m1"), event("order:1"))
    async with client(broker, "order") as process:
        assert await word(process) == "order:1"
    await bus.publish(subjects.order_subject("m1"), event("order:2"))
    await bus.subscribe_orders(subjects.ALL_ORDERS, handle, durable="actor")
    assert await recorder.until_count(2) == ["order:1", "order:2"]


async def test_killed_holder_takes_its_own_lease_again_at_once(broker: Broker, bus: JetStreamBus) -> None:
    async with client(broker, "lease") as process:
        fence = int(await word(process))
        assert await bus.acquire_lease(LEASE, holder="instance-2") is None
    restarted = await bus.acquire_lease(LEASE, holder=HOLDER)
    assert restarted is not None
    assert restarted.fence > fence
    assert await bus.acquire_lease(LEASE, holder="instance-2") is None


async def test_lease_of_a_killed_holder_is_free_when_its_time_is_over(broker: Broker, bus: JetStreamBus) -> None:
    async with client(broker, "lease") as process:
        fence = int(await word(process))
        assert await bus.acquire_lease(LEASE, holder="instance-2") is None
    lease = await eventually(lambda: bus.acquire_lease(LEASE, holder="instance-2"), seconds=LIMITS.lease_seconds + 2)
    assert lease is not None
    assert lease.held
    assert lease.fence > fence
    assert await bus.acquire_lease(LEASE, holder=HOLDER) is None
