"""Run-now: for its caller, whatever the rain rule says, once per key, answered at once."""

import asyncio
from datetime import timedelta

import pytest

from edge_gateway.contracts.errors import ConflictError, ForbiddenError, InvalidError, MowDeckError, UnavailableError
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import OWNER, Relation
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse

OTHER = "user:other"
SECOND = timedelta(seconds=1)


async def test_it_runs_for_its_caller_though_it_rains(house: SchedulerHouse) -> None:
    await house.restart(static_weather="rain")
    made = await house.create(area_ids=("area-2",))
    house.fleet.known.add(OTHER)
    [run] = (await house.run_now(made.id, principal=OTHER)).runs
    assert (run.outcome, run.owner, run.run_now) == ("started", OTHER, True)
    assert run.window_ends_at == house.clock.moment + timedelta(minutes=60)
    [start] = house.fleet.starts
    assert (start.key, start.issued_by) == (f"{made.id}:now:key-1:{MOWER}", OTHER)
    assert start.body.area_ids == ("area-2",)
    after = await house.get(made.id)
    assert (after.owner, after.next_run_at) == (OWNER, NINE)
    await house.report(Activity.MOWING, house.clock.moment + SECOND)
    await house.tick_at(house.clock.moment + SECOND)
    assert (await house.run(made.id)).final


async def test_a_key_runs_once(house: SchedulerHouse) -> None:
    made = await house.create()
    replies = await asyncio.gather(*(house.run_now(made.id) for _ in range(5)))
    assert len({reply.runs[0].id for reply in replies}) == 1
    assert len(house.fleet.starts) == len(house.fleet.asked) == 1
    house.fleet.known.add(OTHER)
    with pytest.raises(ConflictError) as reused:
        await house.run_now(made.id, principal=OTHER)
    assert reused.value.code == "key_reused"
    [busy] = (await house.run_now(made.id, key="key-2")).runs
    assert (busy.outcome, busy.reason) == ("skipped_mower_busy", "other_run")


async def test_a_disabled_schedule_can_be_run(house: SchedulerHouse) -> None:
    made = await house.create(enabled=False)
    [run] = (await house.run_now(made.id)).runs
    assert run.outcome == "started"
    assert not (await house.get(made.id)).enabled


async def test_it_needs_the_right_to_control_and_a_person(house: SchedulerHouse) -> None:
    made = await house.create()
    house.fleet.known |= {OTHER, "service:voice"}
    house.fleet.denied = {(OTHER, Relation.CAN_CONTROL)}
    with pytest.raises(ForbiddenError) as refused:
        await house.run_now(made.id, principal=OTHER)
    assert refused.value.code == "forbidden"
    house.fleet.denied = {(OTHER, Relation.CAN_EDIT_SCHEDULE)}
    assert (await house.run_now(made.id, principal=OTHER)).runs[0].outcome == "started"
    with pytest.raises(ForbiddenError) as service:
        await house.run_now(made.id, principal="service:voice")
    assert service.value.code == "service_principal"
    with pytest.raises(InvalidError) as key:
        await house.run_now(made.id, key="")
    assert key.value.field == "key"


async def test_a_mower_that_cannot_be_reached_does_not_start_later_behind_the_caller_s_back(
    house: SchedulerHouse,
) -> None:
    made = await house.create()
    house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
    [run] = (await house.run_now(made.id)).runs
    assert (run.outcome, run.reason, run.final) == ("failed", "unavailable", True)
    house.fleet.refusal = None
    await house.tick_at(house.clock.moment + 120 * SECOND)
    assert house.fleet.starts == []
    assert (await house.get(made.id)).enabled


async def test_an_answer_that_was_lost_is_resolved(house: SchedulerHouse) -> None:
    made = await house.create()
    house.fleet.refusal = MowDeckError("internal", "Broken.")
    [run] = (await house.run_now(made.id)).runs
    assert run.outcome is None
    house.fleet.refusal = None
    await house.tick_at(house.clock.moment + 10 * SECOND)
    assert (await house.run(made.id)).outcome == "started"
    assert len(house.fleet.starts) == 1


async def test_it_consumes_no_skip_and_counts_for_no_right(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.skip(made.id)
    await house.run_now(made.id)
    assert len((await house.get(made.id)).skips) == 1


async def test_one_that_was_never_asked_for_does_not_start_half_a_minute_later(house: SchedulerHouse) -> None:
    made = await house.create()
    house.fleet.refusal = MowDeckError("internal", "Broken.")
    await house.run_now(made.id)
    house.fleet.refusal = None
    await house.tick_at(house.clock.moment + 30 * SECOND)
    run = await house.run(made.id)
    assert (run.outcome, run.reason, run.final) == ("failed", "fleet_silent", True)
    assert house.fleet.starts == []


async def test_one_whose_schedule_is_deleted_meanwhile_ends(house: SchedulerHouse) -> None:
    made = await house.create()
    house.fleet.refusal = MowDeckError("internal", "Broken.")
    await house.run_now(made.id)
    house.fleet.refusal = None
    await house.pool.execute("DELETE FROM scheduler.schedule")
    await house.tick_at(house.clock.moment + 10 * SECOND)
    run = await house.run(made.id)
    assert (run.outcome, run.reason) == ("skipped_manual", "deleted")
