"""An office with a scripted vendor."""

from collections.abc import AsyncIterator

import pytest

from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.database.secrets import SecretBox, new_key
from tests.service.device_gateway.vendor_accounts.office import Office, ScriptedVendor, answer_for_the_fleet


@pytest.fixture
def server(clock: SystemClock) -> MemoryServer:
    """Return a bus server."""
    return MemoryServer(clock)


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """Return connections to a database with the gateway's schema."""
    pool = await open_pool(database_url, application_name="test", maximum=4)
    yield pool
    await pool.close()


@pytest.fixture
def box() -> SecretBox:
    """Return a box with a key of its own."""
    return SecretBox(new_key())


@pytest.fixture
def vendor() -> ScriptedVendor:
    """Return the vendor."""
    return ScriptedVendor()


@pytest.fixture
async def office(
    server: MemoryServer, clock: SystemClock, pool: Pool, box: SecretBox, vendor: ScriptedVendor
) -> AsyncIterator[Office]:
    """Return an office that answers."""
    bus = MemoryBus(clock, server=server)
    await answer_for_the_fleet(bus)
    office = Office(bus, pool, box, vendor)
    await office.room.start()
    yield office
    await office.room.stop()
    await bus.close()
