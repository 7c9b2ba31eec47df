"""Time: nothing is caught up, clocks jump both ways, clock changes, the process's own zone."""

import os
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.schedules import EveryNDaysRecurrence, OnceRecurrence, WeeklyRecurrence
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


async def test_after_days_without_power_the_latest_still_starts_inside_its_window(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.tick_at(NINE + 3 * DAY + 20 * MINUTE)
    missed, started = await house.runs(made.id)
    assert (missed.outcome, missed.reason, missed.final) == ("skipped_window", "missed", True)
    assert (missed.numbers["missed"], missed.occurrence_at) == (3, NINE)
    assert (started.outcome, started.occurrence_at) == ("started", NINE + 3 * DAY)
    assert [start.key for start in house.fleet.starts] == [f"{made.id}:2026-05-07T07:00:00Z:{MOWER}"]
    assert (await house.get(made.id)).next_run_at == NINE + 4 * DAY


async def test_past_its_window_it_is_recorded_and_not_started(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.tick_at(NINE + 60 * MINUTE)
    run = await house.run(made.id)
    assert (run.outcome, run.reason, run.final) == ("skipped_window", "window_closed", True)
    assert house.fleet.asked == []


async def test_a_forward_jump_records_what_it_leaps_over(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.tick_at(NINE + 400 * DAY + 120 * MINUTE)
    missed, latest = await house.runs(made.id)
    assert (missed.numbers["missed"], latest.outcome) == (400, "skipped_window")
    assert house.fleet.asked == []


async def test_a_clock_that_was_ahead_for_a_while_takes_no_firing_away(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.tick_at(NINE + 400 * DAY + 120 * MINUTE)
    await house.tick_at(NINE - 30 * MINUTE)
    assert (await house.get(made.id)).next_run_at == NINE
    await house.tick_at(NINE)
    assert [start.key for start in house.fleet.starts] == [f"{made.id}:2026-05-04T07:00:00Z:{MOWER}"]


async def test_the_one_firing_whose_window_a_clock_that_was_ahead_saw_closed_still_comes(
    house: SchedulerHouse,
) -> None:
    made = await house.create()
    await house.tick_at(NINE + 120 * MINUTE)
    assert (await house.run(made.id)).reason == "window_closed"
    await house.tick_at(NINE - 30 * MINUTE)
    await house.tick_at(NINE)
    await house.tick_at(NINE - 30 * MINUTE)
    await house.tick_at(NINE + MINUTE)
    assert [start.key for start in house.fleet.starts] == [f"{made.id}:2026-05-04T07:00:00Z:{MOWER}"]
    assert [run.outcome for run in await house.runs(made.id)] == ["skipped_window", "started"]


@pytest.mark.parametrize("ahead", [120 * MINUTE, DAY + 120 * MINUTE, 400 * DAY])
async def test_a_clock_that_comes_back_in_the_middle_of_a_window_starts_what_it_leapt_over(
    house: SchedulerHouse, ahead: timedelta
) -> None:
    made = await house.create()
    await house.tick_at(NINE - MINUTE + ahead)
    assert house.fleet.asked == []
    for minutes in (20, 21, 10, 22):
        await house.tick_at(NINE + minutes * MINUTE)
    assert [start.key for start in house.fleet.starts] == [f"{made.id}:2026-05-04T07:00:00Z:{MOWER}"]
    assert (await house.get(made.id)).next_run_at == NINE + DAY
    assert [run.outcome for run in await house.runs(made.id) if run.occurrence_at == NINE][-1] == "started"


async def test_a_clock_that_comes_back_starts_nothing_of_a_plan_that_was_made_in_the_window(
    house: SchedulerHouse,
) -> None:
    house.clock.moment = NINE + 30 * MINUTE
    made = await house.create()
    await house.tick_at(NINE + 10 * MINUTE)
    assert (await house.get(made.id)).next_run_at == NINE + DAY
    assert (house.fleet.asked, await house.runs(made.id)) == ([], [])


async def test_after_a_backward_jump_the_same_occurrence_does_not_fire_again(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.tick_at(NINE)
    assert len(house.fleet.starts) == 1
    await house.tick_at(NINE - 30 * MINUTE)
    assert (await house.get(made.id)).next_run_at == NINE
    await house.tick_at(NINE + MINUTE)
    assert (await house.get(made.id)).next_run_at == NINE + DAY
    assert len(house.fleet.starts) == len(house.fleet.asked) == 1
    assert len(await house.runs(made.id)) == 1


async def test_a_pending_firing_of_a_clock_that_was_ahead_waits_for_its_time(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.fleet.stop()
    await house.tick_at(NINE)
    await house.fleet.start(house.bus)
    await house.tick_at(NINE - 30 * MINUTE)
    assert (await house.run(made.id)).outcome is None
    assert house.fleet.asked == []
    await house.tick_at(NINE + MINUTE)
    assert (await house.run(made.id)).outcome == "started"


async def test_a_pending_firing_is_looked_at_though_it_was_put_off_by_a_clock_that_was_ahead(
    house: SchedulerHouse,
) -> None:
    made = await house.create(duration_minutes=1440)
    await house.fleet.stop()
    await house.tick_at(NINE)
    await house.tick_at(NINE + 600 * MINUTE)
    await house.fleet.start(house.bus)
    await house.tick_at(NINE + 10 * MINUTE)
    assert (await house.run(made.id)).outcome == "started"


async def test_clock_changes_in_berlin(house: SchedulerHouse) -> None:
    house.clock.moment = datetime(2026, 3, 28, 12, tzinfo=UTC)
    gap = await house.create(recurrence=WeeklyRecurrence(days=("sun",), at="02:30"))
    assert gap.next_run_at == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    house.clock.moment = datetime(2026, 10, 24, 12, tzinfo=UTC)
    fold = await house.create(recurrence=WeeklyRecurrence(days=("sun",), at="02:30"))
    assert fold.next_run_at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    await house.tick_at(datetime(2026, 10, 25, 0, 30, tzinfo=UTC))
    assert (await house.get(fold.id)).next_run_at == datetime(2026, 11, 1, 1, 30, tzinfo=UTC)


async def test_every_three_days_counts_from_the_anchor_whatever_became_of_the_days(house: SchedulerHouse) -> None:
    made = await house.create(recurrence=EveryNDaysRecurrence(interval=3, anchor=date(2026, 5, 4), at="09:00"))
    await house.skip(made.id)
    await house.tick_at(NINE)
    assert (await house.get(made.id)).next_run_at == NINE + 3 * DAY
    await house.tick_at(NINE + 5 * DAY)
    assert (await house.get(made.id)).next_run_at == NINE + 6 * DAY


async def test_once_is_once_and_has_no_next_run_then(house: SchedulerHouse) -> None:
    made = await house.create(recurrence=OnceRecurrence(day=date(2026, 5, 4), at="09:00"))
    await house.tick_at(NINE)
    after = await house.get(made.id)
    assert (after.next_run_at, after.next_effective_run_at, after.enabled) == (None, None, True)
    await house.tick_at(NINE + 7 * DAY)
    assert len(await house.runs(made.id)) == 1


async def test_bounds_end_the_plan(house: SchedulerHouse) -> None:
    made = await house.create(ends_on=date(2026, 5, 5))
    await house.tick_at(NINE)
    await house.tick_at(NINE + DAY)
    assert (await house.get(made.id)).next_run_at is None


@pytest.fixture(params=["Pacific/Kiritimati", "America/Anchorage"])
def process_zone(request: pytest.FixtureRequest) -> Iterator[str]:
    """Have the process live in another zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield request.param
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


async def test_the_process_s_own_zone_does_not_matter(process_zone: str, house: SchedulerHouse) -> None:
    assert time.tzname[0] in {"+14", "AKST"}, process_zone
    made = await house.create()
    assert made.next_run_at == NINE
    await house.tick_at(NINE - timedelta(seconds=1))
    assert house.fleet.asked == []
    await house.tick_at(NINE)
    assert (await house.run(made.id)).occurrence_at == NINE
    assert (await house.get(made.id)).next_run_at == NINE + DAY


async def test_a_schedule_whose_zone_is_gone_is_disabled_and_keeps_nobody_from_their_turn(
    house: SchedulerHouse,
) -> None:
    lost = await house.create()
    other = await house.create(name="Other")
    await house.pool.execute("UPDATE scheduler.schedule SET effective_time_zone = 'Lost/Zone' WHERE id = $1", lost.id)
    assert (await house.get(lost.id)).next_run_at == NINE
    await house.tick_at(NINE)
    assert (await house.run(other.id)).outcome == "started"
    after = await house.get(lost.id)
    assert (after.enabled, after.disabled_reason, after.next_run_at) == (False, "plan_not_understood", None)
    await house.until_told(subjects.SCHEDULE_DISABLED, 1)
    mended = await house.update(lost.id, time_zone="Europe/Berlin", enabled=True)
    assert (mended.next_run_at, mended.disabled_reason) == (NINE + DAY, None)
    await house.delete(lost.id)
