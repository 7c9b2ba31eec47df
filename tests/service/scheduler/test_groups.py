"""Schedules of groups: one run per mower, so many at a time, one zone, one fate."""

from datetime import timedelta

import msgspec
import pytest

from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.errors import ConflictError, ForbiddenError, InvalidError
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.contracts.schedules import ListSchedulesRequest, Run, Schedule, ScheduleDisabled, Target
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
GROUP = "group-1"
OTHER = "user:other"
SECOND_MOWER, THIRD_MOWER = "mower-2", "mower-3"
MOWERS = (MOWER, SECOND_MOWER, THIRD_MOWER)


async def make(house: SchedulerHouse, *, max_concurrent: int | None = None) -> Schedule:
    for mower_id in MOWERS:
        house.fleet.add_mower(mower_id)
    house.fleet.add_group(GROUP, *MOWERS, max_concurrent=max_concurrent)
    return await house.create(target=Target(group_id=GROUP))


async def outcomes(house: SchedulerHouse) -> dict[str | None, str | None]:
    return {run.mower_id: run.outcome for run in await house.runs()}


async def test_each_mower_of_the_group_starts_in_all_its_enabled_areas(house: SchedulerHouse) -> None:
    made = await make(house)
    await house.tick_at(NINE)
    assert await outcomes(house) == dict.fromkeys(MOWERS, "started")
    assert sorted(command.mower_id for command in house.fleet.starts) == list(MOWERS)
    assert {command.body.area_ids for command in house.fleet.starts} == {None}
    assert {command.key for command in house.fleet.starts} == {
        f"{made.id}:2026-05-04T07:00:00Z:{mower_id}" for mower_id in MOWERS
    }
    assert (await house.get(made.id)).next_run_at == NINE + DAY
    told = await house.until_told(subjects.RUN_RECORDED, 3)
    assert {envelope.decode(Run).mower_id for envelope in told} == set(MOWERS)


async def test_the_others_wait_inside_the_window_until_a_slot_is_free(house: SchedulerHouse) -> None:
    made = await make(house, max_concurrent=1)
    await house.tick_at(NINE)
    first = house.fleet.starts[0].mower_id
    assert len(house.fleet.starts) == 1
    waiting = [run for run in await house.runs(made.id) if run.outcome is None]
    assert [run.sentence for run in waiting] == ["waiting for its turn: 1 of the group may be out at once"] * 2
    await house.report(Activity.MOWING, NINE + MINUTE, mower_id=first)
    await house.tick_at(NINE + 2 * MINUTE)
    assert len(house.fleet.starts) == 1
    await house.report(Activity.DOCKED, NINE + 20 * MINUTE, mower_id=first)
    await house.tick_at(NINE + 21 * MINUTE)
    await house.tick_at(NINE + 22 * MINUTE)
    assert len(house.fleet.starts) == 2
    await house.tick_at(NINE + 61 * MINUTE)
    ended = {run.mower_id: (run.outcome, run.reason, run.final) for run in await house.runs(made.id)}
    last = next(mower_id for mower_id in MOWERS if mower_id not in {one.mower_id for one in house.fleet.starts})
    assert ended[last] == ("skipped_window", "no_slot", True)


async def test_a_mower_that_a_person_sent_out_takes_a_slot_too(house: SchedulerHouse) -> None:
    await make(house, max_concurrent=2)
    await house.report(Activity.MOWING, NINE - MINUTE, mower_id=THIRD_MOWER)
    await house.tick_at(NINE - 30 * SECOND)
    await house.tick_at(NINE)
    found = await outcomes(house)
    assert found[THIRD_MOWER] == "skipped_mower_busy"
    assert sorted(str(found[mower_id]) for mower_id in (MOWER, SECOND_MOWER)) == ["None", "started"]


async def test_two_plans_of_one_group_share_its_slots(house: SchedulerHouse) -> None:
    await make(house, max_concurrent=1)
    await house.create(target=Target(group_id=GROUP), name="Other")
    await house.tick_at(NINE)
    assert len(house.fleet.starts) == 1


async def test_a_skip_is_one_skip_for_all_of_them(house: SchedulerHouse) -> None:
    made = await make(house)
    await house.skip(made.id)
    await house.tick_at(NINE)
    assert await outcomes(house) == dict.fromkeys(MOWERS, "skipped_manual")
    assert (await house.get(made.id)).skips == ()
    await house.tick_at(NINE + DAY)
    assert len(house.fleet.starts) == 3


