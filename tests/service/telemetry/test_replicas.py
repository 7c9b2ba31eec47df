"""Two copies of Telemetry share the partitions by leases and hand them over; a mower's states stay in order."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.telemetry import LatestStatesRequest
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.telemetry.service import TelemetryService
from edge_gateway.telemetry.settings import TelemetrySettings
from tests.eventually import eventually
from tests.service.telemetry.conftest import StandInFleet
from tests.service.telemetry.fault_house import LIMITS, MOWERS, Mowers, check_all_stored

SLICE_SECONDS = 20.0
"""tests/faults/ has the long form."""
_SETTINGS = TelemetrySettings(ingest_batch_max=16, ingest_batch_wait_seconds=0.01, partitions=3)

type Connect = Callable[[str], Awaitable[JetStreamBus]]


@pytest.fixture
async def connect(nats_url: str) -> AsyncIterator[Connect]:
    buses: list[JetStreamBus] = []

    async def one(instance_id: str) -> JetStreamBus:
        bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id=instance_id, limits=LIMITS)
        buses.append(bus)
        return bus

    yield one
    await asyncio.gather(*(bus.close() for bus in buses))


@asynccontextmanager
async def _running(bus: JetStreamBus, pool: Pool, instance_id: str) -> AsyncIterator[TelemetryService]:
    service = TelemetryService(bus=bus, pool=pool, clock=SystemClock(), settings=_SETTINGS, instance_id=instance_id)
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


async def hand_over_for(seconds: float, connect: Connect, postgres_url: str, *, pause_seconds: float = 0.002) -> int:
    """Let two replicas take turns for some time, well and badly; return how many states were stored.

    Mowers pause for `pause_seconds` after each round of reports: all of them are kept in memory and compared.
    """
    await migrate(postgres_url, ["telemetry"])
    pools = [await open_pool(postgres_url, application_name=f"replica {number}", maximum=8) for number in range(2)]
    buses = [await connect(f"replica-{number}") for number in range(2)]
    publisher = await connect("publisher")
    fleet = StandInFleet()
    fleet.mower_ids = set(MOWERS)
    await publisher.reply(routes.TARGETS_RESOLVE, fleet.resolve)
    ends_at = time.monotonic() + seconds
    turn = 0
    async with _running(buses[1], pools[1], "replica-1"):
        mowers = Mowers(publisher, pause_seconds=pause_seconds)
        await mowers.until(10)
        before = await eventually(lambda: _fences(pools[1]))
        while time.monotonic() < ends_at:
            async with _running(buses[0], pools[0], "replica-0"):
                await asyncio.sleep(0.5)
                if turn % 2:
                    # The leases of the other one are taken from it in the middle of its work.
                    for number in range(_SETTINGS.partitions):
                        lease = await buses[0].acquire_lease(f"telemetry-partition-{number}", holder="replica-1")
                        if lease is not None:
                            await lease.release()
                await asyncio.sleep(0.5)
            turn += 1
        states = await mowers.stop()
        await check_all_stored(pools[1], states)
        after = await _fences(pools[1])
        deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        assert await pools[1].fetchval(deadlocks) == 0
        # Each partition that has mowers went from hand to hand.
        assert all(after[number] > fence for number, fence in before.items())
        latest = await buses[1].request(routes.STATES_LATEST, LatestStatesRequest(account_id="home"))
        assert {each.mower_id for each in latest.items} == set(MOWERS)
    for pool in pools:
        await pool.close()
    return len(states)


async def _fences(pool: Pool) -> dict[int, int]:
    return {row["number"]: row["fence"] for row in await pool.fetch("SELECT * FROM telemetry.ingest_partition")}


async def test_partitions_are_handed_over(connect: Connect, postgres_url: str) -> None:
    assert await hand_over_for(SLICE_SECONDS, connect, postgres_url) > 300


async def test_partitions_are_shared_fairly_as_copies_come_and_go(connect: Connect, postgres_url: str) -> None:
    await migrate(postgres_url, ["telemetry"])
    pools = [await open_pool(postgres_url, application_name=f"replica {number}", maximum=8) for number in range(2)]
    buses = [await connect(f"replica-{number}") for number in range(2)]
    publisher = await connect("publisher")
    fleet = StandInFleet()
    fleet.mower_ids = set(MOWERS)
    await publisher.reply(routes.TARGETS_RESOLVE, fleet.resolve)
    async with _running(buses[1], pools[1], "replica-1") as second:
        mowers = Mowers(publisher)
        await mowers.until(10)
        assert len(second.partitions_held) == 3
        async with _running(buses[0], pools[0], "replica-0") as first:

            async def shared() -> bool:
                return (len(first.partitions_held), len(second.partitions_held)) == (2, 1)

            await eventually(shared, seconds=30)
            assert first.partitions_held.isdisjoint(second.partitions_held)
            await mowers.until(60)

        async def all_came_back() -> bool:
            return len(second.partitions_held) == 3

        await eventually(all_came_back, seconds=30)
        await check_all_stored(pools[1], await mowers.stop())
    for pool in pools:
        await pool.close()
