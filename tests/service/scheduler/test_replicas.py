"""Several Schedulers on one database."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.schedules import Target
from edge_gateway.database.pools import open_pool
from edge_gateway.scheduler.records import ScheduleRecord
from edge_gateway.scheduler.recurrence import Occurrence
from edge_gateway.scheduler.repository import schedules
from tests.service.scheduler.house import MONDAY, NINE, SchedulerHouse

SCHEDULES = 200
SECOND = timedelta(seconds=1)


async def store(house: SchedulerHouse, number: int) -> str:
    """Store a schedule of a mower of its own without asking anybody."""
    mower_id = f"mower-{number}"
    house.fleet.add_mower(mower_id)
    now = house.clock.now()
    record = ScheduleRecord(
        id=new_id(),
        account_id="home",
        owner=OWNER,
        draft=house.draft(target=Target(mower_id=mower_id)),
        effective_time_zone="Europe/Berlin",
        computed_at=now,
        created_by=OWNER,
        created_at=now,
        changed_at=now,
    ).with_next_run(Occurrence(NINE, MONDAY), now=now)
    async with house.pool.acquire() as connection:
        await schedules.insert(connection, record)
    return record.id


@pytest.mark.timeout(180)
async def test_two_replicas_fire_each_of_200_due_schedules_exactly_once(
    house: SchedulerHouse, postgres_url: str, nats_url: str
) -> None:
    made = {await store(house, number) for number in range(SCHEDULES)}
    bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id="replica")
    pool = await open_pool(postgres_url, application_name="replica", maximum=10)
    replica = house.make_service(bus=bus, pool=pool)
    await replica.open()
    house.clock.moment = NINE
    await asyncio.gather(house.service.tick(), replica.tick())

    runs = await house.runs()
    assert Counter(run.schedule_id for run in runs) == Counter(made)
    assert {run.outcome for run in runs} == {"started"}
    assert len(house.fleet.asked) == len(house.fleet.starts) == SCHEDULES
    assert Counter(start.schedule_id for start in house.fleet.starts) == Counter(made)

    for number in range(SCHEDULES):
        await house.report(Activity.MOWING, NINE + 20 * SECOND, mower_id=f"mower-{number}")
    house.clock.moment = NINE + 30 * SECOND
    await asyncio.gather(house.service.tick(), replica.tick())
    runs = await house.runs()
    assert {(run.outcome, run.final, run.revision) for run in runs} == {("started", True, 2)}
    told = await house.until_told(subjects.RUN_RECORDED, 2 * SCHEDULES)
    assert len({envelope.id for envelope in told}) == len(told) == 2 * SCHEDULES
    await replica.stop()
    await bus.close()
    await pool.close()


async def test_replicas_that_begin_at_the_same_moment_as_a_write_do_not_fire_twice(house: SchedulerHouse) -> None:
    made = await store(house, 1)
    house.clock.moment = NINE
    replica = house.make_service()
    await replica.open()
    await asyncio.gather(
        house.service.tick(),
        replica.tick(),
        *(house.update(made, name=f"Name {number}") for number in range(5)),
        return_exceptions=True,
    )
    await house.tick_at(NINE + 61 * SECOND)
    run = await house.run(made)
    assert run.outcome == "started"
    assert len(house.fleet.starts) == 1
    await replica.stop()
