"""What each order means in a mower's state: idempotent, and refused where it would be wrong (design, Orders). Pure."""

from datetime import datetime

from edge_gateway.contracts.commands import CommandBody, CommandKind, StartMode
from edge_gateway.contracts.mower import BUSY, Activity
from edge_gateway.device_gateway.decisions import Action, Decision, NothingToSend, Refused, Send
from edge_gateway.device_gateway.provider import Capabilities, DriverState
from edge_gateway.device_gateway.start_rule import decide_start, open_job


def decide(
    body: CommandBody,
    state: DriverState | None,
    capabilities: Capabilities,
    *,
    fresh: bool,
    started_here_at: datetime | None,
    now: datetime,
) -> Decision:
    """Decide about an order that moves or stops the mower.

    `fresh`: the state is not older than the gateway trusts; a state that is not fresh never makes an order needless.
    `started_here_at`: when the open job was started through us, null for a foreign one.
    Raises `ValueError` for a kind that does not move the mower.
    """
    match body.kind:
        case CommandKind.START_MOW | CommandKind.RESUME:
            mode = StartMode.RESUME if body.kind is CommandKind.RESUME else body.mode
            return decide_start(
                mode,
                state if fresh else None,
                capabilities,
                started_here_at=started_here_at,
                area_ids=body.area_ids,
                now=now,
            )
        case CommandKind.PAUSE:
            return _pause(state if fresh else None)
        case CommandKind.RETURN_TO_DOCK:
            return _return_to_dock(state if fresh else None)
        case CommandKind.CANCEL_JOB:
            return _cancel_job(state if fresh else None)
        case _:
            message = f"{body.kind} does not move the mower"
            raise ValueError(message)


def _pause(state: DriverState | None) -> Decision:
    """Pause whenever it cannot be ruled out that the mower moves."""
    if state is None:
        return Send(Action.PAUSE)
    match state.activity:
        case Activity.PAUSED:
            return NothingToSend("already_paused")
        case Activity.DOCKED | Activity.IDLE:
            return Refused(reason="not_mowing", remedy="none_needed")
        case _:
            return Send(Action.PAUSE)


def _return_to_dock(state: DriverState | None) -> Decision:
    """Send it home, never twice: to some mowers the second order means "turn back"."""
    if state is None:
        return Refused(reason="state_unknown", remedy="refresh")
    match state.activity:
        case Activity.RETURNING:
            return NothingToSend("already_returning")
        case Activity.DOCKED if state.on_charger:
            return NothingToSend("already_docked")
        case Activity.ERROR:
            code = None if state.problem is None else state.problem.code
            return Refused(reason="mower_in_error", remedy="clear_problem", values={"problem": code})
        case _:
            return Send(Action.RETURN_TO_DOCK)


def _cancel_job(state: DriverState | None) -> Decision:
    """End what is open; a mower that may be out on something is told even when it names no job."""
    if state is None or state.activity in BUSY or state.activity is Activity.UNKNOWN:
        if state is not None and state.activity is Activity.RETURNING and open_job(state) is None:
            return NothingToSend("no_open_job")
        return Send(Action.CANCEL_JOB)
    if open_job(state) is None:
        return NothingToSend("no_open_job")
    return Send(Action.CANCEL_JOB)
