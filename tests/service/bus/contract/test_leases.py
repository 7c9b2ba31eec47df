"""Leases: one holder, fencing numbers that rise, lost in time."""

import asyncio
import time

from edge_gateway.bus.protocol import EventBus, Lease
from tests.service.bus.contract.conftest import LIMITS, Connect


async def acquire(bus: EventBus, holder: str, *, seconds: float = 0.0) -> Lease:
    """Take the lease, trying for so long."""
    over_at = time.monotonic() + seconds
    while True:
        lease = await bus.acquire_lease("mower/m1", holder=holder)
        if lease is not None:
            return lease
        assert time.monotonic() < over_at, "the lease was not free in time"
        await asyncio.sleep(0.05)


async def test_one_holder_at_a_time(connect: Connect) -> None:
    first, second = await connect(), await connect()
    lease = await acquire(first, "one")
    assert lease.held
    assert await second.acquire_lease("mower/m1", holder="two") is None
    other = await second.acquire_lease("mower/m2", holder="two")
    assert other is not None


async def test_lease_outlives_its_time_while_it_is_renewed(connect: Connect) -> None:
    first, second = await connect(), await connect()
    lease = await acquire(first, "one")
    over_at = time.monotonic() + 2 * LIMITS.lease_seconds
    while time.monotonic() < over_at:
        assert lease.held
        assert await second.acquire_lease("mower/m1", holder="two") is None
        await asyncio.sleep(0.1)


async def test_released_lease_is_free_at_once_and_the_fence_rises(connect: Connect) -> None:
    first, second = await connect(), await connect()
    lease = await acquire(first, "one")
    await lease.release()
    assert not lease.held
    async with asyncio.timeout(1):
        await lease.lost()
    taken = await acquire(second, "two")
    assert taken.fence > lease.fence


async def test_same_holder_takes_its_own_lease_at_once_with_a_higher_fence(connect: Connect) -> None:
    before, after = await connect(), await connect()
    earlier = await acquire(before, "one")
    later = await acquire(after, "one")
    assert later.fence > earlier.fence
    async with asyncio.timeout(LIMITS.lease_seconds):
        await earlier.lost()
    assert not earlier.held
    assert later.held


async def test_earlier_lease_of_the_same_bus_ends_when_it_is_taken_again(bus: EventBus) -> None:
    earlier = await acquire(bus, "one")
    later = await acquire(bus, "one")
    assert later.held
    assert later.fence > earlier.fence
    async with asyncio.timeout(LIMITS.lease_seconds):
        await earlier.lost()


async def test_closing_gives_leases_back(connect: Connect) -> None:
    first, second = await connect(), await connect()
    lease = await acquire(first, "one")
    await first.close()
    assert not lease.held
    taken = await acquire(second, "two")
    assert taken.fence > lease.fence


async def test_fences_rise_over_many_holders(connect: Connect) -> None:
    buses = [await connect(), await connect()]
    fences = []
    for number in range(10):
        lease = await acquire(buses[number % 2], f"holder-{number % 2}")
        fences.append(lease.fence)
        await lease.release()
    assert fences == sorted(set(fences))


async def test_only_one_of_many_wins(connect: Connect) -> None:
    buses = [await connect() for _ in range(4)]
    leases = await asyncio.gather(
        *(bus.acquire_lease("mower/m1", holder=f"holder-{number}") for number, bus in enumerate(buses))
    )
    assert sum(lease is not None for lease in leases) == 1
