"""Skipping an occurrence: visible, undoable, consumed once, through restarts and edits."""

from datetime import date, timedelta

import pytest

from edge_gateway.contracts.errors import ConflictError, InvalidError, MowDeckError, UnavailableError
from edge_gateway.contracts.schedules import WeeklyRecurrence
from tests.service.scheduler.house import MONDAY, NINE, SchedulerHouse

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


async def test_skip_next_is_seen_and_undone(house: SchedulerHouse) -> None:
    made = await house.create()
    skipped = await house.skip(made.id)
    assert (skipped.next_run_at, skipped.next_run_skipped, skipped.skips) == (NINE, True, (MONDAY,))
    assert skipped.next_effective_run_at == NINE + DAY
    undone = await house.unskip(made.id)
    assert (undone.next_run_skipped, undone.skips, undone.next_effective_run_at) == (False, (), NINE)
    await house.tick_at(NINE)
    assert (await house.run(made.id)).outcome == "started"


async def test_skipping_twice_is_skipping_once(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.skip(made.id)
    assert (await house.skip(made.id)).skips == (MONDAY,)
    assert (await house.skip(made.id, NINE)).skips == (MONDAY,)
    await house.tick_at(NINE)
    await house.tick_at(NINE + DAY)
    assert [run.outcome for run in await house.runs(made.id)] == ["skipped_manual", "started"]


async def test_a_skip_survives_a_restart_and_an_edit(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.skip(made.id)
    await house.update(made.id, name="Other", duration_minutes=30)
    await house.restart()
    assert (await house.get(made.id)).skips == (MONDAY,)
    assert (await house.update(made.id, recurrence={"at": "09:30"})).skips == (MONDAY,)
    await house.tick_at(NINE + 30 * MINUTE)
    run = await house.run(made.id)
    assert (run.outcome, run.reason) == ("skipped_manual", "skipped")


async def test_a_skip_is_dropped_when_its_date_is_no_longer_due_or_the_schedule_is_disabled(
    house: SchedulerHouse,
) -> None:
    made = await house.create()
    await house.skip(made.id)
    assert (await house.update(made.id, recurrence={"days": ["tue"]})).skips == ()
    await house.skip(made.id)
    await house.update(made.id, enabled=False)
    assert (await house.update(made.id, enabled=True)).skips == ()


async def test_any_later_occurrence_can_be_skipped(house: SchedulerHouse) -> None:
    made = await house.create()
    later = await house.skip(made.id, NINE + 2 * DAY)
    assert (later.next_run_skipped, later.skips) == (False, (MONDAY + 2 * DAY,))
    for number in range(4):
        await house.tick_at(NINE + number * DAY)
        await house.tick_at(NINE + number * DAY + timedelta(hours=3))
    assert [run.outcome for run in await house.runs(made.id)][2] == "skipped_manual"
    assert (await house.get(made.id)).skips == ()


async def test_what_is_no_occurrence_cannot_be_skipped(house: SchedulerHouse) -> None:
    made = await house.create(recurrence=WeeklyRecurrence(days=("mon",), at="09:00"))
    for moment in (NINE + MINUTE, NINE + DAY, NINE - 7 * DAY):
        with pytest.raises(InvalidError) as refused:
            await house.skip(made.id, moment)
        assert refused.value.field == "occurrence"
    await house.update(made.id, enabled=False)
    for named in (None, NINE):
        with pytest.raises(ConflictError) as disabled:
            await house.skip(made.id, named)
        assert disabled.value.code == "no_next_run"


async def test_one_that_was_asked_for_or_has_begun_is_a_conflict(house: SchedulerHouse) -> None:
    made = await house.create()
    house.fleet.refusal = MowDeckError("internal", "Broken.")
    await house.tick_at(NINE)
    with pytest.raises(ConflictError) as asked:
        await house.skip(made.id, NINE)
    house.fleet.refusal = None
    await house.tick_at(NINE + 10 * SECOND)
    assert (await house.run(made.id)).outcome == "started"
    with pytest.raises(ConflictError) as begun:
        await house.skip(made.id, NINE)
    assert {asked.value.code, begun.value.code} == {"firing"}
    assert (await house.skip(made.id)).skips == (MONDAY + DAY,)


async def test_one_that_still_waits_is_skipped(house: SchedulerHouse) -> None:
    made = await house.create()
    house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
    await house.tick_at(NINE)
    after = await house.skip(made.id, NINE)
    assert (after.skips, after.next_run_skipped) == ((), False)
    run = await house.run(made.id)
    assert (run.outcome, run.reason) == ("skipped_manual", "skipped")
    assert await house.skip(made.id, NINE) == after
    house.fleet.refusal = None
    await house.tick_at(NINE + MINUTE)
    assert house.fleet.starts == []


async def test_one_that_is_due_and_not_yet_claimed_is_skipped(house: SchedulerHouse) -> None:
    made = await house.create()
    house.clock.moment = NINE + SECOND
    await house.skip(made.id, NINE)
    await house.service.tick()
    run = await house.run(made.id)
    assert (run.outcome, run.occurrence_at) == ("skipped_manual", NINE)
    after = await house.get(made.id)
    assert (after.skips, after.next_run_at) == ((), NINE + DAY)


async def test_the_skipped_date_is_the_one_that_the_rule_walked(house: SchedulerHouse) -> None:
    # Nuuk goes from 23:00 to 24:00 on 28 March: 23:30 that Saturday is 00:30 on Sunday.
    house.clock.moment = NINE - 40 * DAY
    made = await house.create(
        time_zone="America/Nuuk", recurrence=WeeklyRecurrence(days=("sat",), at="23:30"), starts_on=date(2026, 3, 28)
    )
    skipped = await house.skip(made.id)
    assert skipped.skips == (date(2026, 3, 28),)
    assert skipped.next_run_at is not None
    await house.tick_at(skipped.next_run_at)
    assert (await house.run(made.id)).outcome == "skipped_manual"
