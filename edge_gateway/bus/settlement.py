"""What becomes of each message after a batch (design, Bus). Pure: the time is an argument."""

from collections.abc import Mapping, Sequence

import msgspec

from edge_gateway.bus.protocol import Verdict
from edge_gateway.bus.source import Received

DROPPED_BY_HANDLER = "handler"
DROPPED_BY_AGE = "redelivered_too_long"
DROPPED_UNREADABLE = "unreadable"


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """What to tell the server, and what stays in hand."""

    acknowledged: tuple[Received, ...]
    redelivered: tuple[Received, ...]
    """In the order in which they are given back, which is the order per subject."""
    dropped: tuple[tuple[Received, str], ...]
    """With the reason."""
    kept: tuple[Received, ...]
    """Prefetched messages that are handled next."""
    refused_since: dict[int, float]
    """By sequence: since when (monotonic seconds) a message's own outcome is `redeliver`."""


def settle(
    batch: Sequence[Received],
    verdicts: Sequence[Verdict],
    prefetched: Sequence[Received],
    *,
    refused_since: Mapping[int, float],
    now: float,
    redeliver_for_seconds: float,
) -> Settlement:
    """Settle a handled batch: one redelivered takes along the later ones of its subject, prefetched ones included.

    Only a message's own verdict counts towards its age; `now` and `refused_since` are monotonic seconds.
    """
    acknowledged: list[Received] = []
    redelivered: list[Received] = []
    dropped: list[tuple[Received, str]] = []
    refused = {sequence: since for sequence, since in refused_since.items() if now - since < 2 * redeliver_for_seconds}
    held_back: set[str] = set()
    for message, verdict in zip(batch, verdicts, strict=True):
        since = refused.pop(message.sequence, now)
        if verdict is Verdict.REDELIVER and now - since < redeliver_for_seconds:
            refused[message.sequence] = since
            held_back.add(message.subject)
        if message.subject in held_back:
            redelivered.append(message)
        elif verdict is Verdict.ACK:
            acknowledged.append(message)
        else:
            dropped.append((message, DROPPED_BY_HANDLER if verdict is Verdict.DROP else DROPPED_BY_AGE))
    redelivered.extend(message for message in prefetched if message.subject in held_back)
    return Settlement(
        acknowledged=tuple(acknowledged),
        redelivered=tuple(redelivered),
        dropped=tuple(dropped),
        kept=tuple(message for message in prefetched if message.subject not in held_back),
        refused_since=refused,
    )


def settle_raised(
    batch: Sequence[Received], prefetched: Sequence[Received], *, refused_since: Mapping[int, float]
) -> Settlement:
    """Settle a batch whose handler raised: all of it comes again, and the age of none of it grows."""
    subjects = {message.subject for message in batch}
    return Settlement(
        acknowledged=(),
        redelivered=(*batch, *(message for message in prefetched if message.subject in subjects)),
        dropped=(),
        kept=tuple(message for message in prefetched if message.subject not in subjects),
        refused_since=dict(refused_since),
    )