async def test_skipping_while_they_wait_ends_all_and_once_one_has_begun_none(house: SchedulerHouse) -> None:
    made = await make(house)
    for mower_id in MOWERS:
        await house.tell_availability(available=False, mower_id=mower_id)
        await house.report(Activity.MOWING, NINE - MINUTE, mower_id=mower_id)
    await house.tick_at(NINE)
    assert await outcomes(house) == dict.fromkeys(MOWERS, None)
    await house.skip(made.id, NINE)
    assert await outcomes(house) == dict.fromkeys(MOWERS, "skipped_manual")
    # What was left out stays so, for all of them and however often it is asked for.
    with pytest.raises(ConflictError) as due:
        await house.unskip(made.id, NINE)
    assert (due.value.code, due.value.remedy) == ("firing", "Run the schedule now, if it is to mow all the same.")
    await house.skip(made.id, NINE)
    assert [(run.outcome, run.revision) for run in await house.runs()] == [("skipped_manual", 1)] * 3
    await house.tick_at(NINE + DAY)
    assert [run.outcome for run in await house.runs()][3:] == [None] * 3


async def test_once_one_of_them_has_begun_none_is_left_out(house: SchedulerHouse) -> None:
    made = await make(house, max_concurrent=1)
    await house.tick_at(NINE)
    for change in (house.skip, house.unskip):
        with pytest.raises(ConflictError) as begun:
            await change(made.id, NINE)
        assert begun.value.code == "firing"
    assert sorted(str(run.outcome) for run in await house.runs()) == ["None", "None", "started"]


async def test_a_group_that_is_gone_writes_one_row_without_a_mower_and_disables(house: SchedulerHouse) -> None:
    made = await make(house)
    del house.fleet.groups[GROUP]
    house.fleet.mowers.clear()
    await house.tick_at(NINE)
    run = await house.run(made.id)
    assert (run.mower_id, run.outcome, run.reason) == (None, "failed", "target_gone")
    after = await house.get(made.id)
    assert (after.enabled, after.disabled_reason, after.next_run_at) == (False, "target_gone", None)
    [told] = await house.until_told(subjects.SCHEDULE_DISABLED, 1)
    assert told.decode(ScheduleDisabled).reason == "target_gone"


async def test_a_silent_fleet_is_asked_again_until_the_window_closes(house: SchedulerHouse) -> None:
    made = await make(house)
    await house.fleet.stop()
    await house.tick_at(NINE)
    assert await house.pool.fetchval("SELECT waiting_for FROM scheduler.run") == "fleet_silent"
    await house.tick_at(NINE + 60 * MINUTE)
    await house.fleet.start(house.bus)
    run = await house.run(made.id)
    assert (run.mower_id, run.outcome, run.reason) == (None, "failed", "fleet_silent")
    await house.tick_at(NINE + DAY)
    assert len(house.fleet.starts) == 3
    assert (await house.get(made.id)).enabled


async def test_a_mower_that_left_the_group_meanwhile_does_not_start_and_does_not_disable_the_rest(
    house: SchedulerHouse,
) -> None:
    made = await make(house, max_concurrent=1)
    await house.tick_at(NINE)
    first = house.fleet.starts[0].mower_id
    stays, leaves = (mower_id for mower_id in MOWERS if mower_id != first)
    house.fleet.add_group(GROUP, first, stays, max_concurrent=1)
    await house.tick_at(NINE + MINUTE)
    found = {run.mower_id: (run.outcome, run.reason) for run in await house.runs(made.id)}
    assert found[leaves] == ("failed", "target_gone")
    assert found[stays] == (None, None)
    assert (await house.get(made.id)).enabled


async def test_rights_count_for_the_firing_as_a_whole(house: SchedulerHouse) -> None:
    house.fleet.known.add(OTHER)
    for mower_id in MOWERS:
        house.fleet.add_mower(mower_id)
    house.fleet.add_group(GROUP, *MOWERS)
    made = await house.create(principal=OTHER, target=Target(group_id=GROUP))
    house.fleet.denied = {(OTHER, Relation.CAN_CONTROL)}
    for number in range(3):
        await house.tick_at(NINE + number * DAY)
        assert (await house.get(made.id)).enabled == (number < 2)
    assert {run.outcome for run in await house.runs(made.id)} == {"skipped_permission"}
    assert (await house.get(made.id)).disabled_reason == "permission"
    await house.until_told(subjects.SCHEDULE_DISABLED, 1)


