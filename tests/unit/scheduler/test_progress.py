"""What a run's mower tells: confirmed, not confirmed, tried again, over."""

from datetime import datetime, timedelta

import pytest

from edge_gateway.contracts.commands import Command, CommandStatus
from edge_gateway.contracts.mower import Activity
from edge_gateway.scheduler import runs
from edge_gateway.scheduler.progress import follow
from edge_gateway.scheduler.records import MowerRecord, RunRecord
from edge_gateway.scheduler.verdicts import Start
from tests.unit.scheduler.factories import NINE, command, mower, run

CONFIRM = timedelta(seconds=180)
STARTED = runs.started(runs.asking(run(), Start(), NINE), "command-1", NINE)


def at(seconds: float) -> datetime:
    return NINE + timedelta(seconds=seconds)


CONFIRMED = runs.confirmed(STARTED, at(30))
NOT_CONFIRMED = runs.not_started(STARTED, "start_not_confirmed", {})


def look(
    before: RunRecord,
    seen: MowerRecord,
    seconds: float,
    *,
    order: Command | None = None,
    superseded_at: datetime | None = None,
) -> RunRecord:
    return follow(before, seen, command=order, superseded_at=superseded_at, now=at(seconds), confirm_within=CONFIRM)


def mowing(seconds: float, command_id: str | None = "command-1") -> MowerRecord:
    return mower(
        activity=Activity.MOWING,
        observed_at=at(seconds),
        busy_at=at(seconds),
        busy_command_id=command_id,
        job_command_id=command_id,
        job_id="job-1",
    )


def docked(seconds: float, busy: float, **changes: object) -> MowerRecord:
    values: dict[str, object] = {"activity_before": Activity.RETURNING, "progress_percent": 100.0}
    return mower(
        activity=Activity.DOCKED,
        observed_at=at(seconds),
        busy_at=at(busy),
        busy_command_id="command-1",
        **values | changes,
    )


def test_nothing_new_is_the_same_run() -> None:
    assert look(STARTED, mower(), 10) is STARTED
    assert look(CONFIRMED, mowing(40), 41) is CONFIRMED


@pytest.mark.parametrize("activity", [Activity.MOWING, Activity.PAUSED, Activity.RETURNING])
def test_a_busy_mower_confirms(activity: Activity) -> None:
    seen = mower(activity=activity, observed_at=at(20), busy_at=at(20))
    after = look(STARTED, seen, 21)
    assert (after.outcome, after.final, after.confirmed_at) == ("started", True, at(20))


def test_what_was_seen_before_the_asking_confirms_nothing() -> None:
    assert look(STARTED, mowing(-1), 20) is STARTED


def test_another_order_s_job_confirms_nothing() -> None:
    assert look(STARTED, mowing(20, "command-2"), 21) is STARTED


def test_a_job_of_which_nobody_knows_who_began_it_confirms() -> None:
    assert look(STARTED, mowing(20, None), 21).final


def test_the_confirmed_order_confirms() -> None:
    after = look(STARTED, mower(), 30, order=command(CommandStatus.CONFIRMED))
    assert (after.final, after.confirmed_at) == (True, at(20))


def test_not_seen_in_time_is_failed_and_still_followed() -> None:
    assert look(STARTED, mower(), 179) is STARTED
    after = look(STARTED, mower(), 180, order=command(CommandStatus.ACKNOWLEDGED))
    assert (after.outcome, after.reason, after.final, after.followed) == (
        "failed",
        "start_not_confirmed",
        False,
        True,
    )
    assert after.numbers == {"waited_seconds": 180}
    assert look(after, mower(), 181) is after


def test_motion_that_is_seen_later_confirms_it_after_all() -> None:
    after = look(NOT_CONFIRMED, mowing(600), 601)
    assert (after.outcome, after.reason, after.final, after.numbers) == (
        "started",
        None,
        True,
        {"note": "start_not_confirmed"},
    )


