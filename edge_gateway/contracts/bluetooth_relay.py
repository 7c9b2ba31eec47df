"""How the API hands on, over the bus, what Home Assistant and the device gateway say about lent Bluetooth.

The API asks each time, so that it needs no address of its own: it tells what Home Assistant said, one request after
the other, and waits with another one for what the device gateway says. When a request fails, the session is over.
"""

import msgspec

from edge_gateway.contracts.bluetooth_lending import Hello, Said, Told

HANDED_AT_ONCE = 64
"""So many messages travel in one request or answer."""

COLLECT_SECONDS = 2.0
"""A question for messages is answered after so long, also when there are none: the sign that both sides live."""


class OpenLendingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`device_gateway.bluetooth.open`: another session of the same Home Assistant is over then.

    Who may lend is checked at the door.
    """

    session_id: str
    hello: Hello


class HearLentRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`device_gateway.bluetooth.hear`: what Home Assistant said since, in order."""

    session_id: str
    number: int
    """Rises by one with each request of a session, from 1: what is missing ends it."""
    messages: tuple[Said, ...]


class CollectLentRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`device_gateway.bluetooth.collect`: waits for something to say, one question at a time."""

    session_id: str


class CollectLentReply(msgspec.Struct, frozen=True, kw_only=True):
    """What to say to Home Assistant, in order; possibly nothing."""

    messages: tuple[Told, ...] = ()
    ended: str | None = None
    """The session is over, and why: `replaced`, `stopping`, `overrun`, `out_of_step`."""


class CloseLendingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`device_gateway.bluetooth.close`: Home Assistant is gone."""

    session_id: str