async def test_making_one_needs_the_rights_on_each_of_its_mowers(house: SchedulerHouse) -> None:
    house.fleet.add_group(GROUP, MOWER)
    house.fleet.known.add(OTHER)
    house.fleet.denied = {(OTHER, Relation.CAN_CONTROL)}
    with pytest.raises(ForbiddenError):
        await house.create(principal=OTHER, target=Target(group_id=GROUP))
    with pytest.raises(InvalidError) as unknown:
        await house.create(target=Target(group_id="group-9"))
    assert unknown.value.field == "target.group_id"
    with pytest.raises(InvalidError) as areas:
        await house.create(target=Target(group_id=GROUP), area_ids=("area-1",))
    assert areas.value.field == "area_ids"


async def test_a_group_across_sites_takes_the_default_site_s_zone_and_moves_with_its_mowers(
    house: SchedulerHouse,
) -> None:
    away = msgspec.structs.replace(house.fleet.site, id="away", time_zone="America/New_York")
    house.fleet.add_mower(SECOND_MOWER)
    house.fleet.change_mower(SECOND_MOWER, site=away)
    house.fleet.change_mower(MOWER, site=away)
    house.fleet.add_group(GROUP, MOWER, SECOND_MOWER)
    made = await house.create(target=Target(group_id=GROUP))
    assert made.effective_time_zone == "America/New_York"
    house.fleet.change_mower(SECOND_MOWER, site=house.fleet.site)
    await house.tell_group_changed(GROUP)
    await house.until_zone(made.id, "Europe/Berlin")
    assert (await house.get(made.id)).next_run_at == NINE


async def test_the_schedules_of_a_mower_are_those_of_its_groups_too(house: SchedulerHouse) -> None:
    made = await make(house)
    own = await house.create(name="Own")
    request = ListSchedulesRequest(on_behalf_of=OWNER, account_id="home", mower_id=MOWER)
    listed = (await house.bus.request(routes.SCHEDULES_LIST, request)).items
    assert [schedule.id for schedule in listed] == sorted((made.id, own.id))
    request = msgspec.structs.replace(request, mower_id="mower-9")
    assert (await house.bus.request(routes.SCHEDULES_LIST, request)).items == ()


async def test_running_a_group_now_is_one_run_per_mower_once_per_key(house: SchedulerHouse) -> None:
    made = await make(house)
    reply = await house.run_now(made.id)
    assert {run.mower_id: run.outcome for run in reply.runs} == dict.fromkeys(MOWERS, "started")
    house.fleet.add_mower("mower-4")
    house.fleet.add_group(GROUP, *MOWERS, "mower-4")
    assert {run.id for run in (await house.run_now(made.id)).runs} == {run.id for run in reply.runs}
    assert len(house.fleet.starts) == 3


async def test_running_now_there_is_no_waiting_for_a_slot(house: SchedulerHouse) -> None:
    made = await make(house, max_concurrent=1)
    reply = await house.run_now(made.id)
    assert sorted((str(run.outcome), run.reason) for run in reply.runs) == [
        ("skipped_window", "no_slot"),
        ("skipped_window", "no_slot"),
        ("started", None),
    ]


async def test_running_a_group_now_that_is_gone_says_so(house: SchedulerHouse) -> None:
    made = await make(house)
    house.fleet.groups.clear()
    house.fleet.mowers.clear()
    [run] = (await house.run_now(made.id)).runs
    assert (run.mower_id, run.outcome, run.reason) == (None, "failed", "target_gone")


async def test_what_was_passed_over_is_one_row_for_the_group(house: SchedulerHouse) -> None:
    made = await make(house)
    await house.tick_at(NINE + 2 * DAY)
    missed = [run for run in await house.runs(made.id) if run.reason == "missed"]
    assert [(run.mower_id, run.numbers["missed"]) for run in missed] == [(None, 2)]
    assert len(house.fleet.starts) == 3


async def test_a_clock_that_was_set_back_fires_a_group_only_once(house: SchedulerHouse) -> None:
    made = await make(house)
    await house.tick_at(NINE)
    await house.tick_at(NINE - 10 * MINUTE)
    await house.tick_at(NINE)
    assert len(await house.runs(made.id)) == len(house.fleet.starts) == 3
    assert (await house.get(made.id)).next_run_at == NINE + DAY
