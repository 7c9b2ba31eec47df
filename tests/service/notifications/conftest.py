"""A database with the schema of Notifications, both buses, and what stands in for Fleet and Telemetry."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.memory import MemoryBus, MemoryServer
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import Pool, open_pool
from tests.service.notifications.garden import Garden, StandIns

type Connect = Callable[[], Awaitable[EventBus]]
"""Makes one more client of the same server."""

LIMITS = BusLimits(
    acknowledge_wait_seconds=1.0,
    redeliver_for_seconds=20.0,
    first_back_off_seconds=0.02,
    longest_back_off_seconds=0.2,
    lease_seconds=2.0,
    lease_margin_seconds=0.5,
)

_RECORD_EVERY_EVENT = """
CREATE TABLE notifications.told (sequence bigint GENERATED ALWAYS AS IDENTITY, event_id text NOT NULL);
CREATE FUNCTION notifications.record_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notifications.told (event_id) VALUES (NEW.event_id);
    RETURN NEW;
END $$;
CREATE TRIGGER told AFTER INSERT ON notifications.outbox FOR EACH ROW EXECUTE FUNCTION notifications.record_told();
"""
"""The stream drops a second event with the same id; the tests must see that there was none."""


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    """Return a pool on a database with the schema, which keeps every event that was put into the outbox."""
    await migrate(postgres_url, ["notifications"])
    pool = await open_pool(postgres_url, application_name="test", maximum=10)
    await pool.execute(_RECORD_EVERY_EVENT)
    yield pool
    await pool.close()


@pytest.fixture(params=["memory", "jetstream"])
async def connect(request: pytest.FixtureRequest) -> AsyncIterator[Connect]:
    """Return what makes clients: of the in-memory twin, then of a real server."""
    buses: list[EventBus] = []
    if request.param == "memory":
        server = MemoryServer(SystemClock())

        async def connect_one() -> EventBus:
            buses.append(MemoryBus(SystemClock(), server=server, limits=LIMITS))
            return buses[-1]
    else:
        url = request.getfixturevalue("nats_url")

        async def connect_one() -> EventBus:
            instance_id = f"instance-{len(buses) + 1}"
            buses.append(await JetStreamBus.connect(url, clock=SystemClock(), instance_id=instance_id, limits=LIMITS))
            return buses[-1]

    yield connect_one
    for bus in buses:
        await bus.close()


@pytest.fixture
async def jetstream(nats_url: str) -> AsyncIterator[EventBus]:
    """Return a bus on a real server."""
    bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id="instance-1", limits=LIMITS)
    yield bus
    await bus.close()


@pytest.fixture
async def garden(pool: Pool, connect: Connect) -> AsyncIterator[Garden]:
    """Return Notifications at work."""
    garden = Garden(await connect(), pool, StandIns(), SystemClock())
    await garden.start()
    yield garden
    await garden.service.stop()
