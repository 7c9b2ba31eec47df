"""What Fleet's refusal of an order means for a run. Pure."""

from edge_gateway.contracts.errors import DeadlineError, ForbiddenError, MowDeckError, NotFoundError, UnavailableError
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler.verdicts import End, Reason, Wait

type Refusal = End | Wait | None
"""None: it is not known whether the order was taken; it is asked for by its key."""

_NOT_DELIVERED = frozenset({"no_responder", "bus_unavailable"})
_TRANSIENT = frozenset({Reason.UNAVAILABLE, Reason.IN_TRANSITION})


def refusal_of(error: MowDeckError) -> Refusal:
    """Return what becomes of a run whose order was refused: an end, a wait, or not known."""
    if error.code in _TRANSIENT:
        return Wait(error.code)
    match error:
        case UnavailableError() if error.code in _NOT_DELIVERED:
            return Wait(Reason.FLEET_SILENT)
        case ForbiddenError() | NotFoundError():
            return End(RunOutcome.SKIPPED_PERMISSION, error.code, error.values)
        case DeadlineError() | UnavailableError():
            return None
    if error.kind == MowDeckError.kind:
        # Fleet failed in the middle: the order may have been taken.
        return None
    return End(RunOutcome.FAILED, error.code, error.values)
