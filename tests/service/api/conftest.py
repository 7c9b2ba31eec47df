"""The API at work on real servers."""

from collections.abc import AsyncIterator

import pytest

from edge_gateway.api.settings import ApiSettings
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import open_pool
from tests.service.api.house import ApiHouse


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[JetStreamBus]:
    """Return a bus on a server of the test's own."""
    bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id="test")
    yield bus
    await bus.close()


@pytest.fixture
def settings() -> ApiSettings:
    """Return the settings of the API; a module may have its own."""
    return ApiSettings(port=0, watch_seconds=0.1)


@pytest.fixture
async def house(bus: JetStreamBus, postgres_url: str, settings: ApiSettings) -> AsyncIterator[ApiHouse]:
    """Return the whole house with its API."""
    await migrate(postgres_url, ["fleet", "telemetry", "notifications"])
    fleet_pool = await open_pool(postgres_url, application_name="test fleet")
    telemetry_pool = await open_pool(postgres_url, application_name="test telemetry")
    notifications_pool = await open_pool(postgres_url, application_name="test notifications")
    house = ApiHouse(bus, fleet_pool, telemetry_pool, notifications_pool, settings)
    await house.start()
    yield house
    await house.stop()
    await fleet_pool.close()
    await telemetry_pool.close()
    await notifications_pool.close()
