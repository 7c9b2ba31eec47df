"""What is ordered of a mower whose run is under way, from every side."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.commands import Command, CommandBody, CommandKind, CommandStatus
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import OWNER, Origin
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler.follow_up import (
    MAXIMUM_ATTEMPTS,
    Cause,
    Scene,
    brought_up_to_date,
    next_order,
    order_key,
    seen,
    sent,
    users_command,
)
from edge_gateway.scheduler.records import FollowUpRecord, MowerRecord
from tests.unit.scheduler.factories import NINE, mower, run

TEN = NINE + timedelta(hours=1)
MINUTE = timedelta(minutes=1)
RUNNING = run(
    outcome=RunOutcome.STARTED, followed=True, asked_at=NINE, confirmed_at=NINE + MINUTE, command_id="start", final=True
)
OUT = mower(activity=Activity.MOWING, job_id="job", job_command_id="start", job_resumable=True, observed_at=TEN)
HOME = mower(activity=Activity.DOCKED, job_id="job", job_command_id="start", job_resumable=True, observed_at=TEN)
RAIN: dict[Cause, dict[str, Any]] = {Cause.RAIN: {"probability_percent": 80}}


def scene(seen_mower: MowerRecord = OUT, calls: dict[Cause, dict[str, Any]] | None = None, **changes: Any) -> Scene:  # noqa: ANN401  # any field
    values: dict[str, Any] = {"now": TEN, "parks": True, "may_resume": False, "commands": ()}
    return Scene(mower=seen_mower, calls=RAIN if calls is None else calls, **values | changes)


def order(
    cause: Cause = Cause.RAIN,
    status: CommandStatus | None = CommandStatus.CONFIRMED,
    **changes: Any,  # noqa: ANN401  # any field
) -> FollowUpRecord:
    values: dict[str, Any] = {
        "run_id": "run-1",
        "cause": cause,
        "attempt": 1,
        "kind": CommandKind.RETURN_TO_DOCK,
        "issued_by": OWNER,
        "asked_at": TEN - 10 * MINUTE,
        "command_id": None if status is None else "follow-up",
        "status": status,
        "look_again_at": TEN - 5 * MINUTE,
    }
    return FollowUpRecord(**values | changes)


def ordered(by: Origin, kind: CommandKind, at_minutes: int, **changes: Any) -> Command:  # noqa: ANN401  # any field
    values: dict[str, Any] = {
        "id": "other",
        "account_id": "home",
        "mower_id": "mower-1",
        "body": CommandBody(kind=kind),
        "key": "key",
        "issued_by": OWNER,
        "origin": by,
        "issued_at": NINE + at_minutes * MINUTE,
        "status": CommandStatus.CONFIRMED,
        "changed_at": NINE + at_minutes * MINUTE,
    }
    return Command(**values | changes)


def wanted(given: FollowUpRecord | None) -> tuple[str, str, int] | None:
    return None if given is None else (given.cause, given.kind, given.attempt)


@pytest.mark.parametrize("cause", [Cause.RAIN, Cause.WINDOW_END, Cause.QUIET_HOURS])
def test_a_mowing_mower_is_sent_home_once_per_cause(cause: Cause) -> None:
    given = next_order(RUNNING, scene(calls={cause: {}}), [])
    assert wanted(given) == (cause, "return_to_dock", 1)
    assert given is not None
    assert order_key(given) == f"run-1:{cause}:1"
    assert next_order(RUNNING, scene(calls={cause: {}}), [order(cause)]) is None


def test_the_weightiest_cause_comes_first_and_a_new_one_is_ordered_anew() -> None:
    both: dict[Cause, dict[str, Any]] = {Cause.QUIET_HOURS: {}, Cause.RAIN: {}}
    assert wanted(next_order(RUNNING, scene(calls=both), [])) == ("quiet_hours", "return_to_dock", 1)
    assert wanted(next_order(RUNNING, scene(calls=both), [order(Cause.RAIN)])) == ("quiet_hours", "return_to_dock", 1)


@pytest.mark.parametrize(
    ("cause", "activity", "goes"),
    [
        (Cause.RAIN, Activity.PAUSED, False),
        (Cause.QUIET_HOURS, Activity.PAUSED, True),
        (Cause.WINDOW_END, Activity.PAUSED, True),
        (Cause.RAIN, Activity.RETURNING, False),
        (Cause.QUIET_HOURS, Activity.RETURNING, False),
        (Cause.QUIET_HOURS, Activity.ERROR, False),
        (Cause.QUIET_HOURS, Activity.UNKNOWN, False),
        (Cause.RAIN, Activity.DOCKED, False),
    ],
)
def test_who_is_sent_home(cause: Cause, activity: Activity, goes: bool) -> None:  # noqa: FBT001
    there = msgspec.structs.replace(OUT, activity=activity)
    assert (next_order(RUNNING, scene(there, {cause: {}}), []) is not None) == goes


def test_only_on_the_run_s_own_job_and_only_once_it_was_seen() -> None:
    foreign = msgspec.structs.replace(OUT, job_command_id=None)
    others = msgspec.structs.replace(OUT, job_command_id="another")
    untold = msgspec.structs.replace(OUT, job_id=None, job_command_id=None)
    assert next_order(RUNNING, scene(foreign), []) is None
    assert next_order(RUNNING, scene(others), []) is None
    assert next_order(RUNNING, scene(untold), []) is not None
    assert next_order(msgspec.structs.replace(RUNNING, confirmed_at=None), scene(), []) is None


def test_an_order_that_failed_is_given_again_later_under_another_key() -> None:
    failed = order(status=CommandStatus.EXPIRED)
    assert wanted(next_order(RUNNING, scene(), [failed])) == ("rain", "return_to_dock", 2)
    early = msgspec.structs.replace(failed, look_again_at=TEN + MINUTE)
    assert next_order(RUNNING, scene(), [early]) is None
    last = msgspec.structs.replace(failed, attempt=MAXIMUM_ATTEMPTS)
    assert next_order(RUNNING, scene(), [last]) is None


def test_an_order_that_is_not_known_to_be_taken_is_given_again_under_its_own_key() -> None:
    unknown = order(status=None)
    assert next_order(RUNNING, scene(), [unknown]) is unknown
    assert next_order(RUNNING, scene(), [msgspec.structs.replace(unknown, look_again_at=TEN + MINUTE)]) is None
    assert next_order(RUNNING, scene(calls={}), [unknown]) is None


@pytest.mark.parametrize("status", [CommandStatus.ACCEPTED, CommandStatus.SENT, CommandStatus.ACKNOWLEDGED])
def test_an_order_under_way_is_waited_for(status: CommandStatus) -> None:
    assert next_order(RUNNING, scene(), [order(status=status)]) is None


def test_what_fleet_says_of_an_order_is_kept() -> None:
    known = order(status=None)
    ours = ordered(Origin.SCHEDULER, CommandKind.RETURN_TO_DOCK, 50, key="run-1:rain:1", id="c", reason="unavailable")
    done = brought_up_to_date(known, (ours,), TEN)
    assert (done.command_id, done.status) == ("c", "confirmed")
    failed = msgspec.structs.replace(ours, status=CommandStatus.FAILED)
    after = brought_up_to_date(known, (failed,), TEN)
    assert (after.status, after.reason, after.look_again_at) == ("failed", "unavailable", TEN + timedelta(seconds=5))
    assert brought_up_to_date(known, (), TEN) is known
    assert brought_up_to_date(done, (failed,), TEN) is done


def test_a_mower_that_leaves_although_it_is_to_stay_is_sent_back_once_and_its_job_cancelled() -> None:
    parked = msgspec.structs.replace(RUNNING, sent_home_for="rain", parked_at=TEN - 5 * MINUTE)
    given = next_order(parked, scene(), [order()])
    assert wanted(given) == ("left", "return_to_dock", 1)
    assert given is not None
    told = sent(parked, given, scene())
    assert (told.numbers["left_by_itself_at"], told.parked_at, told.revision) == (TEN, None, parked.revision + 1)
    back = order(Cause.LEFT)
    assert next_order(parked, scene(), [order(), back]) is None
    assert wanted(next_order(parked, scene(HOME), [order(), back])) == ("cancel", "cancel_job", 1)


def test_it_has_left_too_when_it_turns_round_on_its_way_but_not_by_an_older_report() -> None:
    went = ordered(Origin.SCHEDULER, CommandKind.RETURN_TO_DOCK, 55, id="follow-up")
    home = msgspec.structs.replace(RUNNING, sent_home_for="rain")
    assert wanted(next_order(home, scene(commands=(went,)), [order()])) == ("left", "return_to_dock", 1)
    just = msgspec.structs.replace(OUT, observed_at=went.changed_at + timedelta(seconds=10))
    assert next_order(home, scene(just, commands=(went,)), [order()]) is None


def test_one_that_cannot_be_parked_has_its_job_cancelled_in_the_dock() -> None:
    assert wanted(next_order(RUNNING, scene(HOME, parks=False), [order()])) == ("cancel", "cancel_job", 1)
    assert next_order(RUNNING, scene(HOME), [order()]) is None
    # Charging in the middle of its job it was not sent home: nothing is cancelled.
    assert next_order(RUNNING, scene(HOME, {}, parks=False), []) is None
    over = msgspec.structs.replace(HOME, job_resumable=False)
    assert next_order(RUNNING, scene(over, parks=False), [order()]) is None


def test_one_that_charges_when_quiet_hours_call_does_not_leave_in_them() -> None:
    """It was not sent home, so that nothing keeps it there when it is charged; rain would turn it back."""
    quiet: dict[Cause, dict[str, Any]] = {Cause.QUIET_HOURS: {"quiet_from": TEN}}
    given = next_order(RUNNING, scene(HOME, quiet), [])
    assert given is not None
    assert wanted(given) == ("cancel", "cancel_job", 1)
    ended = sent(RUNNING, given, scene(HOME, quiet))
    assert (ended.sent_home_for, ended.numbers["sent_home"]["quiet_from"]) == ("quiet_hours", TEN)
    assert seen(ended, HOME, [given]) is ended
    assert next_order(RUNNING, scene(HOME), []) is None
    assert next_order(RUNNING, scene(msgspec.structs.replace(HOME, job_resumable=False), quiet), []) is None
    resumed = order(Cause.RESUME, kind=CommandKind.START_MOW, asked_at=TEN - 5 * MINUTE)
    assert wanted(next_order(RUNNING, scene(HOME, quiet), [order(), resumed])) == ("cancel", "cancel_job", 1)
    # Sent home for rain it is parked, and stays.
    assert next_order(RUNNING, scene(HOME, quiet), [order()]) is None


def test_the_job_goes_on_when_the_rule_lets_go() -> None:
    resumed = next_order(RUNNING, scene(HOME, {}, may_resume=True), [order()])
    assert wanted(resumed) == ("resume", "start_mow", 1)
    assert next_order(RUNNING, scene(HOME, may_resume=True), [order()]) is None
    assert next_order(RUNNING, scene(HOME, {}), [order()]) is None


def test_rain_that_comes_back_after_a_resume_sends_it_home_anew() -> None:
    resumed = order(Cause.RESUME, kind=CommandKind.START_MOW, asked_at=TEN - 5 * MINUTE)
    assert wanted(next_order(RUNNING, scene(), [order(), resumed])) == ("rain", "return_to_dock", 2)


@pytest.mark.parametrize("kind", [CommandKind.RESUME, CommandKind.START_MOW])
def test_a_person_who_sends_it_out_again_is_not_overruled_by_the_same_cause(kind: CommandKind) -> None:
    person = ordered(Origin.DASHBOARD, kind, 55)
    parked = msgspec.structs.replace(RUNNING, sent_home_for="rain", parked_at=TEN - 7 * MINUTE)
    assert next_order(parked, scene(commands=(person,)), [order()]) is None
    quiet = scene(calls={Cause.QUIET_HOURS: {}, Cause.RAIN: {}}, commands=(person,))
    assert wanted(next_order(parked, quiet, [order()])) == ("quiet_hours", "return_to_dock", 1)


def test_a_person_s_hand_on_a_parked_job_keeps_it_from_going_on() -> None:
    person = ordered(Origin.VOICE, CommandKind.RETURN_TO_DOCK, 55)
    assert next_order(RUNNING, scene(HOME, {}, may_resume=True, commands=(person,)), [order()]) is None


def test_whose_commands_count_as_a_person_s() -> None:
    start = ordered(Origin.DASHBOARD, CommandKind.START_MOW, 0, id="start")
    ours = ordered(Origin.SCHEDULER, CommandKind.RETURN_TO_DOCK, 30)
    pause = ordered(Origin.DASHBOARD, CommandKind.PAUSE, 40)
    failed = ordered(Origin.DASHBOARD, CommandKind.CANCEL_JOB, 45, status=CommandStatus.FAILED)
    assert users_command(RUNNING, (failed, pause, ours, start)) is None
    home = ordered(Origin.AUTOMATION, CommandKind.RETURN_TO_DOCK, 20)
    assert users_command(RUNNING, (failed, pause, ours, home, start)) is home


def test_the_record_says_why_it_was_sent_home_and_that_it_is_home() -> None:
    given = order(status=None)
    gone = sent(RUNNING, given, scene())
    assert (gone.sent_home_for, gone.revision) == ("rain", RUNNING.revision + 1)
    assert gone.numbers["sent_home"] == {"cause": "rain", "at": TEN, "probability_percent": 80}
    assert sent(gone, given, scene()) is gone
    home = seen(gone, HOME, [order()])
    assert home.parked_at == TEN
    assert seen(home, HOME, [order()]) is home
    assert seen(RUNNING, HOME, []) is RUNNING
    resumed = order(Cause.RESUME, kind=CommandKind.START_MOW)
    on = seen(home, OUT, [order(), resumed])
    assert (on.sent_home_for, on.parked_at, on.revision) == (None, None, home.revision + 1)
