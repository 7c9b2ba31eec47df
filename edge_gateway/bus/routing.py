"""Which stream a subject belongs to, and which subjects a pattern means. Pure."""

from itertools import zip_longest

from edge_gateway.contracts.identifiers import is_subject_token
from edge_gateway.contracts.subjects import DEVICE, STREAMS, TELEMETRY_PARTITIONS, Stream


def matches(pattern: str, subject: str) -> bool:
    """Tell whether a pattern (`*` one token, `>` one or more at the end) means the subject."""
    for wanted, token in zip_longest(pattern.split("."), subject.split(".")):
        if wanted == ">":
            return token is not None
        if wanted is None or token is None or wanted not in ("*", token):
            return False
    return True


def overlap(one: str, other: str) -> bool:
    """Tell whether some subject is meant by both patterns."""
    for left, right in zip_longest(one.split("."), other.split(".")):
        if left is None or right is None:
            return False
        if ">" in (left, right):
            return True
        if "*" not in (left, right) and left != right:
            return False
    return True


def stream_of(pattern: str) -> Stream:
    """Return the stream that keeps the events of a subject or pattern.

    Raises `ValueError` when there is none, or more than one.
    """
    known = (*STREAMS, TELEMETRY_PARTITIONS)
    found = [stream for stream in known if any(overlap(subject, pattern) for subject in stream.subjects)]
    match found:
        case [stream]:
            return stream
        case []:
            message = f"no stream keeps the subject {pattern!r}"
            raise ValueError(message)
        case _:
            message = f"the subject {pattern!r} reaches into several streams: {', '.join(s.name for s in found)}"
            raise ValueError(message)


def stream_to_publish(subject: str) -> Stream:
    """Return the stream that takes an event; raises `ValueError` for a pattern or a subject without a stream."""
    if any(token in ("", "*", ">") or " " in token for token in subject.split(".")):
        message = f"events cannot be published to {subject!r}"
        raise ValueError(message)
    stream = stream_of(subject)
    if stream == TELEMETRY_PARTITIONS:
        message = f"the server alone publishes to {subject!r}"
        raise ValueError(message)
    return stream


def starts_with_last(stream: Stream) -> bool:
    """Tell whether new readers start with the last event per subject (design, Bus: DEVICE only)."""
    return stream == DEVICE


def check_subscription(*, durable: str | None, queue: str | None, acknowledge: bool) -> None:
    """Raise `ValueError` for a combination that the protocol refuses or a name that cannot be a durable's."""
    if not acknowledge and (durable is not None or queue is not None):
        message = "acknowledge=False is refused together with durable or queue"
        raise ValueError(message)
    if queue is not None and durable is None:
        message = "queue needs durable"
        raise ValueError(message)
    if durable is not None and not is_subject_token(durable):
        message = f"durable {durable!r} is not made of letters, digits, '_' and '-' (1 to 64)"
        raise ValueError(message)
