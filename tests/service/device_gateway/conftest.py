"""Yards on the in-memory bus and on a real NATS server, each with a real database."""

from collections.abc import AsyncIterator

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import open_pool
from edge_gateway.device_gateway.repository import Repository
from tests.service.device_gateway.town import Town
from tests.service.device_gateway.yard import Connect, Yard


@pytest.fixture
async def database_url(postgres_url: str) -> str:
    """Return the address of a database with the gateway's schema."""
    await migrate(postgres_url, ["device_gateway"])
    return postgres_url


@pytest.fixture
async def repository(database_url: str) -> AsyncIterator[Repository]:
    """Return the gateway's rows."""
    pool = await open_pool(database_url, application_name="test")
    yield Repository(pool)
    await pool.close()


@pytest.fixture
def clock() -> SystemClock:
    """Return the clock of the whole yard."""
    return SystemClock()


@pytest.fixture(params=["memory", "nats"])
async def connect(request: pytest.FixtureRequest, clock: SystemClock) -> AsyncIterator[Connect]:
    """Return how to connect to a bus server: one in memory, and a real one."""
    buses: list[EventBus] = []
    if request.param == "memory":
        server = MemoryServer(clock)

        async def connect() -> EventBus:
            buses.append(MemoryBus(clock, server=server))
            return buses[-1]
    else:
        url: str = request.getfixturevalue("nats_url")

        async def connect() -> EventBus:
            buses.append(await JetStreamBus.connect(url, clock=clock, instance_id=f"client-{len(buses)}"))
            return buses[-1]

    yield connect
    for bus in buses:
        await bus.close()


@pytest.fixture
async def yard(connect: Connect, database_url: str, clock: SystemClock) -> AsyncIterator[Yard]:
    """Return a yard that listens."""
    yard = Yard(connect, database_url, clock)
    await yard.open()
    yield yard
    await yard.close()


@pytest.fixture
async def town(connect: Connect, database_url: str, clock: SystemClock) -> AsyncIterator[Town]:
    """Return a town whose fleet answers."""
    town = Town(connect, database_url, clock)
    await town.open()
    await town.fleet.answer(town.fleet_bus)
    yield town
    await town.close()
