"""Expiry, confirmation, attribution of jobs, and when availability is worth an event."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from edge_gateway.contracts.commands import CommandBody, CommandKind, CommandOrder
from edge_gateway.contracts.mower import Activity, Job, Link, LinkKind
from edge_gateway.device_gateway.attribution import StartInHand, is_its_job
from edge_gateway.device_gateway.availability_rule import is_worth_telling
from edge_gateway.device_gateway.confirmation import confirms, unconfirmed_reason
from edge_gateway.device_gateway.decisions import Action
from edge_gateway.device_gateway.errors import OrderExpiredError
from edge_gateway.device_gateway.expiry import check, is_expired
from edge_gateway.device_gateway.provider import DriverAvailability, DriverState

NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
ORDER = CommandOrder(
    command_id="command-1",
    account_id="home",
    mower_id="mower-1",
    body=CommandBody(kind=CommandKind.START_MOW),
    issued_by="user:owner",
    issued_at=NOW,
    expires_at=NOW + timedelta(seconds=30),
    motion_expires_at=NOW + timedelta(seconds=120),
)
MICROSECOND = timedelta(microseconds=1)


# 30 s before the first frame, 120 s after it; the moment itself is too late.


@pytest.mark.parametrize(("first_frame_is_out", "seconds"), [(False, 30), (True, 120)])
def test_expiry_the_limit_itself_is_too_late(*, first_frame_is_out: bool, seconds: int) -> None:
    limit = NOW + timedelta(seconds=seconds)
    assert not is_expired(ORDER, first_frame_is_out=first_frame_is_out, now=limit - MICROSECOND)
    assert is_expired(ORDER, first_frame_is_out=first_frame_is_out, now=limit)


def test_expiry_checking_raises_and_says_whether_a_frame_was_out() -> None:
    check(ORDER, first_frame_is_out=True, now=NOW + timedelta(seconds=119))
    with pytest.raises(OrderExpiredError) as caught:
        check(ORDER, first_frame_is_out=False, now=NOW + timedelta(seconds=31))
    assert caught.value.values == {"first_frame": True}


def seen(activity: Activity, job: Job | None = None, *, on_charger: bool | None = None) -> DriverState:
    return DriverState(observed_at=NOW, activity=activity, job=job, on_charger=on_charger)


OPEN = Job(id="job-1", resumable=True)
CONFIRMING: dict[Action, list[DriverState]] = {
    Action.START_NEW: [seen(Activity.MOWING, OPEN), seen(Activity.MOWING)],
    Action.RESUME: [seen(Activity.MOWING, OPEN), seen(Activity.MOWING)],
    Action.PAUSE: [seen(Activity.PAUSED, OPEN), seen(Activity.IDLE)],
    Action.RETURN_TO_DOCK: [
        seen(Activity.RETURNING, OPEN),
        seen(Activity.DOCKED, OPEN, on_charger=True),
        seen(Activity.DOCKED),
    ],
    Action.CANCEL_JOB: [seen(Activity.IDLE), seen(Activity.DOCKED, Job(id="job-1")), seen(Activity.RETURNING)],
}
NOT_CONFIRMING: dict[Action, list[DriverState]] = {
    Action.START_NEW: [
        seen(Activity.MOWING, Job(id="job-0")),
        seen(Activity.DOCKED, OPEN),
        seen(Activity.ERROR, OPEN),
        seen(Activity.UNKNOWN),
    ],
    Action.RESUME: [seen(Activity.PAUSED, OPEN), seen(Activity.DOCKED, OPEN), seen(Activity.UNKNOWN)],
    Action.PAUSE: [seen(Activity.MOWING, OPEN), seen(Activity.UNKNOWN), seen(Activity.ERROR)],
    Action.RETURN_TO_DOCK: [
        seen(Activity.MOWING),
        seen(Activity.IDLE),
        seen(Activity.DOCKED, on_charger=False),
        seen(Activity.UNKNOWN),
    ],
    Action.CANCEL_JOB: [seen(Activity.PAUSED), seen(Activity.MOWING), seen(Activity.DOCKED, OPEN)],
}


@pytest.mark.parametrize("action", Action)
def test_only_a_state_that_shows_it_confirms_an_order(action: Action) -> None:
    for state in CONFIRMING[action]:
        assert confirms(action, state, job_id="job-1"), state
    for state in NOT_CONFIRMING[action]:
        assert not confirms(action, state, job_id="job-1"), state


def test_an_error_that_lasts_is_the_reason_why_nothing_was_confirmed() -> None:
    assert unconfirmed_reason(seen(Activity.ERROR)) == "mower_in_error"
    assert unconfirmed_reason(seen(Activity.DOCKED)) == "not_confirmed"
    assert unconfirmed_reason(None) == "not_confirmed"


# A job belongs to the start in hand when it is new and began in the order's time.

IN_HAND = StartInHand(command_id="command-1", job_before="job-1", sent_at=NOW, until=NOW + timedelta(seconds=120))


@pytest.mark.parametrize(
    ("job", "its"),
    [
        (Job(id="job-1", started_at=NOW), False),
        (Job(id="job-2", started_at=NOW + timedelta(seconds=5)), True),
        (Job(id="job-2", started_at=NOW - timedelta(seconds=10)), True),
        (Job(id="job-2", started_at=NOW - timedelta(seconds=11)), False),
        (Job(id="job-2", started_at=NOW + timedelta(seconds=120)), False),
        (Job(id="job-2"), True),
    ],
)
def test_attribution_by_id_and_time(job: Job, *, its: bool) -> None:
    assert is_its_job(IN_HAND, job, observed_at=NOW + timedelta(seconds=3)) is its


def test_attribution_without_a_start_time_the_report_counts() -> None:
    assert not is_its_job(IN_HAND, Job(id="job-2"), observed_at=NOW + timedelta(seconds=200))


# Heartbeats and noise are told at most every five minutes, changes at once.

TOLD = DriverAvailability(
    available=True, links=(Link(kind=LinkKind.BRIDGE, connected=True, signal_dbm=-60, heard_at=NOW),)
)


def worth(current: DriverAvailability, *, after: timedelta = timedelta(seconds=1)) -> bool:
    return is_worth_telling(TOLD, current, told_at=NOW, now=NOW + after)


def linked(**changes: object) -> DriverAvailability:
    return msgspec.structs.replace(TOLD, links=(msgspec.structs.replace(TOLD.links[0], **changes),))


def test_availability_the_first_is_told() -> None:
    assert is_worth_telling(None, TOLD, told_at=None, now=NOW)
    assert is_worth_telling(TOLD, TOLD, told_at=None, now=NOW), "nobody knows when it was told"


def test_availability_the_same_never_is() -> None:
    assert not worth(TOLD, after=timedelta(hours=1))


def test_availability_a_change_is_told_at_once() -> None:
    assert worth(msgspec.structs.replace(TOLD, available=False, reason="silent"))
    assert worth(linked(connected=False))
    assert worth(linked(kind=LinkKind.CLOUD))
    assert worth(msgspec.structs.replace(TOLD, links=()))
    assert worth(linked(signal_dbm=-65))
    assert worth(linked(signal_dbm=None))


def test_availability_a_heartbeat_is_told_after_a_while() -> None:
    beat = linked(heard_at=NOW + timedelta(seconds=1), signal_dbm=-63)
    assert not worth(beat, after=timedelta(minutes=4, seconds=59))
    assert worth(beat, after=timedelta(minutes=5))
