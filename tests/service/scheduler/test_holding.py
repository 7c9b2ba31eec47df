"""Rain that is waited for, days that are counted, angles that take turns."""

from datetime import timedelta

import pytest

from edge_gateway.contracts.commands import CommandStatus
from edge_gateway.contracts.mower import Activity
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


async def test_a_held_run_waits_each_tick_and_starts_when_the_rule_lets_go(house: SchedulerHouse) -> None:
    await house.restart(static_weather="rain")
    made = await house.create(when_held="wait")
    await house.tick_at(NINE)
    await house.tick_at(NINE + 30 * SECOND)
    run = await house.run(made.id)
    assert (run.outcome, run.revision, run.numbers["rain_reason"]) == (None, 0, "rain_expected")
    assert run.sentence is not None
    assert run.sentence.startswith("waiting for the rain: ")
    await house.restart(static_weather="dry")
    await house.tick_at(NINE + 60 * SECOND)
    run = await house.run(made.id)
    assert (run.outcome, run.revision, run.numbers["rain_reason"]) == ("started", 1, "dry")
    assert len(house.fleet.starts) == 1


async def test_a_held_run_ends_with_its_window_and_says_rain(house: SchedulerHouse) -> None:
    await house.restart(static_weather="rain")
    made = await house.create(when_held="wait")
    await house.tick_at(NINE)
    await house.tick_at(NINE + 60 * MINUTE)
    run = await house.run(made.id)
    assert (run.outcome, run.reason, run.final) == ("skipped_rain", "rain_expected", True)
    assert (await house.runs(made.id)) == [run]


async def test_a_held_run_can_be_skipped_while_it_waits(house: SchedulerHouse) -> None:
    await house.restart(static_weather="rain")
    made = await house.create(when_held="wait")
    await house.tick_at(NINE)
    await house.skip(made.id, NINE)
    assert (await house.run(made.id)).outcome == "skipped_manual"


@pytest.mark.parametrize("when_held", ["skip", "wait"])
async def test_after_so_many_held_days_the_next_firing_runs_and_says_so(house: SchedulerHouse, when_held: str) -> None:
    await house.restart(static_weather="rain")
    made = await house.create(when_held=when_held, max_hold_days=2)
    for number in range(2):
        await house.tick_at(NINE + number * DAY)
        await house.tick_at(NINE + number * DAY + 60 * MINUTE)
    assert [run.outcome for run in await house.runs(made.id)] == ["skipped_rain", "skipped_rain"]
    await house.tick_at(NINE + 2 * DAY)
    run = (await house.runs(made.id))[-1]
    assert (run.outcome, run.numbers["held_days"], run.numbers["max_hold_days"]) == ("started", 2, 2)
    assert run.sentence is not None
    assert "it was held on 2 days in a row" in run.sentence
    # It was started although the rule holds: rain does not send it home.
    await house.report(Activity.MOWING, NINE + 2 * DAY + MINUTE)
    await house.tick_at(NINE + 2 * DAY + 2 * MINUTE)
    await house.tick_at(NINE + 2 * DAY + 3 * MINUTE)
    assert house.fleet.follow_ups == []
    await house.report(Activity.DOCKED, NINE + 2 * DAY + 30 * MINUTE)
    await house.tick_at(NINE + 2 * DAY + 31 * MINUTE)
    # The count begins anew.
    await house.tick_at(NINE + 3 * DAY)
    await house.tick_at(NINE + 3 * DAY + 60 * MINUTE)
    assert (await house.runs(made.id))[-1].outcome == "skipped_rain"


async def test_a_day_that_it_ran_ends_the_count(house: SchedulerHouse) -> None:
    await house.restart(static_weather="rain")
    made = await house.create(max_hold_days=2)
    await house.tick_at(NINE)
    await house.restart(static_weather="dry")
    await house.tick_at(NINE + DAY)
    await house.report(Activity.MOWING, NINE + DAY + MINUTE)
    await house.tick_at(NINE + DAY + 2 * MINUTE)
    await house.report(Activity.DOCKED, NINE + DAY + 30 * MINUTE)
    await house.tick_at(NINE + DAY + 31 * MINUTE)
    await house.restart(static_weather="rain")
    for number in (2, 3):
        await house.tick_at(NINE + number * DAY)
    assert [run.outcome for run in await house.runs(made.id)] == [
        "skipped_rain",
        "started",
        "skipped_rain",
        "skipped_rain",
    ]


async def mow(house: SchedulerHouse, day: int) -> None:
    """Let a firing start, be seen moving and end."""
    await house.tick_at(NINE + day * DAY)
    await house.report(Activity.MOWING, NINE + day * DAY + MINUTE)
    await house.tick_at(NINE + day * DAY + 2 * MINUTE)
    await house.report(Activity.DOCKED, NINE + day * DAY + 30 * MINUTE)
    await house.tick_at(NINE + day * DAY + 31 * MINUTE)


def angles(house: SchedulerHouse, mower_id: str = MOWER) -> list[object]:
    return [(command.body.pattern or {}).get("angle") for command in house.fleet.starts if command.mower_id == mower_id]


async def test_angles_take_turns_and_leave_the_rest_of_the_pattern_alone(house: SchedulerHouse) -> None:
    made = await house.create(angles=(0.0, 45.0, 90.0), pattern={"lanes": 2, "angle": 10.0})
    for day in range(4):
        await mow(house, day)
    assert angles(house) == [0.0, 45.0, 90.0, 0.0]
    assert {(command.body.pattern or {})["lanes"] for command in house.fleet.starts} == {2}
    assert [run.numbers["angle"] for run in await house.runs(made.id)] == [0.0, 45.0, 90.0, 0.0]


async def test_an_angle_has_its_turn_again_when_its_start_was_not_confirmed(house: SchedulerHouse) -> None:
    await house.create(angles=(0.0, 90.0))
    await house.tick_at(NINE)
    await house.end_order(CommandStatus.FAILED, "refused_by_mower")
    await house.tick_at(NINE + MINUTE)
    await house.tick_at(NINE + 5 * MINUTE)
    await house.tick_at(NINE + 4 * 60 * MINUTE)
    await mow(house, 1)
    await mow(house, 2)
    assert angles(house) == [0.0, 0.0, 90.0]


async def test_angles_turn_for_each_mower_and_each_schedule_by_itself(house: SchedulerHouse) -> None:
    other = "mower-2"
    house.fleet.add_mower(other)
    first = await house.create(angles=(0.0, 90.0))
    await mow(house, 0)
    await house.restart()
    house.fleet.add_group("group-1", MOWER, other)
    await house.update(first.id, target={"group_id": "group-1"})
    await mow(house, 1)
    assert angles(house) == [0.0, 90.0]
    assert angles(house, other) == [0.0]
    run = (await house.run_now(first.id)).runs[0]
    assert run.numbers["angle"] == 0.0
