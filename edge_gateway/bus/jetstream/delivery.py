"""What a JetStream delivery says about itself in its reply subject. Pure."""

import msgspec

_PREFIX = "$JS.ACK."
_SHORT = 9
"""Tokens without a domain: $JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<consumer sequence>.<time>.<pending>."""
_DOMAIN_TOKENS = 2
"""With a domain, its name and a hash of the account stand before the stream, and a random token may follow."""


class Delivered(msgspec.Struct, frozen=True, gc=False):
    """The numbers of one delivery."""

    deliveries: int
    """How often it was delivered, this time included, since the consumer was last reset."""
    sequence: int
    """Of the message in the stream."""
    consumer_sequence: int
    """Of the delivery: without a gap from 1, since the consumer was last reset."""
    pending: int
    """How many more messages the consumer had."""


def is_delivery(reply: str) -> bool:
    """Tell whether a message with this reply subject is a delivery (and not a status of the server)."""
    return reply.startswith(_PREFIX)


def read_delivery(reply: str) -> Delivered:
    """Return the numbers in a delivery's reply subject; raises `ValueError` when it is none."""
    tokens = reply.split(".")
    first = 4 if len(tokens) == _SHORT else 4 + _DOMAIN_TOKENS
    try:
        deliveries, sequence, consumer_sequence, _time, pending = (int(token) for token in tokens[first : first + 5])
    except ValueError as error:
        message = f"not the reply subject of a delivery: {reply!r}"
        raise ValueError(message) from error
    return Delivered(deliveries, sequence, consumer_sequence, pending)
