"""Both buses, each with a server of the test's own; the same tests hold for both."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.clock import SystemClock

type Connect = Callable[[], Awaitable[EventBus]]
"""Makes one more client of the same server: a replica."""

LIMITS = BusLimits(
    publish_seconds=3.0,
    acknowledge_wait_seconds=1.0,
    idle_wait_seconds=2.0,
    redeliver_for_seconds=0.5,
    first_back_off_seconds=0.02,
    longest_back_off_seconds=0.1,
    progress_back_off_seconds=0.1,
    drain_seconds=1.0,
    lease_seconds=1.5,
    lease_margin_seconds=0.4,
)
"""Everything that is waited for in a test is short."""


@pytest.fixture(params=["memory", "jetstream"])
async def connect(request: pytest.FixtureRequest) -> AsyncIterator[Connect]:
    buses: list[EventBus] = []
    if request.param == "memory":
        server = MemoryServer(SystemClock())

        async def connect_one() -> EventBus:
            buses.append(MemoryBus(SystemClock(), server=server, limits=LIMITS))
            return buses[-1]
    else:
        url = request.getfixturevalue("nats_url")

        async def connect_one() -> EventBus:
            bus = await JetStreamBus.connect(
                url, clock=SystemClock(), instance_id=f"test-{len(buses)}", limits=LIMITS, connect_seconds=10
            )
            buses.append(bus)
            return bus

    yield connect_one
    for bus in buses:
        await bus.close()


@pytest.fixture
async def bus(connect: Connect) -> EventBus:
    return await connect()
