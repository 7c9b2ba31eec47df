"""Each limit of what a run's mower tells, at the moment that it names; and who or what ended a run."""

from datetime import datetime
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.commands import Command, CommandBody, CommandKind, CommandStatus
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import runs
from edge_gateway.scheduler.progress import follow, is_not_answered_for
from edge_gateway.scheduler.records import MowerRecord, RunRecord
from edge_gateway.scheduler.verdicts import End
from tests.unit.scheduler.factories import command, mower
from tests.unit.scheduler.test_progress import (
    CONFIRM,
    CONFIRMED,
    NOT_CONFIRMED,
    STARTED,
    UNKNOWN,
    at,
    docked,
    look,
    mowing,
)

VALUES = {"vendor_reason": 17}
WINDOW_END = 3600
CLOSING = WINDOW_END + 7200
DAY = 24 * 3600
RESTING: dict[str, Any] = {"job_resumable": True, "job_command_id": "command-1", "progress_percent": 40.0}


def failed(reason: str | None, status: CommandStatus = CommandStatus.FAILED) -> Command:
    return msgspec.structs.replace(command(status, reason), values=VALUES)


@pytest.mark.parametrize("reason", ["busy", "map_unknown", "areas_gone", "no_area_enabled", "no_area_named"])
def test_an_order_that_moved_nothing_ends_the_run_with_its_numbers(reason: str) -> None:
    end = (
        End(RunOutcome.SKIPPED_MOWER_BUSY, "mower_busy", VALUES)
        if reason == "busy"
        else End(RunOutcome.FAILED, reason, VALUES)
    )
    assert look(STARTED, mower(), 40, order=failed(reason)) == runs.ended(STARTED, end, at(40))


@pytest.mark.parametrize(
    ("seconds", "changes", "again"),
    [
        (WINDOW_END - 1, {}, True),
        (WINDOW_END, {}, False),
        (40, {"attempt": runs.MAXIMUM_ATTEMPTS - 1}, True),
        (40, {"attempt": runs.MAXIMUM_ATTEMPTS}, False),
        (40, {"run_now": True}, False),
    ],
)
def test_an_order_is_given_again_within_the_window_up_to_the_tenth_time(
    seconds: int, changes: dict[str, Any], *, again: bool
) -> None:
    before = msgspec.structs.replace(STARTED, **changes)
    after = look(before, mower(), seconds, order=failed("not_published"))
    given_up = runs.ended(before, End(RunOutcome.FAILED, "not_published", VALUES), at(seconds))
    assert after == (runs.tried_again(before, "not_published", at(seconds)) if again else given_up)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (failed("not_confirmed"), "start_not_confirmed"),
        (failed("refused_by_mower"), "refused_by_mower"),
        (failed(None), "failed"),
    ],
)
def test_an_order_that_may_have_moved_it_is_recorded_with_its_numbers(order: Command, reason: str) -> None:
    assert look(STARTED, mower(), 40, order=order) == runs.not_started(STARTED, reason, VALUES)


def test_an_expired_order_without_a_reason_is_given_again() -> None:
    assert look(STARTED, mower(), 40, order=failed(None, CommandStatus.EXPIRED)).waiting_for == "expired"


def test_what_was_not_seen_in_time_says_how_long_it_waited() -> None:
    after = look(STARTED, mower(), 180.4)
    assert after == runs.not_started(STARTED, "start_not_confirmed", {"waited_seconds": 180})


def test_motion_counts_from_the_asking_to_before_a_later_run() -> None:
    assert look(STARTED, mowing(0), 1).confirmed_at == at(0)
    later = look(NOT_CONFIRMED, mowing(500, None), 601, superseded_at=at(500))
    assert later.confirmed_at is None


def test_a_confirmed_start_is_confirmed_by_its_order_when_the_mower_is_silent() -> None:
    confirmed = command(CommandStatus.CONFIRMED)
    assert look(STARTED, mower(), 40, order=confirmed) == runs.confirmed(STARTED, confirmed.changed_at)
    assert look(NOT_CONFIRMED, mower(), 40, order=confirmed) is NOT_CONFIRMED


