"""Orders and records of a run under way to the letter, and each limit at the moment that it names."""

from datetime import timedelta

import msgspec
import pytest

from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.principals import OWNER, Origin
from edge_gateway.scheduler.follow_up import (
    MAXIMUM_ATTEMPTS,
    Cause,
    brought_up_to_date,
    next_order,
    seen,
    sent,
    users_command,
)
from edge_gateway.scheduler.records import FollowUpRecord
from tests.unit.scheduler.test_follow_up import HOME, MINUTE, OUT, RAIN, RUNNING, TEN, order, ordered, scene, wanted

SECOND = timedelta(seconds=1)
PARKED = msgspec.structs.replace(RUNNING, sent_home_for="rain", parked_at=TEN - 5 * MINUTE, numbers={"kept": 1})


def test_a_new_order_is_the_run_owner_s_and_looked_at_again_soon() -> None:
    assert next_order(RUNNING, scene(), []) == FollowUpRecord(
        run_id="run-1",
        cause=Cause.RAIN,
        attempt=1,
        kind=CommandKind.RETURN_TO_DOCK,
        issued_by=OWNER,
        asked_at=TEN,
        look_again_at=TEN + 5 * SECOND,
    )


def test_an_order_s_number_rises_by_the_highest_before_it() -> None:
    failed = [order(status=CommandStatus.FAILED, attempt=number) for number in (1, 3, 2)]
    assert wanted(next_order(RUNNING, scene(), failed)) == ("rain", "return_to_dock", 4)


@pytest.mark.parametrize("status", [None, CommandStatus.FAILED])
def test_an_order_is_given_again_at_its_moment_and_not_before(status: CommandStatus | None) -> None:
    due = order(status=status, look_again_at=TEN)
    assert next_order(RUNNING, scene(), [due]) is not None
    early = msgspec.structs.replace(due, look_again_at=TEN + timedelta(microseconds=1))
    assert next_order(RUNNING, scene(), [early]) is None


def test_the_last_attempt_is_the_tenth() -> None:
    ninth = order(status=CommandStatus.FAILED, attempt=MAXIMUM_ATTEMPTS - 1)
    assert wanted(next_order(RUNNING, scene(), [ninth])) == ("rain", "return_to_dock", 10)


def test_an_order_that_fleet_has_taken_but_not_told_of_is_not_given_again() -> None:
    assert next_order(RUNNING, scene(), [order(status=None, command_id="follow-up")]) is None


def test_another_cause_s_order_says_nothing_of_this_one() -> None:
    orders = [order(Cause.WINDOW_END, status=CommandStatus.SENT), order(status=CommandStatus.FAILED)]
    assert wanted(next_order(RUNNING, scene(), orders[::-1])) == ("rain", "return_to_dock", 2)


@pytest.mark.parametrize(
    ("status", "attempt", "seconds"),
    [(CommandStatus.FAILED, 3, 20), (CommandStatus.EXPIRED, 1, 5), (CommandStatus.SENT, 3, 5)],
)
def test_what_fleet_says_is_kept_and_a_failure_waited_out(status: CommandStatus, attempt: int, seconds: int) -> None:
    given = order(status=None, attempt=attempt)
    others = (
        ordered(Origin.DASHBOARD, CommandKind.RETURN_TO_DOCK, 55, key=f"run-1:rain:{attempt}", id="a"),
        ordered(Origin.SCHEDULER, CommandKind.RETURN_TO_DOCK, 55, key="run-1:rain:9", id="b"),
    )
    ours = ordered(
        Origin.SCHEDULER,
        CommandKind.RETURN_TO_DOCK,
        50,
        key=f"run-1:rain:{attempt}",
        id="c",
        status=status,
        reason="unavailable",
    )
    assert brought_up_to_date(given, (*others, ours), TEN) == msgspec.structs.replace(
        given, command_id="c", status=status, reason="unavailable", look_again_at=TEN + seconds * SECOND
    )
    assert brought_up_to_date(given, others, TEN) is given


@pytest.mark.parametrize("status", [CommandStatus.CONFIRMED, CommandStatus.FAILED, CommandStatus.EXPIRED])
def test_what_is_final_stays(status: CommandStatus) -> None:
    done = order(status=status)
    later = ordered(Origin.SCHEDULER, CommandKind.RETURN_TO_DOCK, 50, key="run-1:rain:1", status=CommandStatus.SENT)
    assert brought_up_to_date(done, (later,), TEN) is done


def test_the_record_of_a_call_home_is_exact() -> None:
    home = sent(PARKED, order(Cause.QUIET_HOURS, None), scene(calls={Cause.QUIET_HOURS: {"quiet_from": TEN}}))
    assert home == msgspec.structs.replace(
        PARKED,
        sent_home_for=Cause.QUIET_HOURS,
        parked_at=None,
        numbers={"kept": 1, "sent_home": {"cause": Cause.QUIET_HOURS, "at": TEN, "quiet_from": TEN}},
        revision=PARKED.revision + 1,
    )
    uncalled = sent(RUNNING, order(Cause.WINDOW_END, None), scene(calls=RAIN))
    assert uncalled.numbers == {"sent_home": {"cause": Cause.WINDOW_END, "at": TEN}}


def test_the_record_of_leaving_is_exact() -> None:
    left = sent(PARKED, order(Cause.LEFT, None), scene())
    assert left == msgspec.structs.replace(
        PARKED, parked_at=None, numbers={"kept": 1, "left_by_itself_at": TEN}, revision=PARKED.revision + 1
    )


@pytest.mark.parametrize("cause", [Cause.RESUME, Cause.CANCEL])
def test_a_resume_or_the_end_of_a_parked_job_changes_no_record(cause: Cause) -> None:
    assert sent(PARKED, order(cause, None), scene()) is PARKED


