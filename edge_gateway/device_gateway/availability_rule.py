"""When a change of availability is worth an event: heartbeats alone are not. Pure."""

from datetime import datetime, timedelta

from edge_gateway.contracts.mower import Link
from edge_gateway.device_gateway.provider import DriverAvailability

SIGNAL_STEP_DBM = 5
"""A smaller change of a link's signal is noise."""

QUIET_PERIOD = timedelta(minutes=5)
"""Within it a changed heartbeat or signal noise is not told; after it, it is."""


def is_worth_telling(
    told: DriverAvailability | None, current: DriverAvailability, *, told_at: datetime | None, now: datetime
) -> bool:
    """Tell whether `current` differs from what was told last in a way that somebody wants to know."""
    if told is None or told_at is None:
        return True
    if (told.available, told.reason) != (current.available, current.reason):
        return True
    if [(link.kind, link.connected) for link in told.links] != [(link.kind, link.connected) for link in current.links]:
        return True
    if any(_signal_moved(old, new) for old, new in zip(told.links, current.links, strict=True)):
        return True
    return told != current and now - told_at >= QUIET_PERIOD


def _signal_moved(old: Link, new: Link) -> bool:
    if old.signal_dbm is None or new.signal_dbm is None:
        return old.signal_dbm != new.signal_dbm
    return abs(old.signal_dbm - new.signal_dbm) >= SIGNAL_STEP_DBM
