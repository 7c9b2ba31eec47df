"""The rule for "start" from outside (design, Orders), and for its explicit modes `new` and `resume`. Pure."""

from datetime import datetime, timedelta

from edge_gateway.contracts.commands import StartMode
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.device_gateway.decisions import Action, Decision, NothingToSend, Refused, Send
from edge_gateway.device_gateway.provider import Capabilities, DriverState

RESUME_MAXIMUM_AGE = timedelta(hours=24)
"""At and after this age an open job of ours is not gone on with by itself."""


def open_job(state: DriverState) -> Job | None:
    """Return the job that is open: a busy mower's own, or one that a resting mower could go on with."""
    if state.job is None:
        return None
    if state.activity in {Activity.MOWING, Activity.PAUSED} or state.job.resumable:
        return state.job
    return None


def decide_start(
    mode: StartMode,
    state: DriverState | None,
    capabilities: Capabilities,
    *,
    started_here_at: datetime | None,
    area_ids: tuple[str, ...] | None,
    now: datetime,
) -> Decision:
    """Decide what a start means in this state.

    `started_here_at`: when the open job was started through us, null for a foreign one. `area_ids`: those that the
    caller named, null for none: areas that are not the open job's ask for another job, from dock or idle.
    """
    if state is None or state.activity is Activity.UNKNOWN:
        return Refused(reason="state_unknown", remedy="refresh")
    if state.activity is Activity.ERROR:
        code = None if state.problem is None else state.problem.code
        return Refused(reason="mower_in_error", remedy="clear_problem", values={"problem": code})
    match mode:
        case StartMode.NEW:
            return _new(state)
        case StartMode.RESUME:
            return _resume(state, capabilities)
        case StartMode.AUTO:
            return _auto(state, capabilities, started_here_at, area_ids, now)


def _auto(
    state: DriverState,
    capabilities: Capabilities,
    started_here_at: datetime | None,
    area_ids: tuple[str, ...] | None,
    now: datetime,
) -> Decision:
    if state.activity in {Activity.MOWING, Activity.PAUSED, Activity.RETURNING}:
        return _resume(state, capabilities)
    job = open_job(state)
    if job is None or started_here_at is None or now - started_here_at >= RESUME_MAXIMUM_AGE:
        return Send(Action.START_NEW)
    if area_ids is not None and job.area_ids and set(area_ids) != set(job.area_ids):
        return Send(Action.START_NEW)
    return Send(Action.RESUME)


def _new(state: DriverState) -> Decision:
    match state.activity:
        case Activity.MOWING:
            # A start that was decided before somebody else's began must not end theirs.
            return Refused(reason="busy", remedy="cancel_first")
        case Activity.RETURNING:
            return Refused(reason="in_transition", remedy="wait_until_docked")
        case _:
            return Send(Action.START_NEW)


def _resume(state: DriverState, capabilities: Capabilities) -> Decision:
    match state.activity:
        case Activity.MOWING:
            return NothingToSend("already_mowing")
        case Activity.PAUSED:
            return Send(Action.RESUME)
        case Activity.RETURNING:
            if capabilities.can_resume_while_returning and open_job(state) is not None:
                return Send(Action.RESUME)
            return Refused(reason="in_transition", remedy="wait_until_docked")
        case _ if open_job(state) is not None:
            return Send(Action.RESUME)
        case _:
            return Refused(reason="no_open_job", remedy="start_new")