@pytest.mark.parametrize(
    "reason", ["unavailable", "in_transition", "state_unknown", "lease_lost", "expired", "not_taken"]
)
def test_an_order_that_ended_before_it_moved_anything_is_given_again(reason: str) -> None:
    status = CommandStatus.EXPIRED if reason in {"expired", "not_taken"} else CommandStatus.FAILED
    after = look(STARTED, mower(), 40, order=command(status, reason))
    assert (after.outcome, after.attempt, after.waiting_for, after.revision) == (None, 2, reason, 2)
    assert after.look_again_at == at(45)


def test_not_after_the_window_not_for_run_now_and_not_for_ever() -> None:
    order = command(CommandStatus.FAILED, "in_transition")
    late = look(STARTED, mower(), 3600, order=order)
    assert (late.outcome, late.reason, late.final) == ("failed", "in_transition", True)
    now = runs.started(runs.asking(run(run_now=True), Start(), NINE), "command-1", NINE)
    assert look(now, mower(), 40, order=order).outcome == "failed"
    often = runs.started(runs.asking(run(attempt=runs.MAXIMUM_ATTEMPTS), Start(), NINE), "command-1", NINE)
    assert look(often, mower(), 40, order=order).outcome == "failed"


def test_a_mower_that_turned_out_to_be_busy_is_a_skip() -> None:
    after = look(STARTED, mower(), 40, order=command(CommandStatus.FAILED, "busy"))
    assert (after.outcome, after.reason, after.final) == ("skipped_mower_busy", "mower_busy", True)


@pytest.mark.parametrize("reason", ["map_unknown", "areas_gone", "no_area_enabled"])
def test_a_refusal_by_the_map_is_final(reason: str) -> None:
    after = look(STARTED, mower(), 40, order=command(CommandStatus.FAILED, reason))
    assert (after.outcome, after.reason, after.final, after.followed) == ("failed", reason, True, False)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [("not_confirmed", "start_not_confirmed"), ("outcome_unknown", "outcome_unknown"), ("mower_in_error",) * 2],
)
def test_an_order_that_may_have_moved_the_mower_is_followed(reason: str, expected: str) -> None:
    after = look(STARTED, mower(), 40, order=command(CommandStatus.FAILED, reason))
    assert (after.outcome, after.reason, after.final, after.followed) == ("failed", expected, False, True)
    assert look(after, mowing(60), 61).outcome == "started"


def test_an_error_during_a_start_that_worked_is_a_note() -> None:
    after = look(STARTED, mowing(40), 41, order=command(CommandStatus.FAILED, "mower_in_error"))
    assert (after.outcome, after.final) == ("started", True)


def test_docked_after_it_was_busy_closes() -> None:
    after = look(CONFIRMED, docked(900, 890), 901)
    assert (after.end_reason, after.ended_at, after.final, after.followed) == ("completed", at(901), True, False)


def test_confirmed_and_closed_in_one_look() -> None:
    after = look(STARTED, docked(900, 890), 901)
    assert (after.outcome, after.confirmed_at, after.end_reason, after.revision) == (
        "started",
        at(890),
        "completed",
        3,
    )


def test_a_charging_break_does_not_close() -> None:
    resting = docked(900, 890, job_resumable=True, job_command_id="command-1", progress_percent=40.0)
    assert look(CONFIRMED, resting, 901) is CONFIRMED


def test_a_job_that_stopped_halfway_was_not_completed() -> None:
    assert look(CONFIRMED, docked(900, 890, progress_percent=40.0), 901).end_reason == "unknown"


def test_progress_that_is_not_known_is_no_reason_to_doubt() -> None:
    assert look(CONFIRMED, docked(900, 890, progress_percent=None), 901).end_reason == "completed"


def test_carried_home_from_an_error() -> None:
    assert look(CONFIRMED, docked(900, 890, activity_before=Activity.ERROR), 901).end_reason == "error"


