"""Who acts and from where, read from the context of a call.

Every call acts for the gateway's owner until Home Assistant's users are made known to the gateway.
"""

from contextvars import ContextVar

from homeassistant.core import Context

from .client.caller import Caller, Origin

CALL_CONTEXT: ContextVar[Context | None] = ContextVar("mowdeck_call_context", default=None)
"""The context of the call that this task carries out; set by the entity that was called.

An entity's own `_context` is of whoever called last, which may be somebody else by the time it is read.
"""


def caller_of(context: Context | None) -> Caller:
    """Return for whom a call with this context acts.

    A person who presses something leaves their id and no parent; what an automation does has a parent or no person.
    """
    if context is None:
        return Caller(origin=Origin.UNKNOWN)
    if context.user_id is not None and context.parent_id is None:
        return Caller(origin=Origin.DASHBOARD)
    return Caller(origin=Origin.AUTOMATION)
