"""A firing from its claim to its end: refusals that pass, answers that are lost, starts that are never seen."""

from datetime import timedelta

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.commands import CommandKind, CommandStatus, StartMode
from edge_gateway.contracts.errors import (
    ConflictError,
    DeadlineError,
    ForbiddenError,
    InvalidError,
    MowDeckError,
    UnavailableError,
    UnsafeError,
)
from edge_gateway.contracts.identifiers import run_event_id
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.contracts.principals import OWNER, Origin
from edge_gateway.contracts.schedules import RainSettings, Run
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


async def test_a_due_schedule_is_one_order_and_is_confirmed_and_closed_by_what_the_mower_does(
    house: SchedulerHouse,
) -> None:
    made = await house.create(area_ids=("area-1",), pattern={"angle": 30})
    assert made.next_run_at == NINE

    await house.tick_at(NINE)
    run = await house.run(made.id)
    assert (run.outcome, run.final, run.owner, run.occurrence_at) == ("started", False, OWNER, NINE)
    assert run.window_ends_at == NINE + timedelta(minutes=60)
    [order] = house.fleet.asked
    assert order.key == f"{made.id}:2026-05-04T07:00:00Z:{MOWER}"
    assert (order.origin, order.schedule_id, order.on_behalf_of) == (Origin.SCHEDULER, made.id, OWNER)
    body = order.command
    assert (body.kind, body.mode) == (CommandKind.START_MOW, StartMode.NEW)
    assert (body.area_ids, body.pattern) == (("area-1",), {"angle": 30})
    assert run.command_id == house.fleet.starts[0].id
    assert (await house.get(made.id)).next_run_at == NINE + DAY

    job = Job(id="job-1", command_id=run.command_id)
    await house.report(Activity.MOWING, NINE + 20 * SECOND, job=job)
    await house.tick_at(NINE + 30 * SECOND)
    run = await house.run(made.id)
    assert (run.outcome, run.final, run.confirmed_at) == ("started", True, NINE + 20 * SECOND)

    await house.report(Activity.RETURNING, NINE + 40 * MINUTE, job=job, progress_percent=100.0)
    await house.tick_at(NINE + 40 * MINUTE)
    assert (await house.run(made.id)).ended_at is None
    await house.report(Activity.DOCKED, NINE + 41 * MINUTE)
    await house.tick_at(NINE + 41 * MINUTE)
    run = await house.run(made.id)
    assert (run.ended_at, run.end_reason, run.revision) == (NINE + 41 * MINUTE, "completed", 3)
    assert len(house.fleet.asked) == 1
    assert (await house.get(made.id)).last_run == run

    told = await house.until_told(subjects.RUN_RECORDED, 3)
    assert [envelope.id for envelope in told] == [run_event_id(run.id, number) for number in (1, 2, 3)]
    assert [envelope.decode(Run).outcome for envelope in told] == ["started"] * 3
    assert told[-1].decode(Run) == run
    assert {envelope.subject_id for envelope in told} == {made.id}


async def test_unnamed_areas_and_pattern_stay_the_mower_s_own(house: SchedulerHouse) -> None:
    await house.create()
    await house.tick_at(NINE)
    body = house.fleet.asked[0].command
    assert (body.area_ids, body.pattern) == (None, None)


async def test_the_record_says_by_what_was_decided(house: SchedulerHouse) -> None:
    await house.create(rain=RainSettings(probability_percent=35.0))
    await house.tick_at(NINE)
    numbers = (await house.run()).numbers
    assert (numbers["provider"], numbers["rain_reason"], numbers["wet"]) == ("static", "dry", False)
    assert (numbers["rain_rule"]["probability_percent"], numbers["rain_rule"]["lookahead_hours"]) == (35.0, 3)
    assert numbers["forecast_age_seconds"] == 0


async def test_not_seen_moving_is_a_failed_start_until_it_is_seen_after_all(house: SchedulerHouse) -> None:
    await house.create()
    await house.tick_at(NINE)
    await house.tick_at(NINE + 179 * SECOND)
    assert (await house.run()).outcome == "started"
    await house.tick_at(NINE + 180 * SECOND)
    run = await house.run()
    assert (run.outcome, run.reason, run.final) == ("failed", "start_not_confirmed", False)
    await house.report(Activity.MOWING, NINE + 400 * SECOND)
    await house.tick_at(NINE + 401 * SECOND)
    run = await house.run()
    assert (run.outcome, run.final, run.numbers["note"]) == ("started", True, "start_not_confirmed")


