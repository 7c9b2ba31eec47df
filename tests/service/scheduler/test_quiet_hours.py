"""Quiet hours of a site: nothing is started inside, and mowers are home when they begin."""

from datetime import UTC, datetime, timedelta

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.contracts.quiet_hours import QuietHours, QuietTime
from edge_gateway.contracts.schedules import RainSettings, Run, WeeklyRecurrence
from tests.service.scheduler.house import DAILY, MOWER, NINE, SchedulerHouse

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


def at(begin: str, end: str) -> QuietHours:
    return QuietHours(begin=QuietTime(at=begin), end=QuietTime(at=end))


@pytest.mark.parametrize(
    ("quiet_hours", "starts"),
    [
        (None, True),
        (at("09:00", "10:00"), False),
        (at("21:00", "09:00"), True),
        (at("21:00", "09:01"), False),
        (at("09:15", "10:00"), False),
        (at("09:16", "10:00"), True),
    ],
)
async def test_nothing_is_started_inside_them_nor_just_before(
    house: SchedulerHouse,
    quiet_hours: QuietHours | None,
    starts: bool,  # noqa: FBT001
) -> None:
    house.fleet.change_site(quiet_hours=quiet_hours)
    await house.create()
    await house.tick_at(NINE)
    run = await house.run()
    if starts:
        assert run.outcome == "started"
        return
    assert (run.outcome, run.reason, run.final) == ("skipped_window", "quiet_hours", True)
    assert run.sentence is not None
    assert run.sentence.startswith("skipped: quiet hours from ")
    assert house.fleet.asked == []


async def test_a_late_start_does_not_defeat_them(house: SchedulerHouse) -> None:
    house.fleet.change_site(quiet_hours=at("10:30", "12:00"))
    await house.create(duration_minutes=180)
    house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
    await house.tick_at(NINE)
    house.fleet.refusal = None
    await house.tick_at(NINE + 76 * MINUTE)
    run = await house.run()
    assert (run.outcome, run.reason) == ("skipped_window", "quiet_hours")
    assert house.fleet.starts == []


async def test_waiting_for_the_rain_does_not_defeat_them(house: SchedulerHouse) -> None:
    await house.restart(static_weather="rain")
    house.fleet.change_site(quiet_hours=at("10:30", "12:00"))
    await house.create(duration_minutes=180, when_held="wait")
    await house.tick_at(NINE)
    assert (await house.run()).outcome is None
    await house.restart(static_weather="dry")
    await house.tick_at(NINE + 100 * MINUTE)
    assert (await house.run()).reason == "quiet_hours"


async def test_run_now_needs_a_word_for_them(house: SchedulerHouse) -> None:
    house.fleet.change_site(quiet_hours=at("07:00", "12:00"))
    made = await house.create()
    [refused] = (await house.run_now(made.id, "one")).runs
    assert (refused.outcome, refused.reason) == ("skipped_window", "quiet_hours")
    [run] = (await house.run_now(made.id, "two", override_quiet_hours=True)).runs
    assert run.outcome == "started"
    await house.report(Activity.MOWING, NINE - 59 * MINUTE, job=job(house))
    await house.tick_at(NINE - 58 * MINUTE)
    await house.tick_at(NINE - 57 * MINUTE)
    assert house.fleet.follow_ups == []


def job(house: SchedulerHouse, *, resumable: bool = True) -> Job:
    return Job(id="job", command_id=house.fleet.starts[-1].id, resumable=resumable)


async def test_a_mower_is_sent_home_in_time_and_its_run_ends_so(house: SchedulerHouse) -> None:
    house.fleet.change_mower(MOWER, provider="simulator")
    house.fleet.change_site(quiet_hours=at("10:00", "12:00"))
    made = await house.create(duration_minutes=180)
    await house.tick_at(NINE)
    await house.report(Activity.MOWING, NINE + MINUTE, job=job(house))
    await house.tick_at(NINE + 44 * MINUTE)
    await house.tick_at(NINE + 45 * MINUTE - SECOND)
    assert house.fleet.follow_ups == []
    await house.tick_at(NINE + 45 * MINUTE)
    [order] = house.fleet.follow_ups
    run = await house.run(made.id)
    assert (order.body.kind, order.key) == (CommandKind.RETURN_TO_DOCK, f"{run.id}:quiet_hours:1")
    assert (order.origin, order.schedule_id) == ("scheduler", made.id)
    assert run.numbers["sent_home"]["cause"] == "quiet_hours"
    assert run.sentence == "started, it was sent home for the quiet hours at 09:45"

    house.fleet.end_command(CommandStatus.CONFIRMED)
    await house.report(Activity.RETURNING, NINE + 46 * MINUTE, job=job(house))
    await house.tick_at(NINE + 47 * MINUTE)
    await house.report(Activity.DOCKED, NINE + 50 * MINUTE, job=job(house), progress_percent=40.0)
    await house.tick_at(NINE + 51 * MINUTE)
    assert len(house.fleet.follow_ups) == 1
    assert (await house.run(made.id)).ended_at is None
    await house.report(Activity.DOCKED, NINE + 299 * MINUTE, job=job(house), progress_percent=40.0)
    await house.tick_at(NINE + 300 * MINUTE)
    run = await house.run(made.id)
    assert (run.end_reason, run.final) == ("quiet_hours", True)
    told = await house.until_told(subjects.RUN_RECORDED, run.revision)
    assert told[-1].decode(Run).end_reason == "quiet_hours"


