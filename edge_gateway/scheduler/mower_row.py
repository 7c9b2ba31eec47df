"""Which reports are worth a write of the mower's row. Pure.

A change of activity or job at once, else at most every 30 s or after 100 m; an older report never.
"""

from datetime import timedelta
from math import cos, hypot, radians

from edge_gateway.contracts.mower import MowerState, Position

EVERY = timedelta(seconds=30)
MOVED_METRES = 100.0
_METRES_PER_DEGREE = 111_320.0


def is_worth_writing(written: MowerState | None, state: MowerState) -> bool:
    """Tell whether a report is written, given the last one that was (null: none is known to be)."""
    if state.backfill:
        return False
    if written is None:
        return True
    if state.observed_at <= written.observed_at:
        return False
    if state.activity is not written.activity or _job(state) != _job(written):
        return True
    return state.observed_at - written.observed_at >= EVERY or _metres(written.position, state.position) >= MOVED_METRES


def _job(state: MowerState) -> tuple[str, str | None, bool] | None:
    return None if state.job is None else (state.job.id, state.job.command_id, state.job.resumable)


def _metres(one: Position | None, other: Position | None) -> float:
    if one is None or other is None:
        return 0.0
    north = (other.latitude - one.latitude) * _METRES_PER_DEGREE
    east = (other.longitude - one.longitude) * _METRES_PER_DEGREE * cos(radians(one.latitude))
    return hypot(north, east)
