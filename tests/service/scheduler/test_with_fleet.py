"""The Scheduler with the real Fleet; the test plays the mower's actor."""

from datetime import timedelta

import pytest

from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.commands import CommandKind, CommandStatus, StartMode
from edge_gateway.contracts.errors import ConflictError, ForbiddenError, InvalidError
from edge_gateway.contracts.groups import CreateGroupRequest, DeleteGroupRequest
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.contracts.principals import OWNER, Origin
from edge_gateway.contracts.schedules import Run, Target
from tests.eventually import eventually
from tests.service.scheduler.house import NINE
from tests.service.scheduler.with_fleet import SECOND, WholeHouse, move_site


async def run_is(whole: WholeHouse, outcome: str | None) -> Run:
    async def look() -> Run | None:
        await whole.service.tick()
        run = await whole.run()
        return run if run.outcome == outcome else None

    found = await eventually(look)
    assert found is not None
    return found


async def test_from_the_minute_to_the_dock(whole: WholeHouse) -> None:
    made = await whole.create(target=Target(mower_id=whole.mower_id), area_ids=("a1",))
    await whole.tick_at(NINE)
    run = await whole.run()
    assert run.outcome == "started"
    [order] = await whole.real.until_heard(1)
    assert (order.command_id, order.issued_by) == (run.command_id, OWNER)
    assert (order.body.kind, order.body.mode, order.body.area_ids) == (
        CommandKind.START_MOW,
        StartMode.NEW,
        ("a1",),
    )
    command = await whole.real.command(order.command_id)
    assert (command.origin, command.schedule_id, command.key) == (
        Origin.SCHEDULER,
        made.id,
        f"{made.id}:2026-05-04T07:00:00Z:{whole.mower_id}",
    )
    job = Job(id="job-1", command_id=order.command_id)
    await whole.report(Activity.MOWING, NINE + 10 * SECOND, mower_id=whole.mower_id, job=job)
    await whole.tick_at(NINE + 11 * SECOND)
    assert (await whole.run()).final
    await whole.report(Activity.DOCKED, NINE + 600 * SECOND, mower_id=whole.mower_id)
    await whole.tick_at(NINE + 601 * SECOND)
    assert (await whole.run()).end_reason == "completed"
    assert await whole.real.commands_recorded() == 1


async def test_a_mower_that_is_not_reached_is_refused_and_tried_again(whole: WholeHouse) -> None:
    await whole.create(target=Target(mower_id=whole.mower_id))
    await whole.real.tell_availability(whole.mower_id, available=False, reason="link_lost")

    async def gone() -> bool:
        return not await whole.real.reached(whole.mower_id)

    await eventually(gone)
    await whole.tick_at(NINE)
    assert (await whole.run()).outcome is None
    assert await whole.real.commands_recorded() == 0
    whole.clock.moment = NINE + 60 * SECOND
    await whole.real.tell_availability(whole.mower_id, available=True)
    await whole.real.until(lambda: whole.real.reached(whole.mower_id))
    await whole.service.tick()
    assert (await whole.run()).outcome == "started"
    assert await whole.real.commands_recorded() == 1


async def test_a_mower_in_transition_gets_a_second_order_within_the_window(whole: WholeHouse) -> None:
    await whole.create(target=Target(mower_id=whole.mower_id))
    await whole.tick_at(NINE)
    first = await whole.real.command((await whole.real.until_heard(1))[0].command_id)
    whole.clock.moment = NINE + 2 * SECOND
    await whole.real.tell_outcome(first, CommandStatus.FAILED, "in_transition")
    assert (await run_is(whole, None)).reason is None
    whole.clock.moment = NINE + 30 * SECOND
    run = await run_is(whole, "started")
    orders = await whole.real.until_heard(2)
    assert (run.command_id, len(orders)) == (orders[1].command_id, 2)


async def test_an_order_that_nobody_took_expires_and_is_given_again(whole: WholeHouse) -> None:
    await whole.create(target=Target(mower_id=whole.mower_id))
    await whole.tick_at(NINE)
    # Fleet closes what no actor took within 30 s.
    whole.clock.moment = NINE + 40 * SECOND
    await run_is(whole, None)
    whole.clock.moment = NINE + 60 * SECOND
    await run_is(whole, "started")
    assert await whole.real.commands_recorded() == 2


async def test_the_site_s_zone_moves_the_next_run(whole: WholeHouse) -> None:
    made = await whole.create(target=Target(mower_id=whole.mower_id))
    await move_site(whole, "America/New_York")

    async def moved() -> bool:
        return (await whole.get(made.id)).effective_time_zone == "America/New_York"

    await eventually(moved)
    assert (await whole.get(made.id)).next_run_at == NINE + timedelta(hours=6)


