"""Which state of the mower confirms which order (design, Orders: "the mower's state shows it"). Pure."""

from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.decisions import Action
from edge_gateway.device_gateway.provider import DriverState


def confirms(action: Action, state: DriverState, *, job_id: str | None = None) -> bool:
    """Tell whether a state that came after the mower's yes shows what was ordered.

    `job_id`: the job that a start made; another job's mowing does not confirm it. Started means seen mowing.
    """
    match action:
        case Action.START_NEW:
            own = state.job is None or job_id is None or state.job.id == job_id
            return state.activity is Activity.MOWING and own
        case Action.RESUME:
            return state.activity is Activity.MOWING
        case Action.PAUSE:
            # Without a job, on its way home from one that was cancelled, it just stands.
            return state.activity in {Activity.PAUSED, Activity.IDLE}
        case Action.RETURN_TO_DOCK:
            return state.activity is Activity.RETURNING or (
                state.activity is Activity.DOCKED and state.on_charger is not False
            )
        case Action.CANCEL_JOB:
            ended = state.activity in {Activity.DOCKED, Activity.IDLE, Activity.RETURNING}
            return ended and (state.job is None or not state.job.resumable)


def unconfirmed_reason(state: DriverState | None) -> str:
    """Return why an order was not confirmed in its time, from the last state.

    An error during the wait is a note and not the verdict (some mowers report one during a start that works); only
    one that lasts to the end is the reason.
    """
    if state is not None and state.activity is Activity.ERROR:
        return "mower_in_error"
    return "not_confirmed"