def test_only_a_failure_of_which_nobody_knows_the_order_is_not_answered_for() -> None:
    assert is_not_answered_for(UNKNOWN)
    for known in ({"command_id": "c"}, {"reason": "internal"}, {"outcome": RunOutcome.STARTED}):
        assert not is_not_answered_for(msgspec.structs.replace(UNKNOWN, **known))


def test_an_order_that_was_never_taken_is_recorded_as_a_silent_fleet() -> None:
    after = follow(
        UNKNOWN, mower(), command=None, superseded_at=None, now=at(60), confirm_within=CONFIRM, never_taken=True
    )
    assert after == runs.ended(UNKNOWN, End(RunOutcome.FAILED, "fleet_silent"), at(60))
    answered = follow(
        STARTED, mower(), command=None, superseded_at=None, now=at(60), confirm_within=CONFIRM, never_taken=True
    )
    assert answered is STARTED


# Over: superseded, a person's, home for good, or out of sight.


def ends(before: RunRecord, seen: MowerRecord, seconds: float, **changes: Any) -> str | None:  # noqa: ANN401  # fields
    after = follow(
        before,
        seen,
        now=at(seconds),
        confirm_within=CONFIRM,
        **{"command": None, "superseded_at": None, **changes},
    )
    return after.end_reason


def test_a_later_run_ends_one_that_was_not_seen_or_is_parked_and_no_other() -> None:
    parked = msgspec.structs.replace(CONFIRMED, parked_at=at(600), sent_home_for="rain")
    assert ends(NOT_CONFIRMED, mower(), 700, superseded_at=at(650)) == "unknown"
    assert ends(parked, mower(), 700, superseded_at=at(650)) == "rain"
    assert ends(CONFIRMED, mowing(690), 700, superseded_at=at(695)) is None


def test_a_run_that_is_no_longer_followed_or_pending_again_is_not_closed() -> None:
    over = msgspec.structs.replace(CONFIRMED, followed=False)
    assert look(over, docked(900, 890), 901) is over
    again = look(STARTED, docked(900, 890), 901, order=failed("lease_lost"))
    assert (again.outcome, again.end_reason) == ("started", "completed")
    pending = look(STARTED, mower(), CLOSING, order=failed("lease_lost"))
    assert pending.ended_at is None


def by_person(kind: CommandKind, seconds: float, command_id: str = "theirs") -> Command:
    return msgspec.structs.replace(
        command(CommandStatus.CONFIRMED), id=command_id, body=CommandBody(kind=kind), issued_at=at(seconds)
    )


@pytest.mark.parametrize("kind", [CommandKind.RETURN_TO_DOCK, CommandKind.CANCEL_JOB])
def test_a_person_who_sent_it_home_ended_the_run_once_it_is_there_with_work_left(kind: CommandKind) -> None:
    home = docked(900, 890, **RESTING)
    assert ends(CONFIRMED, home, 901, person=by_person(kind, 899)) == "user"
    assert ends(CONFIRMED, home, 901, person=by_person(kind, 900)) is None, "the report is not from after the order"
    assert ends(CONFIRMED, mowing(900), 901, person=by_person(kind, 800)) is None
    done = docked(900, 890, **{**RESTING, "progress_percent": 95.0})
    assert ends(CONFIRMED, done, 901, person=by_person(kind, 800)) is None
    untold = msgspec.structs.replace(home, observed_at=None)
    assert ends(CONFIRMED, untold, 901, person=by_person(kind, 800)) is None


def test_a_person_s_own_job_ended_the_run_once_the_mower_is_on_it() -> None:
    theirs = by_person(CommandKind.START_MOW, 800)
    assert ends(CONFIRMED, mowing(900, "theirs"), 901, person=theirs) == "user"
    assert ends(CONFIRMED, mowing(900), 901, person=theirs) is None
    assert ends(CONFIRMED, docked(900, 890, job_command_id="theirs", job_resumable=True), 901, person=theirs) is None


