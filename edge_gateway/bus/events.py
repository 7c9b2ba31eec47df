"""Events as bytes. Pure."""

import msgspec

from edge_gateway.bus.limits import MAXIMUM_EVENT_BYTES
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import InvalidError


def encode_event(envelope: Envelope) -> bytes:
    """Return the bytes of an event; raises `InvalidError` (`event_too_large`) when no server would take it."""
    data = msgspec.json.encode(envelope)
    if len(data) > MAXIMUM_EVENT_BYTES:
        sentence = (
            f"The event {envelope.id} ({envelope.type}) has {len(data)} bytes; at most {MAXIMUM_EVENT_BYTES} fit."
        )
        raise InvalidError(
            "event_too_large", sentence, field="payload", values={"bytes": len(data), "maximum": MAXIMUM_EVENT_BYTES}
        )
    return data
