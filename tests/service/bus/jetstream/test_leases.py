"""Leases while the server is away, hangs or has lost what it kept."""

import asyncio
import signal
import time

import pytest

from edge_gateway.bus.protocol import Lease
from edge_gateway.contracts.errors import UnavailableError
from tests.eventually import eventually
from tests.service.bus.jetstream.conftest import LIMITS, Broker, Connect

LEASE = "telemetry.partition.0"


async def test_short_absence_of_the_server_does_not_cost_the_lease(broker: Broker, connect: Connect) -> None:
    holding, waiting = await connect(), await connect()
    lease = await holding.acquire_lease(LEASE, holder="one")
    assert lease is not None
    for _ in range(3):
        await asyncio.to_thread(broker.restart)
        await asyncio.sleep(LIMITS.lease_seconds / 2)
        assert lease.held
        assert await waiting.acquire_lease(LEASE, holder="two") is None


@pytest.mark.parametrize("held_for", [0.0, 0.5, 1.5], ids=["never renewed", "renewed", "renewed often"])
async def test_lease_that_cannot_be_renewed_is_given_up_before_another_can_have_it(
    broker: Broker, connect: Connect, held_for: float
) -> None:
    """The server hangs: the holder cannot renew, and knows it before the server lets anyone else in."""
    holding, waiting = await connect(), await connect()
    lease = await holding.acquire_lease(LEASE, holder="one")
    assert lease is not None
    await asyncio.sleep(LIMITS.lease_seconds * held_for)
    broker.signal(signal.SIGSTOP)
    stopped = time.monotonic()
    async with asyncio.timeout(LIMITS.lease_seconds):
        await lease.lost()
    assert not lease.held
    assert time.monotonic() - stopped <= LIMITS.lease_seconds - LIMITS.lease_margin_seconds + 0.1
    broker.signal(signal.SIGCONT)
    taken = await eventually(lambda: waiting.acquire_lease(LEASE, holder="two"))
    assert taken is not None
    assert taken.fence > lease.fence


async def test_one_is_not_let_in_while_the_other_still_holds(broker: Broker, connect: Connect) -> None:
    """Through kills and hangs of the server, `held` is never true on both sides."""
    first, second = await connect(), await connect()
    stopping = asyncio.Event()
    fences: list[int] = []
    held_by: dict[str, Lease] = {}

    async def contend(name: str, other: str) -> None:
        bus = first if name == "one" else second
        while not stopping.is_set():
            try:
                lease = await bus.acquire_lease(LEASE, holder=name)
            except UnavailableError:
                await asyncio.sleep(0.05)
                continue
            if lease is None:
                await asyncio.sleep(0.02)
                continue
            fences.append(lease.fence)
            held_by[name] = lease
            rival = held_by.get(other)
            assert rival is None or not rival.held
            await asyncio.wait(
                {asyncio.create_task(lease.lost()), asyncio.create_task(asyncio.sleep(0.4))},
                return_when=asyncio.FIRST_COMPLETED,
            )
            await lease.release()

    tasks = [asyncio.create_task(contend("one", "two")), asyncio.create_task(contend("two", "one"))]
    for _ in range(2):
        await asyncio.sleep(0.7)
        await asyncio.to_thread(broker.restart)
        await asyncio.sleep(0.7)
        broker.signal(signal.SIGSTOP)
        await asyncio.sleep(LIMITS.lease_seconds)
        broker.signal(signal.SIGCONT)
    await asyncio.sleep(1)
    stopping.set()
    await asyncio.gather(*tasks)
    assert len(fences) > 3
    assert fences == sorted(set(fences))


async def test_fence_rises_even_when_the_server_lost_its_store(broker: Broker, connect: Connect) -> None:
    """A backup may bring the database back without the bus's store."""
    bus = await connect()
    lease = await bus.acquire_lease(LEASE, holder="one")
    assert lease is not None
    await bus.close()
    await asyncio.to_thread(broker.kill)
    await asyncio.to_thread(broker.lose_store)
    await asyncio.to_thread(broker.start)
    again = await (await connect()).acquire_lease(LEASE, holder="one")
    assert again is not None
    assert again.fence > lease.fence
