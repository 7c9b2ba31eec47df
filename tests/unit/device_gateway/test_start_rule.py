"""The rule for "start" from outside, case by case as the design names them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.commands import StartMode
from edge_gateway.contracts.mower import Activity, Job, Problem
from edge_gateway.device_gateway.decisions import Action, Decision, NothingToSend, Refused, Send
from edge_gateway.device_gateway.provider import Capabilities, DriverState
from edge_gateway.device_gateway.start_rule import decide_start

NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
OPEN = Job(id="job-1", area_ids=("front", "back"), resumable=True)
PLAIN = Capabilities()
TURNS_BACK = Capabilities(can_resume_while_returning=True)


def state(activity: Activity, job: Job | None = None, problem: Problem | None = None) -> DriverState:
    return DriverState(observed_at=NOW, activity=activity, job=job, problem=problem)


def start(
    current: DriverState | None,
    mode: StartMode = StartMode.AUTO,
    *,
    age: timedelta | None = None,
    capabilities: Capabilities = PLAIN,
    area_ids: tuple[str, ...] | None = None,
) -> Decision:
    started_here_at = None if age is None else NOW - age
    return decide_start(mode, current, capabilities, started_here_at=started_here_at, area_ids=area_ids, now=NOW)


@pytest.mark.parametrize("job", [OPEN, None])
def test_paused_goes_on_whoever_started_the_job_and_even_when_none_is_named(job: Job | None) -> None:
    assert start(state(Activity.PAUSED, job)) == Send(Action.RESUME)


def test_returning_turns_back_where_the_provider_can() -> None:
    assert start(state(Activity.RETURNING, OPEN), capabilities=TURNS_BACK) == Send(Action.RESUME)


def test_returning_is_refused_for_now_where_the_provider_cannot() -> None:
    assert start(state(Activity.RETURNING, OPEN)) == Refused(reason="in_transition", remedy="wait_until_docked")


def test_returning_from_a_finished_job_has_nothing_to_turn_back_to() -> None:
    decision = start(state(Activity.RETURNING), capabilities=TURNS_BACK)
    assert decision == Refused(reason="in_transition", remedy="wait_until_docked")


def test_mowing_succeeds_and_nothing_is_sent() -> None:
    assert start(state(Activity.MOWING, OPEN)) == NothingToSend("already_mowing")


@pytest.mark.parametrize("mode", StartMode)
def test_error_is_refused_with_the_problem_and_the_remedy(mode: StartMode) -> None:
    decision = start(state(Activity.ERROR, OPEN, Problem(code="stuck")), mode)
    assert decision == Refused(reason="mower_in_error", remedy="clear_problem", values={"problem": "stuck"})


@pytest.mark.parametrize("mode", StartMode)
@pytest.mark.parametrize("current", [None, state(Activity.UNKNOWN, OPEN)])
def test_unknown_is_refused_with_the_remedy(mode: StartMode, current: DriverState | None) -> None:
    assert start(current, mode) == Refused(reason="state_unknown", remedy="refresh")


# A mower in its dock or standing on the lawn.


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_at_rest_our_open_job_is_gone_on_with(activity: Activity) -> None:
    assert start(state(activity, OPEN), age=timedelta(hours=23, minutes=59)) == Send(Action.RESUME)


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_at_rest_our_job_of_a_day_ago_is_not(activity: Activity) -> None:
    assert start(state(activity, OPEN), age=timedelta(hours=24)) == Send(Action.START_NEW)


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_at_rest_a_foreign_open_job_is_not(activity: Activity) -> None:
    assert start(state(activity, OPEN), age=None) == Send(Action.START_NEW)


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_at_rest_a_job_that_cannot_be_resumed_is_over(activity: Activity) -> None:
    over = Job(id="job-1", resumable=False)
    assert start(state(activity, over), age=timedelta(hours=1)) == Send(Action.START_NEW)


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_at_rest_no_job_is_a_new_one(activity: Activity) -> None:
    assert start(state(activity)) == Send(Action.START_NEW)


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_at_rest_other_areas_than_the_open_jobs_are_a_new_one(activity: Activity) -> None:
    decision = start(state(activity, OPEN), age=timedelta(hours=1), area_ids=("back",))
    assert decision == Send(Action.START_NEW)


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_at_rest_the_same_areas_in_another_order_go_on(activity: Activity) -> None:
    decision = start(state(activity, OPEN), age=timedelta(hours=1), area_ids=("back", "front"))
    assert decision == Send(Action.RESUME)


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_at_rest_mode_new_never_goes_on(activity: Activity) -> None:
    assert start(state(activity, OPEN), StartMode.NEW, age=timedelta(hours=1)) == Send(Action.START_NEW)


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_at_rest_mode_resume_goes_on_with_an_old_or_foreign_job(activity: Activity) -> None:
    assert start(state(activity, OPEN), StartMode.RESUME) == Send(Action.RESUME)


@pytest.mark.parametrize("activity", [Activity.DOCKED, Activity.IDLE])
def test_at_rest_mode_resume_never_becomes_a_new_job(activity: Activity) -> None:
    assert start(state(activity), StartMode.RESUME) == Refused(reason="no_open_job", remedy="start_new")


def test_mode_new_replaces_a_paused_job() -> None:
    assert start(state(Activity.PAUSED, OPEN), StartMode.NEW) == Send(Action.START_NEW)


def test_mode_new_never_ends_a_job_that_is_being_mown() -> None:
    assert start(state(Activity.MOWING, OPEN), StartMode.NEW) == Refused(reason="busy", remedy="cancel_first")


def test_mode_new_waits_for_a_mower_on_its_way_home() -> None:
    decision = start(state(Activity.RETURNING, OPEN), StartMode.NEW, capabilities=TURNS_BACK)
    assert decision == Refused(reason="in_transition", remedy="wait_until_docked")


@given(
    activity=st.sampled_from(Activity),
    job=st.none() | st.builds(Job, id=st.just("job-1"), resumable=st.booleans()),
    age_hours=st.none() | st.integers(0, 100),
    turns_back=st.booleans(),
)
def test_explicit_modes_never_turn_into_each_other(
    activity: Activity, job: Job | None, age_hours: int | None, *, turns_back: bool
) -> None:
    age = None if age_hours is None else timedelta(hours=age_hours)
    capabilities = Capabilities(can_resume_while_returning=turns_back)
    current = state(activity, job)
    assert start(current, StartMode.NEW, age=age, capabilities=capabilities) != Send(Action.RESUME)
    assert start(current, StartMode.RESUME, age=age, capabilities=capabilities) != Send(Action.START_NEW)
