"""A site gets another time zone, a mower another site: next runs move at once."""

from datetime import timedelta

import msgspec

from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.fleet import MowerChanged
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.schedules import Schedule
from tests.eventually import eventually
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


async def until_in(house: SchedulerHouse, schedule_id: str, zone: str) -> Schedule:
    async def look() -> Schedule | None:
        schedule = await house.get(schedule_id)
        return schedule if schedule.effective_time_zone == zone else None

    found = await eventually(look)
    assert found is not None
    return found


async def test_a_changed_zone_moves_the_next_run_at_once(house: SchedulerHouse) -> None:
    made = await house.create()
    fixed = await house.create(time_zone="Asia/Tokyo")
    house.fleet.move_site("America/New_York")
    await house.tell_site_changed()
    moved = await until_in(house, made.id, "America/New_York")
    assert moved.next_run_at == NINE + 6 * HOUR
    assert await house.get(fixed.id) == fixed
    await house.tick_at(NINE)
    assert house.fleet.asked == []
    await house.tick_at(NINE + 6 * HOUR)
    assert (await house.run(made.id)).outcome == "started"


async def test_a_date_that_has_fired_does_not_fire_again_in_the_new_zone(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.tick_at(NINE)
    house.fleet.move_site("America/New_York")
    await house.tell_site_changed()
    moved = await until_in(house, made.id, "America/New_York")
    assert moved.next_run_at == NINE + DAY + 6 * HOUR


async def test_what_is_due_already_fires_by_the_old_zone(house: SchedulerHouse) -> None:
    made = await house.create()
    house.clock.moment = NINE + timedelta(minutes=1)
    house.fleet.move_site("America/New_York")
    await house.tell_site_changed()
    await until_in(house, made.id, "America/New_York")
    await house.service.tick()
    run = await house.run(made.id)
    assert (run.outcome, run.occurrence_at) == ("started", NINE)
    assert (await house.get(made.id)).next_run_at == NINE + DAY + 6 * HOUR


async def test_a_mower_that_moves_to_another_site_takes_its_schedules_along(house: SchedulerHouse) -> None:
    made = await house.create()
    site = msgspec.structs.replace(house.fleet.site, id="cabin", time_zone="Europe/Helsinki")
    house.fleet.change_mower(MOWER, site=site)
    envelope = wrap(
        MowerChanged(mower_id=MOWER),
        id=new_id(),
        type=subjects.MOWER_CHANGED,
        occurred_at=house.clock.now(),
        account_id="home",
        subject_id=MOWER,
    )
    await house.bus.publish(subjects.MOWER_CHANGED, envelope)
    assert (await until_in(house, made.id, "Europe/Helsinki")).next_run_at == NINE + 23 * HOUR


async def test_a_change_that_came_while_fleet_was_silent_is_not_lost(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.fleet.stop()
    house.fleet.move_site("America/New_York")
    await house.tell_site_changed()
    await house.fleet.start(house.bus)
    await until_in(house, made.id, "America/New_York")