def test_a_dock_report_from_before_it_was_seen_busy_closes_nothing() -> None:
    stale = mower(activity=Activity.DOCKED, observed_at=at(29), busy_at=None)
    assert look(CONFIRMED, stale, 60) is CONFIRMED


def test_two_hours_past_the_window_it_is_over_unless_the_mower_is_on_its_job() -> None:
    end = 3600 + 7200
    idle = mower(activity=Activity.IDLE, observed_at=at(end - 1), busy_at=at(1000))
    assert look(CONFIRMED, idle, end - 1) is CONFIRMED
    assert look(CONFIRMED, idle, end).end_reason == "unknown"
    assert look(CONFIRMED, mowing(end - 1), end) is CONFIRMED
    assert look(CONFIRMED, mowing(end - 1, "command-2"), end).end_reason == "unknown"
    resting = docked(end - 1, 1000, job_resumable=True, job_command_id="command-1")
    assert look(CONFIRMED, resting, end) is CONFIRMED
    in_error = mower(activity=Activity.ERROR, observed_at=at(end - 1), busy_at=at(1000))
    assert look(CONFIRMED, in_error, end).end_reason == "error"


def test_a_mower_that_nobody_heard_of_for_a_day_is_not_on_a_job() -> None:
    assert look(CONFIRMED, mowing(40), 40 + 24 * 3600).end_reason == "unknown"


def test_a_start_that_was_never_confirmed_is_closed_in_the_end() -> None:
    end = 3600 + 7200
    after = look(NOT_CONFIRMED, mower(activity=Activity.DOCKED, observed_at=at(end)), end)
    assert (after.outcome, after.reason, after.final, after.end_reason) == (
        "failed",
        "start_not_confirmed",
        True,
        "unknown",
    )


def test_a_later_run_on_the_same_mower_takes_its_motion() -> None:
    after = look(NOT_CONFIRMED, mowing(600, None), 601, superseded_at=at(500))
    assert (after.outcome, after.final, after.end_reason) == ("failed", True, "unknown")
    before = look(NOT_CONFIRMED, mowing(400, None), 601, superseded_at=at(500))
    assert before.outcome == "started"


def test_a_run_is_followed_from_its_asking_on() -> None:
    with pytest.raises(ValueError, match=r"^a run is followed from its asking on$"):
        look(run(), mower(), 1)


UNKNOWN = runs.outcome_unknown(runs.unresolved(runs.asking(run(), Start(), NINE), NINE), at(3600))


@pytest.mark.parametrize(
    ("status", "outcome", "reason", "final"),
    [
        (CommandStatus.ACCEPTED, "failed", "start_not_confirmed", False),
        (CommandStatus.CONFIRMED, "started", None, True),
        (CommandStatus.FAILED, "failed", "refused_by_mower", False),
    ],
)
def test_an_order_that_was_taken_after_all_is_followed_as_any(
    status: CommandStatus, outcome: str, reason: str | None, *, final: bool
) -> None:
    told = "refused_by_mower" if status is CommandStatus.FAILED else None
    after = look(UNKNOWN, mower(), 3700, order=command(status, told))
    assert (after.outcome, after.reason, after.final, after.command_id) == (outcome, reason, final, "command-1")
    assert after.attempt == 1


def test_an_order_that_was_never_taken_ends_when_no_question_can_be_on_its_way_any_more() -> None:
    def never(seconds: float) -> RunRecord:
        return follow(
            UNKNOWN,
            mower(),
            command=None,
            superseded_at=None,
            now=at(seconds),
            confirm_within=CONFIRM,
            never_taken=True,
        )

    assert never(59) is UNKNOWN
    after = never(60)
    assert (after.outcome, after.reason, after.final, after.followed) == ("failed", "fleet_silent", True, False)


def test_somebody_s_job_says_nothing_of_an_order_that_nobody_answered_for() -> None:
    assert look(UNKNOWN, mowing(3700, "command-9"), 3701) is UNKNOWN
    assert look(UNKNOWN, mowing(3700, None), 3701).outcome == "started"