async def test_a_start_that_nobody_ever_saw_is_closed_two_hours_past_its_window(house: SchedulerHouse) -> None:
    await house.create()
    await house.tick_at(NINE)
    await house.tick_at(NINE + 180 * SECOND)
    await house.tick_at(NINE + timedelta(hours=3))
    run = await house.run()
    assert (run.outcome, run.reason, run.final, run.end_reason) == ("failed", "start_not_confirmed", True, "unknown")


async def test_a_charging_break_does_not_close(house: SchedulerHouse) -> None:
    await house.create()
    await house.tick_at(NINE)
    job = Job(id="job-1", command_id=house.fleet.starts[0].id, resumable=True)
    await house.report(Activity.MOWING, NINE + 20 * SECOND, job=job)
    await house.until_seen(Activity.MOWING)
    await house.report(Activity.DOCKED, NINE + 30 * MINUTE, job=job, progress_percent=40.0)
    await house.tick_at(NINE + 31 * MINUTE)
    assert (await house.run()).ended_at is None
    await house.report(Activity.MOWING, NINE + 90 * MINUTE, job=job)
    await house.until_seen(Activity.MOWING)
    await house.report(Activity.DOCKED, NINE + 120 * MINUTE, progress_percent=100.0)
    await house.tick_at(NINE + 121 * MINUTE)
    assert (await house.run()).end_reason == "completed"


async def test_an_unreachable_mower_is_tried_again_until_it_starts(house: SchedulerHouse) -> None:
    await house.create()
    house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
    await house.tick_at(NINE)
    await house.tick_at(NINE + SECOND)
    assert len(house.fleet.asked) == 1
    run = await house.run()
    assert (run.outcome, run.revision) == (None, 0)
    await house.tick_at(NINE + 6 * SECOND)
    assert len(house.fleet.asked) == 2
    house.fleet.refusal = None
    await house.tick_at(NINE + 20 * MINUTE)
    assert (await house.run()).outcome == "started"
    assert len(house.fleet.starts) == 1
    assert len({asked.key for asked in house.fleet.asked}) == 1


async def test_an_unreachable_mower_fails_when_the_window_closes(house: SchedulerHouse) -> None:
    made = await house.create()
    house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
    await house.tick_at(NINE)
    await house.tick_at(NINE + 60 * MINUTE)
    run = await house.run()
    assert (run.outcome, run.reason, run.final) == ("failed", "unavailable", True)
    assert (await house.get(made.id)).next_run_at == NINE + DAY


async def test_what_an_unreachable_mower_did_last_makes_it_neither_busy_nor_started(house: SchedulerHouse) -> None:
    await house.create()
    await house.report(Activity.MOWING, NINE - 30 * MINUTE)
    await house.tell_availability(available=False)
    await house.tick_at(NINE)
    assert (await house.run()).outcome is None
    assert house.fleet.asked == []
    await house.tell_availability(available=True)
    house.clock.moment = NINE + MINUTE
    await house.tell_availability(available=True)
    await house.report(Activity.DOCKED, NINE + MINUTE)
    await house.tick_at(NINE + 2 * MINUTE)
    assert (await house.run()).outcome == "started"


