"""Leases in memory, by a time that the test sets."""

import asyncio

from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.contracts.clock import SystemClock

SECONDS = BusLimits().lease_seconds
MARGIN = BusLimits().lease_margin_seconds


class Monotonic:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        """Start somewhere."""
        self.seconds = 100.0

    def __call__(self) -> float:
        """Return them."""
        return self.seconds


async def test_lease_that_is_not_renewed_is_given_up_before_it_is_free() -> None:
    time = Monotonic()
    server = MemoryServer(SystemClock(), monotonic=time)
    first, second = MemoryBus(SystemClock(), server=server), MemoryBus(SystemClock(), server=server)
    lease = await first.acquire_lease("a", holder="one")
    assert lease is not None
    held = []
    for seconds in (SECONDS - MARGIN - 0.01, 0.02):
        time.seconds += seconds
        held.append(lease.held)
    assert held == [True, False]
    assert await second.acquire_lease("a", holder="two") is None
    time.seconds += MARGIN
    taken = await second.acquire_lease("a", holder="two")
    assert taken is not None
    assert taken.fence > lease.fence
    await first.close()
    assert taken.held
    await second.close()


async def test_lost_returns_when_another_has_it() -> None:
    server = MemoryServer(SystemClock())
    limits = BusLimits(lease_seconds=0.09, lease_margin_seconds=0.01)
    bus = MemoryBus(SystemClock(), server=server, limits=limits)
    lease = await bus.acquire_lease("a", holder="one")
    assert lease is not None
    assert await bus.acquire_lease("a", holder="one") is not None
    async with asyncio.timeout(2):
        await lease.lost()
    await bus.close()
