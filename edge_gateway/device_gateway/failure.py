"""Which outcome an error makes of an order. Pure."""

from typing import Any

import msgspec

from edge_gateway.contracts.commands import CommandStatus
from edge_gateway.contracts.errors import DeadlineError, MowDeckError, UnavailableError
from edge_gateway.device_gateway.decisions import Refused
from edge_gateway.device_gateway.errors import LeaseLostError, OrderExpiredError
from edge_gateway.device_gateway.lexicon import refusal_words


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """How an order ended that did not reach its end."""

    reason: str
    status: CommandStatus = CommandStatus.FAILED
    values: dict[str, Any] = {}


def failure_of_refusal(refused: Refused) -> Failure:
    """Return the outcome of an order that the mower's state does not allow."""
    return Failure(reason=refused.reason, values={"remedy": refused.remedy, **refused.values})


def failure_of(error: Exception, *, frames: int) -> Failure:
    """Return the outcome of an order that ended with this error after so many motion frames."""
    match error:
        case OrderExpiredError():
            return Failure(status=CommandStatus.EXPIRED, reason="expired_midway" if frames else "expired")
        case LeaseLostError():
            return Failure(reason="outcome_unknown" if frames else "lease_lost")
        case UnavailableError() | DeadlineError():
            # A question before the first frame that nobody answered leaves nothing open.
            reason = "outcome_unknown" if frames and isinstance(error, DeadlineError) else "unavailable"
            return Failure(reason=reason, values={"code": error.code, **error.values})
        case MowDeckError():
            field = {} if error.field is None else {"field": error.field}
            return Failure(reason=error.code, values={**error.values, **field, **_words(error)})
        case TimeoutError() if not frames:
            return Failure(status=CommandStatus.EXPIRED, reason="expired")
        case _:
            return Failure(reason="outcome_unknown" if frames else "internal")


def _words(error: MowDeckError) -> dict[str, Any]:
    """Return why the mower refused, in every language; nothing for other errors."""
    if error.code != "refused_by_mower":
        return {}
    words = refusal_words(error.values.get("vendor_reason"), problem=error.values.get("problem"))
    return {"words": msgspec.to_builtins(words)}
