"""The Fleet at work on a real PostgreSQL and a real NATS server."""

from collections.abc import AsyncIterator, Iterator

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.pools import Pool, open_pool
from tests.databases import Databases
from tests.service.fleet.house import FleetHouse


@pytest.fixture
def postgres_url(databases: Databases) -> Iterator[str]:
    """Return the address of a database with the Fleet's schema in which nothing has happened."""
    with databases.lent("fleet") as url:
        yield url


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    """Return a pool on a database with the Fleet's schema."""
    pool = await open_pool(postgres_url, application_name="test fleet", maximum=10)
    yield pool
    await pool.close()


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[JetStreamBus]:
    """Return a bus on a server of the test's own."""
    bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id="test")
    yield bus
    await bus.close()


@pytest.fixture
async def house(bus: JetStreamBus, pool: Pool) -> AsyncIterator[FleetHouse]:
    """Return the Fleet at work, with one mower that is reached and has two areas."""
    house = FleetHouse(bus, pool)
    await house.start()
    await house.add_mower("sim-1")
    yield house
    await house.stop()
