"""Who acts and from where: read from the context of a call, else from the connection that the call came over."""

from contextvars import ContextVar

from homeassistant.components.websocket_api.connection import current_connection
from homeassistant.core import Context

from .client.caller import Caller, Origin

CALL_CONTEXT: ContextVar[Context | None] = ContextVar("mowdeck_call_context", default=None)
"""The context of the call that this task carries out; set by the entity that was called.

An entity's own `_context` is of whoever called last, which may be somebody else by the time it is read.
"""


def caller_of(context: Context | None) -> Caller:
    """Return for whom a call with this context acts; for nobody in particular where no person began it.

    A person who presses something leaves their id and no parent; what an automation does has a parent or no person.
    """
    if context is None:
        connection = current_connection.get()
        if connection is None:
            return Caller(origin=Origin.UNKNOWN)
        return Caller(person=connection.user.id, origin=Origin.DASHBOARD)
    if context.user_id is not None and context.parent_id is None:
        return Caller(person=context.user_id, origin=Origin.DASHBOARD)
    return Caller(person=context.user_id, origin=Origin.AUTOMATION)
