"""The Scheduler on a real PostgreSQL and a real NATS server."""

from collections.abc import AsyncIterator, Iterator

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.pools import Pool, open_pool
from tests.databases import Databases
from tests.service.scheduler.garden import Garden
from tests.service.scheduler.house import SchedulerHouse
from tests.service.scheduler.sky import Sky
from tests.service.scheduler.with_fleet import WholeHouse, open_with_fleet


@pytest.fixture
def postgres_url(databases: Databases) -> Iterator[str]:
    """Return the address of a database with the Scheduler's schema in which nothing has happened."""
    with databases.lent("scheduler") as url:
        yield url


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    """Return a pool on a database with the Scheduler's schema."""
    pool = await open_pool(postgres_url, application_name="test scheduler", maximum=10)
    yield pool
    await pool.close()


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[JetStreamBus]:
    """Return a bus on a server of the test's own."""
    bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id="test")
    yield bus
    await bus.close()


@pytest.fixture
async def house(bus: JetStreamBus, pool: Pool) -> AsyncIterator[SchedulerHouse]:
    """Return the Scheduler an hour before nine, with one mower."""
    house = SchedulerHouse(bus, pool)
    await house.start()
    yield house
    await house.stop()


@pytest.fixture
def garden(house: SchedulerHouse) -> Garden:
    """Return a garden in which nothing mows yet."""
    return Garden(house)


@pytest.fixture
async def sky(house: SchedulerHouse) -> AsyncIterator[Sky]:
    """Return a Scheduler that asks a weather service on loopback, for a site with coordinates."""
    sky = Sky(house)
    await sky.start()
    yield sky
    await sky.server.stop()


@pytest.fixture
async def whole(bus: JetStreamBus, databases: Databases) -> AsyncIterator[WholeHouse]:
    """Return Scheduler and Fleet at work, a second before nine; the Scheduler's ticks are the test's."""
    with databases.lent("fleet", "scheduler") as url:
        pool = await open_pool(url, application_name="test scheduler with fleet", maximum=15)
        async with open_with_fleet(bus, pool) as whole:
            yield whole
        await pool.close()