async def test_one_that_charges_when_they_are_near_does_not_leave_in_them(house: SchedulerHouse) -> None:
    house.fleet.change_mower(MOWER, provider="simulator")
    house.fleet.change_site(quiet_hours=at("10:00", "12:00"))
    made = await house.create(duration_minutes=180)
    await house.tick_at(NINE)
    await house.report(Activity.MOWING, NINE + MINUTE, job=job(house))
    await house.tick_at(NINE + 2 * MINUTE)
    await house.report(Activity.DOCKED, NINE + 30 * MINUTE, job=job(house), progress_percent=40.0)
    await house.tick_at(NINE + 44 * MINUTE)
    assert house.fleet.follow_ups == []
    await house.tick_at(NINE + 45 * MINUTE)
    [order] = house.fleet.follow_ups
    assert (order.body.kind, order.key) == (CommandKind.CANCEL_JOB, f"{(await house.run(made.id)).id}:cancel:1")
    house.fleet.end_command(CommandStatus.CONFIRMED)
    await house.report(Activity.DOCKED, NINE + 46 * MINUTE, progress_percent=40.0)
    await house.tick_at(NINE + 47 * MINUTE)
    run = await house.run(made.id)
    assert (run.end_reason, run.final, len(house.fleet.follow_ups)) == ("quiet_hours", True, 1)


async def test_a_parked_mower_is_free_for_the_next_firing(house: SchedulerHouse) -> None:
    house.fleet.change_mower(MOWER, provider="simulator")
    house.fleet.change_site(quiet_hours=at("10:00", "12:00"))
    first = await house.create(duration_minutes=180)
    await house.create(name="Later", recurrence=WeeklyRecurrence(days=DAILY.days, at="12:05"))
    await house.tick_at(NINE)
    await house.report(Activity.MOWING, NINE + MINUTE, job=job(house))
    await house.tick_at(NINE + 2 * MINUTE)
    await house.tick_at(NINE + 45 * MINUTE)
    house.fleet.end_command(CommandStatus.CONFIRMED)
    await house.report(Activity.DOCKED, NINE + 50 * MINUTE, job=job(house), progress_percent=40.0)
    await house.tick_at(NINE + 51 * MINUTE)
    await house.tick_at(NINE + 185 * MINUTE)
    assert len(house.fleet.starts) == 2
    await house.tick_at(NINE + 186 * MINUTE)
    assert (await house.run(first.id)).end_reason == "quiet_hours"


async def test_the_sun_counts_where_the_site_has_coordinates(house: SchedulerHouse) -> None:
    sunset = QuietHours(begin=QuietTime(at="12:00", sun="sunset"), end=QuietTime(at="07:00", sun="sunrise"))
    house.fleet.change_site(quiet_hours=sunset, latitude=52.52, longitude=13.4)
    recurrence = WeeklyRecurrence(days=DAILY.days, at="20:10")
    await house.create(recurrence=recurrence, rain=RainSettings(enabled=False))
    ten_past_eight = datetime(2026, 5, 4, 18, 10, tzinfo=UTC)
    await house.tick_at(ten_past_eight)
    # The sun sets at 20:39 in Berlin on 4 May, so that mowers are called home at 20:24.
    assert (await house.run()).outcome == "started"
    await house.report(Activity.MOWING, ten_past_eight + MINUTE, job=job(house))
    await house.tick_at(ten_past_eight + 10 * MINUTE)
    assert house.fleet.follow_ups == []
    await house.tick_at(ten_past_eight + 16 * MINUTE)
    assert [order.body.kind for order in house.fleet.follow_ups] == [CommandKind.RETURN_TO_DOCK]