def test_the_record_of_a_resume_is_exact() -> None:
    resumed = order(Cause.RESUME, kind=CommandKind.START_MOW, asked_at=TEN - MINUTE)
    assert seen(PARKED, OUT, [order(), resumed]) == msgspec.structs.replace(
        PARKED,
        sent_home_for=None,
        parked_at=None,
        numbers={"kept": 1, "resumed_at": TEN - MINUTE},
        revision=PARKED.revision + 1,
    )
    later = seen(PARKED, OUT, [order(), order(Cause.LEFT, CommandStatus.SENT), resumed])
    assert later.numbers == {"kept": 1, "resumed_at": TEN - MINUTE}
    unconfirmed = msgspec.structs.replace(resumed, status=CommandStatus.SENT)
    assert seen(PARKED, HOME, [order(), unconfirmed]) is PARKED


def test_it_is_parked_by_a_report_from_after_the_order_and_out_when_it_is_busy_again() -> None:
    gone = msgspec.structs.replace(RUNNING, sent_home_for="rain")
    at_once = msgspec.structs.replace(HOME, observed_at=order().asked_at)
    assert seen(gone, at_once, [order()]) is gone
    after = msgspec.structs.replace(HOME, observed_at=order().asked_at + SECOND)
    assert seen(gone, after, [order()]) == msgspec.structs.replace(gone, parked_at=after.observed_at)
    assert seen(PARKED, OUT, [order()]) == msgspec.structs.replace(PARKED, parked_at=None)
    idle = msgspec.structs.replace(OUT, activity=Activity.IDLE)
    assert seen(PARKED, idle, [order()]) is PARKED
    assert seen(gone, OUT, [order()]) is gone
    untold = msgspec.structs.replace(HOME, observed_at=None)
    assert seen(gone, untold, [order()]) is gone
    assert seen(gone, HOME, [order(Cause.CANCEL)]) is gone


def test_it_has_left_when_it_mows_half_a_minute_after_its_return_was_confirmed() -> None:
    went = ordered(Origin.SCHEDULER, CommandKind.RETURN_TO_DOCK, 55, id="follow-up")
    other = ordered(Origin.SCHEDULER, CommandKind.RETURN_TO_DOCK, 10, id="another")
    home = msgspec.structs.replace(RUNNING, sent_home_for="rain")
    just = msgspec.structs.replace(OUT, observed_at=went.changed_at + 30 * SECOND)
    assert wanted(next_order(home, scene(just, commands=(other, went)), [order()])) == ("left", "return_to_dock", 1)
    early = msgspec.structs.replace(just, observed_at=went.changed_at + 29 * SECOND)
    assert next_order(home, scene(early, commands=(other, went)), [order()]) is None
    assert next_order(home, scene(just), [order()]) is None, "nobody knows when it went"
    paused = msgspec.structs.replace(just, activity=Activity.PAUSED)
    calls = {Cause.QUIET_HOURS: RAIN[Cause.RAIN]}
    assert next_order(PARKED, scene(paused, calls, commands=(went,)), [order(Cause.QUIET_HOURS)]) is None


def test_a_person_who_ordered_before_it_was_sent_home_is_not_asked() -> None:
    at_the_same_time = ordered(Origin.DASHBOARD, CommandKind.RESUME, 50)
    assert at_the_same_time.issued_at == order().asked_at
    assert wanted(next_order(PARKED, scene(commands=(at_the_same_time,)), [order()])) == ("left", "return_to_dock", 1)


@pytest.mark.parametrize("status", [CommandStatus.FAILED, CommandStatus.EXPIRED])
def test_a_person_s_order_that_came_to_nothing_does_not_count(status: CommandStatus) -> None:
    assert users_command(RUNNING, (ordered(Origin.DASHBOARD, CommandKind.RESUME, 50, status=status),)) is None


@pytest.mark.parametrize(
    "kind", [CommandKind.START_MOW, CommandKind.RESUME, CommandKind.RETURN_TO_DOCK, CommandKind.CANCEL_JOB]
)
def test_by_these_a_person_takes_a_mower_over(kind: CommandKind) -> None:
    theirs = ordered(Origin.DASHBOARD, kind, 50)
    assert users_command(RUNNING, (theirs,)) is theirs


def test_the_first_cause_that_finds_it_out_is_the_one() -> None:
    paused = msgspec.structs.replace(OUT, activity=Activity.PAUSED)
    calls = {**RAIN, Cause.WINDOW_END: RAIN[Cause.RAIN]}
    assert wanted(next_order(RUNNING, scene(paused, calls), [])) == ("window_end", "return_to_dock", 1)


def test_an_order_of_before_the_resume_does_not_count_as_given() -> None:
    resumed = order(Cause.RESUME, kind=CommandKind.START_MOW, asked_at=TEN - 5 * MINUTE)
    unconfirmed = msgspec.structs.replace(resumed, status=CommandStatus.FAILED)
    assert next_order(RUNNING, scene(), [order(), unconfirmed]) is None
    under_way = order(status=CommandStatus.SENT, attempt=2)
    assert next_order(RUNNING, scene(), [order(), resumed, under_way]) is None
    quiet = order(Cause.QUIET_HOURS)
    assert wanted(next_order(RUNNING, scene(), [order(), resumed, quiet])) == ("rain", "return_to_dock", 2)
    twice = [order(), resumed, order(attempt=2), msgspec.structs.replace(resumed, attempt=2)]
    assert wanted(next_order(RUNNING, scene(), twice)) == ("rain", "return_to_dock", 3)