async def test_no_fleet_at_all_fails_in_the_end_and_the_schedule_goes_on(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.fleet.stop()
    await house.tick_at(NINE)
    await house.tick_at(NINE + 59 * MINUTE)
    await house.fleet.start(house.bus)
    assert (await house.run()).outcome is None
    await house.fleet.stop()
    await house.tick_at(NINE + 61 * MINUTE)
    await house.fleet.start(house.bus)
    run = await house.run()
    assert (run.outcome, run.reason) == ("failed", "fleet_silent")
    after = await house.get(made.id)
    assert (after.enabled, after.next_run_at) == (True, NINE + DAY)


@pytest.mark.parametrize(
    ("refusal", "outcome", "reason"),
    [
        (ForbiddenError("forbidden", "No."), "skipped_permission", "forbidden"),
        (UnsafeError("mower_lifted", "No."), "failed", "mower_lifted"),
        (InvalidError("invalid", "No.", field="pattern"), "failed", "invalid"),
        (ConflictError("key_reused", "No."), "failed", "key_reused"),
    ],
)
async def test_what_fleet_refuses_for_good_ends_the_run(
    house: SchedulerHouse, refusal: MowDeckError, outcome: str, reason: str
) -> None:
    await house.create()
    house.fleet.refusal = refusal
    await house.tick_at(NINE)
    await house.tick_at(NINE + 10 * MINUTE)
    run = await house.run()
    assert (run.outcome, run.reason, run.final) == (outcome, reason, True)
    assert len(house.fleet.asked) == 1


@pytest.mark.parametrize("refusal", [MowDeckError("internal", "Broken."), DeadlineError("no_answer", "Silent.")])
async def test_an_answer_that_says_nothing_is_resolved_by_the_key(house: SchedulerHouse, refusal: MowDeckError) -> None:
    await house.create()
    house.fleet.refusal = refusal
    await house.tick_at(NINE)
    assert (await house.run()).outcome is None
    house.fleet.refusal = None
    await house.tick_at(NINE + 6 * SECOND)
    assert (await house.run()).outcome == "started"
    assert len(house.fleet.starts) == 1


async def _not_answered_for(house: SchedulerHouse, *, taken: bool) -> None:
    """Let a firing be ordered, and Fleet be silent from then on until the window is over."""
    await house.create()
    house.fleet.loses_answers = taken
    house.fleet.refusal = None if taken else MowDeckError("internal", "Broken.")
    await house.tick_at(NINE)
    await house.fleet.stop()
    await house.tick_at(NINE + 30 * MINUTE)
    await house.tick_at(NINE + 60 * MINUTE)


async def test_what_cannot_be_resolved_is_outcome_unknown_and_followed(house: SchedulerHouse) -> None:
    await _not_answered_for(house, taken=True)
    await house.report(Activity.MOWING, NINE + 61 * MINUTE)
    await house.tick_at(NINE + 60 * MINUTE + SECOND)
    await house.fleet.start(house.bus)
    run = await house.run()
    assert (run.outcome, run.final, run.numbers["note"]) == ("started", True, "outcome_unknown")


async def test_what_was_taken_after_all_is_found_by_its_key_and_never_given_again(house: SchedulerHouse) -> None:
    await _not_answered_for(house, taken=True)
    # A job of somebody else proves nothing.
    await house.report(Activity.MOWING, NINE + 61 * MINUTE, job=Job(id="job-9", command_id="command-9"))
    await house.tick_at(NINE + 61 * MINUTE)
    await house.fleet.start(house.bus)
    run = await house.run()
    assert (run.outcome, run.reason, run.final) == ("failed", "outcome_unknown", False)
    [command] = house.fleet.starts
    # Who may not see it any more is no reason to lose sight of the mower.
    house.fleet.known = set()
    house.fleet.end_command(CommandStatus.CONFIRMED)
    await house.tick_at(NINE + 62 * MINUTE)
    house.fleet.known = {OWNER}
    run = await house.run()
    assert (run.outcome, run.command_id, run.final) == ("started", command.id, True)
    assert len(house.fleet.asked) == 1


async def test_what_fleet_never_took_ends_and_starts_nothing(house: SchedulerHouse) -> None:
    await _not_answered_for(house, taken=False)
    await house.fleet.start(house.bus)
    assert (await house.run()).reason == "outcome_unknown"
    await house.tick_at(NINE + 61 * MINUTE)
    run = await house.run()
    assert (run.outcome, run.reason, run.final) == ("failed", "fleet_silent", True)
    assert len(house.fleet.asked) == 1


async def test_an_order_that_could_not_leave_is_given_again_under_the_next_key(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.tick_at(NINE)
    house.fleet.end_command(CommandStatus.FAILED, "in_transition")
    await house.tick_at(NINE + 10 * SECOND)
    assert (await house.run()).outcome is None
    await house.tick_at(NINE + 30 * SECOND)
    run = await house.run()
    assert (run.outcome, run.command_id) == ("started", house.fleet.starts[1].id)
    first = f"{made.id}:2026-05-04T07:00:00Z:{MOWER}"
    assert [start.key for start in house.fleet.starts] == [first, f"{first}:2"]


async def test_a_mower_that_turns_out_to_be_busy_is_skipped(house: SchedulerHouse) -> None:
    await house.create()
    await house.tick_at(NINE)
    house.fleet.end_command(CommandStatus.FAILED, "busy")
    await house.tick_at(NINE + 10 * SECOND)
    run = await house.run()
    assert (run.outcome, run.reason, run.final) == ("skipped_mower_busy", "mower_busy", True)