@pytest.mark.parametrize(
    ("seen", "changes", "person", "reason"),
    [
        ({"activity_before": Activity.ERROR}, {"sent_home_for": "rain"}, None, "error"),
        ({"progress_percent": 95.0}, {"sent_home_for": "rain"}, None, "completed"),
        ({"progress_percent": 94.9}, {"sent_home_for": "rain"}, None, "rain"),
        ({"progress_percent": None}, {"sent_home_for": "rain"}, None, "rain"),
        ({"progress_percent": 40.0}, {}, by_person(CommandKind.START_MOW, 800), "user"),
        ({"progress_percent": 40.0}, {}, by_person(CommandKind.RESUME, 800), "unknown"),
        ({"progress_percent": 40.0}, {}, None, "unknown"),
        ({"progress_percent": None}, {}, None, "completed"),
    ],
)
def test_why_it_is_home_for_good(
    seen: dict[str, Any], changes: dict[str, Any], person: Command | None, reason: str
) -> None:
    before = msgspec.structs.replace(CONFIRMED, **changes)
    assert ends(before, docked(900, 890, **seen), 901, person=person) == reason


def test_home_for_good_is_a_report_from_after_it_was_seen_busy() -> None:
    assert CONFIRMED.confirmed_at == at(30)
    assert ends(CONFIRMED, docked(30, 30), 901) is None
    assert ends(CONFIRMED, docked(31, 30), 901) == "completed"
    assert ends(CONFIRMED, docked(900, 890, job_resumable=True), 901) is None
    assert ends(CONFIRMED, msgspec.structs.replace(docked(31, 30), observed_at=None), 901) is None


def rested(seconds: float, busy: float, **changes: Any) -> MowerRecord:  # noqa: ANN401  # fields
    return docked(seconds, busy, **{**RESTING, **changes})


@pytest.mark.parametrize(
    ("seen", "seconds", "reason"),
    [
        (mower(activity=Activity.IDLE, observed_at=at(CLOSING - 1)), CLOSING - 1, None),
        (mower(activity=Activity.IDLE, observed_at=at(CLOSING)), CLOSING, "unknown"),
        (mower(activity=Activity.ERROR, observed_at=at(CLOSING)), CLOSING, "error"),
        (mowing(100), 100 + DAY - 1, None),
        (mowing(100), 100 + DAY, "unknown"),
        (msgspec.structs.replace(mowing(100), observed_at=None), CLOSING, "unknown"),
        (mowing(CLOSING, None), CLOSING, None),
        (mowing(CLOSING, "command-2"), CLOSING, "unknown"),
        (rested(8 * 3600, 1), 8 * 3600, None),
        (rested(8 * 3600, 0), 8 * 3600, "unknown"),
        (msgspec.structs.replace(rested(CLOSING, 1), busy_at=None), CLOSING, "unknown"),
        (rested(CLOSING, CLOSING - 1, job_command_id="command-2"), CLOSING, "unknown"),
        (rested(CLOSING, CLOSING - 1, job_command_id=None), CLOSING, None),
    ],
)
def test_two_hours_after_its_window_a_run_is_over_unless_the_mower_is_known_to_be_on_its_job(
    seen: MowerRecord, seconds: float, reason: str | None
) -> None:
    assert ends(CONFIRMED, seen, seconds) == reason


def test_one_that_was_sent_home_is_over_then_even_on_its_job_and_says_for_what() -> None:
    parked = msgspec.structs.replace(CONFIRMED, parked_at=at(600), sent_home_for="rain")
    assert ends(parked, rested(CLOSING, CLOSING - 1), CLOSING - 1) is None
    assert ends(parked, rested(CLOSING, CLOSING - 1), CLOSING) == "rain"


def closes(seconds: float) -> datetime | None:
    return look(CONFIRMED, docked(900, 890), seconds).ended_at


def test_a_run_ends_when_it_is_looked_at() -> None:
    assert closes(905) == at(905)
