"""`observed_at` made strictly increasing per mower (design, Telemetry, first rule). Pure."""

from datetime import datetime, timedelta

import msgspec

MAXIMUM_AHEAD = timedelta(seconds=60)
"""A last state further ahead of the receipt than this came from a wrong clock and no longer counts."""

_STEP = timedelta(microseconds=1)


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """The last state that was sent."""

    sent_at: datetime
    """Its `observed_at` as it was published."""
    source_at: datetime
    """Its `observed_at` as the driver gave it; after a restart the published one stands in."""

    @classmethod
    def read_back(cls, observed_at: datetime) -> Told:
        """Return what the stream's last state tells after a restart."""
        return cls(sent_at=observed_at, source_at=observed_at)


def advance(last: Told | None, *, source_at: datetime, received_at: datetime) -> Told | None:
    """Return the time to publish a live state with, or null when it was overtaken by a newer one and is dropped.

    A state observed in the future was observed now. When the last one lies ahead of the receipt the clock went back:
    within 60 s the states go on one microsecond apart until the clock has caught up, further ahead they restart from
    the receipt.
    """
    observed_at = min(source_at, received_at)
    if last is None or last.sent_at - received_at > MAXIMUM_AHEAD:
        return Told(sent_at=observed_at, source_at=observed_at)
    if observed_at < last.source_at <= received_at:
        return None
    return Told(sent_at=max(observed_at, last.sent_at + _STEP), source_at=observed_at)
