"""Orders are idempotent, and refused where they would be wrong."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from edge_gateway.contracts.commands import MOTION_KINDS, CommandBody, CommandKind, StartMode
from edge_gateway.contracts.mower import Activity, Job, Problem
from edge_gateway.device_gateway.decisions import Action, Decision, NothingToSend, Refused, Send
from edge_gateway.device_gateway.order_rule import decide
from edge_gateway.device_gateway.provider import Capabilities, DriverState

NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
OPEN = Job(id="job-1", resumable=True)
OVER = Job(id="job-1", resumable=False)


def state(activity: Activity, job: Job | None = None, *, on_charger: bool | None = None) -> DriverState:
    return DriverState(observed_at=NOW, activity=activity, job=job, on_charger=on_charger)


def order(kind: CommandKind, current: DriverState | None, *, fresh: bool = True) -> Decision:
    return decide(CommandBody(kind=kind), current, Capabilities(), fresh=fresh, started_here_at=None, now=NOW)


# Idempotent: at the charger and on the way home nothing is sent.


def test_return_to_dock_docked_and_at_the_charger_succeeds_without_a_frame() -> None:
    decision = order(CommandKind.RETURN_TO_DOCK, state(Activity.DOCKED, on_charger=True))
    assert decision == NothingToSend("already_docked")


@pytest.mark.parametrize("on_charger", [None, False])
def test_return_to_dock_docked_without_the_chargers_word_is_sent(*, on_charger: bool | None) -> None:
    decision = order(CommandKind.RETURN_TO_DOCK, state(Activity.DOCKED, on_charger=on_charger))
    assert decision == Send(Action.RETURN_TO_DOCK)


def test_return_to_dock_a_stale_docked_proves_nothing() -> None:
    decision = order(CommandKind.RETURN_TO_DOCK, state(Activity.DOCKED, on_charger=True), fresh=False)
    assert decision == Refused(reason="state_unknown", remedy="refresh")


def test_return_to_dock_returning_succeeds_without_a_frame() -> None:
    assert order(CommandKind.RETURN_TO_DOCK, state(Activity.RETURNING)) == NothingToSend("already_returning")


@pytest.mark.parametrize("activity", [Activity.MOWING, Activity.PAUSED, Activity.IDLE, Activity.UNKNOWN])
def test_return_to_dock_a_mower_that_is_out_is_sent_home(activity: Activity) -> None:
    assert order(CommandKind.RETURN_TO_DOCK, state(activity)) == Send(Action.RETURN_TO_DOCK)


@pytest.mark.parametrize(("problem", "code"), [(Problem(code="lifted"), "lifted"), (None, None)])
def test_return_to_dock_a_mower_in_error_is_not_moved(problem: Problem | None, code: str | None) -> None:
    current = DriverState(observed_at=NOW, activity=Activity.ERROR, problem=problem)
    assert order(CommandKind.RETURN_TO_DOCK, current) == Refused(
        reason="mower_in_error", remedy="clear_problem", values={"problem": code}
    )


# Sent whenever it cannot be ruled out that the mower moves.


def test_pause_paused_succeeds_without_a_frame() -> None:
    assert order(CommandKind.PAUSE, state(Activity.PAUSED, OPEN)) == NothingToSend("already_paused")


@pytest.mark.parametrize(
    "current",
    [None, *(state(a) for a in (Activity.MOWING, Activity.RETURNING, Activity.ERROR, Activity.UNKNOWN))],
)
def test_pause_what_may_move_is_paused(current: DriverState | None) -> None:
    assert order(CommandKind.PAUSE, current) == Send(Action.PAUSE)


def test_pause_a_stale_pause_is_paused_again() -> None:
    assert order(CommandKind.PAUSE, state(Activity.PAUSED, OPEN), fresh=False) == Send(Action.PAUSE)


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_pause_a_mower_at_rest_has_nothing_to_pause(activity: Activity) -> None:
    assert order(CommandKind.PAUSE, state(activity)) == Refused(reason="not_mowing", remedy="none_needed")


# Afterwards nothing is open, whatever was before.


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE, Activity.ERROR, Activity.RETURNING])
@pytest.mark.parametrize("job", [None, OVER])
def test_cancel_job_without_an_open_job_succeeds_without_a_frame(activity: Activity, job: Job | None) -> None:
    assert order(CommandKind.CANCEL_JOB, state(activity, job)) == NothingToSend("no_open_job")


@pytest.mark.parametrize("activity", Activity)
def test_cancel_job_an_open_job_is_ended_in_every_state(activity: Activity) -> None:
    assert order(CommandKind.CANCEL_JOB, state(activity, OPEN)) == Send(Action.CANCEL_JOB)


@pytest.mark.parametrize("activity", [Activity.MOWING, Activity.PAUSED, Activity.UNKNOWN])
def test_cancel_job_a_mower_that_is_out_without_naming_a_job_is_told(activity: Activity) -> None:
    assert order(CommandKind.CANCEL_JOB, state(activity)) == Send(Action.CANCEL_JOB)


def test_cancel_job_a_stale_state_proves_nothing() -> None:
    assert order(CommandKind.CANCEL_JOB, state(Activity.DOCKED), fresh=False) == Send(Action.CANCEL_JOB)


def test_resume_is_the_start_rules_explicit_mode() -> None:
    assert order(CommandKind.RESUME, state(Activity.DOCKED, OPEN)) == Send(Action.RESUME)
    assert order(CommandKind.RESUME, state(Activity.DOCKED)) == Refused(reason="no_open_job", remedy="start_new")


@pytest.mark.parametrize(
    ("activity", "body", "hours", "action"),
    [
        (Activity.DOCKED, {}, 23, Action.RESUME),
        (Activity.DOCKED, {}, 24, Action.START_NEW),
        (Activity.DOCKED, {"mode": StartMode.NEW}, 23, Action.START_NEW),
        (Activity.DOCKED, {"area_ids": ("back",)}, 23, Action.START_NEW),
        (Activity.RETURNING, {}, 23, Action.RESUME),
    ],
)
def test_start_mow_is_decided_by_mode_areas_age_and_what_the_mower_can(
    activity: Activity, body: dict[str, Any], hours: int, action: Action
) -> None:
    job = Job(id="job-1", area_ids=("front", "back"), resumable=True)
    decision = decide(
        CommandBody(kind=CommandKind.START_MOW, **body),
        state(activity, job),
        Capabilities(can_resume_while_returning=True),
        fresh=True,
        started_here_at=NOW - timedelta(hours=hours),
        now=NOW,
    )
    assert decision == Send(action)


@pytest.mark.parametrize("kind", [CommandKind.START_MOW, CommandKind.RESUME])
def test_nothing_starts_on_a_stale_state(kind: CommandKind) -> None:
    decision = order(kind, state(Activity.DOCKED, OPEN), fresh=False)
    assert decision == Refused(reason="state_unknown", remedy="refresh")


@pytest.mark.parametrize("kind", sorted(set(CommandKind) - MOTION_KINDS))
def test_what_does_not_move_the_mower_is_not_decided_here(kind: CommandKind) -> None:
    with pytest.raises(ValueError, match="does not move the mower"):
        order(kind, state(Activity.DOCKED))