async def test_run_now_and_its_refusals(whole: WholeHouse) -> None:
    made = await whole.create(target=Target(mower_id=whole.mower_id))
    [run] = (await whole.run_now(made.id)).runs
    assert run.outcome == "started"
    command = await whole.real.command(str(run.command_id))
    assert (command.key, command.origin) == (f"{made.id}:now:key-1:{whole.mower_id}", Origin.API)
    with pytest.raises(ForbiddenError) as unknown:
        await whole.run_now(made.id, principal="user:stranger")
    assert unknown.value.code == "unknown_principal"


async def test_what_fleet_does_not_know_is_refused_when_a_schedule_is_made(whole: WholeHouse) -> None:
    with pytest.raises(InvalidError) as mower:
        await whole.create(target=Target(mower_id="nobody"))
    assert mower.value.field == "target.mower_id"
    with pytest.raises(InvalidError) as area:
        await whole.create(target=Target(mower_id=whole.mower_id), area_ids=("a1", "a9"))
    assert (area.value.field, area.value.values) == ("area_ids", {"unknown_area_ids": ["a9"]})
    made = await whole.create(target=Target(mower_id=whole.mower_id), key="k")
    with pytest.raises(ConflictError):
        await whole.create(target=Target(mower_id=whole.mower_id), key="k", name="Other")
    assert (await whole.until_told(subjects.SCHEDULE_CHANGED, 1))[0].subject_id == made.id


async def test_a_group_is_deleted_only_when_no_schedule_plans_with_it(whole: WholeHouse) -> None:
    request = CreateGroupRequest(on_behalf_of=OWNER, account_id="home", name="One", mower_ids=(whole.mower_id,))
    group = await whole.bus.request(routes.GROUPS_CREATE, request)
    made = await whole.create(target=Target(group_id=group.id), enabled=False)
    await whole.create(target=Target(mower_id=whole.mower_id))
    delete = DeleteGroupRequest(on_behalf_of=OWNER, account_id="home", group_id=group.id)
    with pytest.raises(ConflictError) as refused:
        await whole.bus.request(routes.GROUPS_DELETE, delete)
    assert (refused.value.code, refused.value.values) == (
        "group_in_use",
        {"schedules": [{"id": made.id, "name": made.name}]},
    )
    await whole.delete(made.id)
    await whole.bus.request(routes.GROUPS_DELETE, delete)


async def test_a_group_s_mowers_start_one_after_the_other_and_rain_sends_the_first_home(whole: WholeHouse) -> None:
    other = await whole.real.add_mower("sim-2")
    mower_ids = tuple(sorted((whole.mower_id, other)))
    request = CreateGroupRequest(
        on_behalf_of=OWNER, account_id="home", name="Both", mower_ids=mower_ids, max_concurrent=1
    )
    group = await whole.bus.request(routes.GROUPS_CREATE, request)
    made = await whole.create(target=Target(group_id=group.id), duration_minutes=240, when_held="wait")
    await whole.tick_at(NINE)
    [first] = await whole.real.until_heard(1)
    assert sorted(str(run.outcome) for run in await whole.runs(made.id)) == ["None", "started"]

    job = Job(id="job-1", command_id=first.command_id, resumable=True)
    await whole.report(Activity.MOWING, NINE + 10 * SECOND, mower_id=first.mower_id, job=job)
    await whole.tick_at(NINE + 11 * SECOND)
    await whole.restart(static_weather="rain")
    await whole.tick_at(NINE + 600 * SECOND)
    home = (await whole.real.until_heard(2))[1]
    run = next(run for run in await whole.runs(made.id) if run.mower_id == first.mower_id)
    command = await whole.real.command(home.command_id)
    assert (command.body.kind, command.key, command.schedule_id) == ("return_to_dock", f"{run.id}:rain:1", made.id)

    await whole.real.tell_outcome(command, CommandStatus.CONFIRMED)
    await whole.real.until_status(command.id, CommandStatus.CONFIRMED)
    await whole.report(Activity.DOCKED, NINE + 700 * SECOND, mower_id=first.mower_id, job=job)
    await whole.restart(static_weather="dry")
    await whole.tick_at(NINE + 701 * SECOND)
    await whole.tick_at(NINE + 760 * SECOND)
    # Parked, the first one leaves its slot to the other.
    third = (await whole.real.until_heard(3))[2]
    assert (third.body.kind, third.mower_id) == ("start_mow", next(id_ for id_ in mower_ids if id_ != first.mower_id))
