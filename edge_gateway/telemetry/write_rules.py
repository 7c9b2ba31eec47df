"""What a state changes in the log (design, Telemetry, Write rules). Pure."""

from datetime import datetime, timedelta
from enum import Enum

import msgspec

from edge_gateway.contracts.mower import BUSY, Activity, MowerState, Position

LOWEST_LATITUDE, HIGHEST_LATITUDE = -90.0, 90.0
LOWEST_LONGITUDE, HIGHEST_LONGITUDE = -180.0, 180.0
AHEAD = timedelta(seconds=60)
"""A latest state that is further in the future yields; the gateway restarts a mower's time by the same measure."""
_FULL_PERCENT = 100


class Shown(msgspec.Struct, frozen=True, gc=False):
    """All that the history shows of a state but its moment: everything but the position."""

    activity: Activity
    battery_percent: int | None = None
    charging: bool | None = None
    area_id: str | None = None
    progress_percent: float | None = None
    job_id: str | None = None
    problem_code: str | None = None


class Latest(msgspec.Struct, frozen=True, gc=False):
    """What must be known of a mower's last stored state to judge the next one."""

    account_id: str
    observed_at: datetime
    shown: Shown


class Effect(Enum):
    """What a state does to the store."""

    NOTHING = "nothing"
    """It is stored already."""
    NEWER = "newer"
    """It moves the latest state."""
    LATE = "late"
    """It only adds to the past."""
    FOREIGN = "foreign"
    """It names another account than its mower: dropped alone."""


class LogRow(msgspec.Struct, frozen=True, gc=False):
    """A row of the log: history and position columns together."""

    mower_id: str
    observed_at: datetime
    shown: Shown
    changed: bool
    """Anything but the position changed: the row is part of the history."""
    position: Position | None
    """Kept while the mower is busy."""


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """The effect of one state, and what is to be written."""

    effect: Effect
    latest: Latest | None
    """The latest state afterwards."""
    row: LogRow | None = None


def shown(state: MowerState) -> Shown:
    """Return what the history shows of a state."""
    job, problem = state.job, state.problem
    return Shown(
        state.activity,
        state.battery_percent,
        state.charging,
        state.area_id,
        state.progress_percent,
        None if job is None else job.id,
        None if problem is None else problem.code,
    )


def latest_of(state: MowerState) -> Latest:
    """Return what a stored state leaves to judge the next one by."""
    return Latest(state.account_id, state.observed_at, shown(state))


def judge(state: MowerState, latest: Latest | None, *, directory_account_id: str, now: datetime) -> Judgement:
    """Return what one state changes, given the last stored state of its mower.

    Newer: the latest state moves, a row where something changed or the mower is busy and somewhere. Equal
    `observed_at`: nothing. Late: a row only, if it is marked or a position is worth it; any other older one comes
    again, since live states leave the gateway in order. A latest state in the future, from a clock that was wrong,
    yields. Another account than the directory's or the stored one: dropped.
    """
    account_id, moment = state.account_id, state.observed_at
    if account_id != directory_account_id or (latest is not None and account_id != latest.account_id):
        return Judgement(Effect.FOREIGN, latest)
    position = state.position if state.activity in BUSY else None
    if latest is not None and moment <= latest.observed_at:
        if moment == latest.observed_at:
            return Judgement(Effect.NOTHING, latest)
        lies_ahead = latest.observed_at - now > AHEAD
        if state.backfill or (position is not None and not lies_ahead):
            return Judgement(Effect.LATE, latest, LogRow(state.mower_id, moment, shown(state), True, position))  # noqa: FBT003  # a column
        if not lies_ahead:
            return Judgement(Effect.NOTHING, latest)
    now_shown = shown(state)
    # A backfilled one always has its row: delivered again behind a newer one it would have it as a late one.
    changed = latest is None or state.backfill or now_shown != latest.shown
    moved = Latest(account_id, moment, now_shown)
    if not changed and position is None:
        return Judgement(Effect.NEWER, moved)
    return Judgement(Effect.NEWER, moved, LogRow(state.mower_id, moment, now_shown, changed, position))


def is_storable(state: MowerState) -> bool:
    """Tell whether the numbers of a state lie where a mower's can lie; one that does not is poison."""
    battery, progress, position = state.battery_percent, state.progress_percent, state.position
    return (
        (battery is None or 0 <= battery <= _FULL_PERCENT)
        and (progress is None or 0 <= progress <= _FULL_PERCENT)
        and (
            position is None
            or (
                LOWEST_LATITUDE <= position.latitude <= HIGHEST_LATITUDE
                and LOWEST_LONGITUDE <= position.longitude <= HIGHEST_LONGITUDE
            )
        )
    )
