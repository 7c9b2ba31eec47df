"""The Scheduler by itself: its own ticks, restarts, servers that go away, its health."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.commands import CommandStatus
from edge_gateway.contracts.device import Health, Nothing
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.contracts.schedules import Run, RunOutcome
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.embedded.nats_server import NatsServer
from tests.background_loop import BackgroundLoop
from tests.eventually import eventually
from tests.service.scheduler.house import NINE, RunningClock, SchedulerHouse

SECOND = timedelta(seconds=1)
RARELY = 300
"""A tick so rare that no test sees one: what happens was woken."""


@pytest.fixture
async def living(bus: JetStreamBus, pool: Pool) -> AsyncIterator[SchedulerHouse]:
    """Return a Scheduler that ticks by itself, rarely; its clock goes on from a second before nine."""
    house = SchedulerHouse(bus, pool, RunningClock(NINE - SECOND))
    house.service = house.make_service(tick_seconds=RARELY)
    await house.start()
    await house.service.stop()
    house.service = house.make_service(tick_seconds=RARELY)
    await house.service.start()
    # Starting takes as long as it takes; the minute is still to come.
    house.clock.moment += NINE - SECOND - house.clock.now()
    yield house
    await house.stop()


async def until(house: SchedulerHouse, outcome: RunOutcome | None, *, final: bool) -> Run:
    """Wait until the only run is so."""

    async def look() -> Run | None:
        runs = await house.runs()
        return next((run for run in runs if (run.outcome, run.final) == (outcome, final)), None)

    found = await eventually(look)
    assert found is not None
    return found


async def test_it_fires_at_its_minute_however_rare_the_ticks_are(living: SchedulerHouse) -> None:
    await living.create()
    run = await until(living, RunOutcome.STARTED, final=False)
    assert run.decided_at is not None
    assert timedelta() <= run.decided_at - NINE < 2 * SECOND


async def test_a_mower_that_begins_to_mow_confirms_at_once(living: SchedulerHouse) -> None:
    await living.create()
    run = await until(living, RunOutcome.STARTED, final=False)
    job = Job(id="job-1", command_id=run.command_id)
    await living.report(Activity.MOWING, job=job)
    await until(living, RunOutcome.STARTED, final=True)
    await living.report(Activity.DOCKED)
    [told, *_] = await living.until_told(subjects.RUN_RECORDED, 3)
    assert told.decode(Run).schedule_id == run.schedule_id

    async def look() -> str | None:
        return (await living.run()).end_reason

    assert await eventually(look) == "completed"


async def test_an_order_that_ends_at_once_is_looked_at_at_once(living: SchedulerHouse) -> None:
    await living.create()
    await until(living, RunOutcome.STARTED, final=False)
    await living.end_order(CommandStatus.FAILED, "areas_gone")
    assert (await until(living, RunOutcome.FAILED, final=True)).reason == "areas_gone"


async def test_a_restart_follows_what_was_started(living: SchedulerHouse) -> None:
    await living.create()
    await until(living, RunOutcome.STARTED, final=False)
    await living.service.stop()
    await living.report(Activity.MOWING)
    living.service = living.make_service(tick_seconds=RARELY)
    await living.service.start()
    await until(living, RunOutcome.STARTED, final=True)


async def test_stopping_does_not_wait_for_a_fleet_that_does_not_answer(living: SchedulerHouse) -> None:
    living.fleet.answers_seconds = 30.0
    await living.create()

    async def asked() -> bool:
        return bool(living.fleet.asked)

    await eventually(asked)
    async with asyncio.timeout(8):
        await living.service.stop()
    # What was taken is found by its key, by whoever looks next.
    living.clock.moment += 61 * SECOND
    living.service = living.make_service(tick_seconds=RARELY)
    await living.service.start()
    run = await until(living, RunOutcome.STARTED, final=False)
    assert run.command_id == living.fleet.starts[0].id
    assert len(living.fleet.starts) == len(living.fleet.asked) == 1


async def test_cut_connections_to_the_database_are_survived(living: SchedulerHouse) -> None:
    living.clock.moment -= 60 * SECOND
    await living.pool.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )

    async def made() -> str | None:
        try:
            return (await living.create()).id
        except Exception:  # noqa: BLE001  # whatever a cut connection raises: it is tried again
            return None

    schedule_id = await eventually(made)
    assert schedule_id is not None
    living.clock.moment += NINE - living.clock.now()
    # A change has it look when the next one is due.
    await living.update(schedule_id, name="Changed")
    await until(living, RunOutcome.STARTED, final=False)
    await living.until_told(subjects.RUN_RECORDED, 1)


async def test_a_bus_that_goes_away_and_comes_back(
    living: SchedulerHouse, nats_server: NatsServer, server_loop: BackgroundLoop
) -> None:
    await living.create()
    server_loop.run(nats_server.stop())
    # Its minute comes while nobody can be asked.
    await asyncio.sleep(1.2)
    server_loop.run(nats_server.start())
    living.clock.moment += 30 * SECOND
    run = await until(living, RunOutcome.STARTED, final=False)
    assert len(living.fleet.starts) == 1
    await living.until_told(subjects.RUN_RECORDED, 1)
    await living.report(Activity.MOWING)
    assert (await until(living, RunOutcome.STARTED, final=True)).id == run.id


async def test_health_says_what_is_missing(house: SchedulerHouse, postgres_url: str) -> None:
    async def ask() -> Health:
        return await house.bus.request(routes.health_route("scheduler"), Nothing())

    well = await ask()
    assert (well.service, well.ready, well.started_at) == ("scheduler", True, house.clock.moment)
    await house.service.stop()
    closed = await open_pool(postgres_url, application_name="closed")
    await closed.close()
    house.service = house.make_service(pool=closed)
    await house.service.open()
    ill = await ask()
    assert not ill.ready
    assert "The database cannot be reached now" in str(ill.detail)
