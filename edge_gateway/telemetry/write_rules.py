"""What a state changes in the store (design, Telemetry, Write rules). Pure."""

from datetime import datetime
from enum import Enum

import msgspec

from edge_gateway.contracts.mower import BUSY, MowerState, Position
from edge_gateway.contracts.telemetry import HistoryRow


class Latest(msgspec.Struct, frozen=True, kw_only=True):
    """What must be known of a mower's last stored state to judge the next one."""

    account_id: str
    observed_at: datetime
    shown: HistoryRow
    """All that the history shows of it."""


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


class LogRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the log: history and position columns together."""

    mower_id: str
    shown: HistoryRow
    changed: bool
    """Anything but the position changed: the row is part of the history."""
    position: Position | None
    """Kept while the mower is busy."""


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of one state, and what is to be written."""

    effect: Effect
    row: LogRow | None = None
    latest: Latest | None = None
    """The latest state afterwards."""


def shown(state: MowerState) -> HistoryRow:
    """Return what the history shows of a state: everything but the position."""
    return HistoryRow(
        observed_at=state.observed_at,
        activity=state.activity,
        battery_percent=state.battery_percent,
        charging=state.charging,
        area_id=state.area_id,
        progress_percent=state.progress_percent,
        job_id=None if state.job is None else state.job.id,
        problem_code=None if state.problem is None else state.problem.code,
    )


def judge(state: MowerState, latest: Latest | None, *, directory_account_id: str) -> Judgement:
    """Return what one state changes, given the last stored state of its mower.

    Equal `observed_at`: nothing. Newer: the latest state moves, a row where something changed or the mower is busy
    and somewhere. Late: a row only. Another account than the directory's or the stored one: dropped.
    """
    if state.account_id != directory_account_id or (latest is not None and state.account_id != latest.account_id):
        return Judgement(effect=Effect.FOREIGN, latest=latest)
    if latest is not None and state.observed_at == latest.observed_at:
        return Judgement(effect=Effect.NOTHING, latest=latest)
    now_shown = shown(state)
    position = state.position if state.activity in BUSY else None
    if latest is not None and state.observed_at < latest.observed_at:
        row = LogRow(mower_id=state.mower_id, shown=now_shown, changed=True, position=position)
        return Judgement(effect=Effect.LATE, row=row, latest=latest)
    changed = latest is None or _differs(now_shown, latest.shown)
    moved = Latest(account_id=state.account_id, observed_at=state.observed_at, shown=now_shown)
    if not changed and position is None:
        return Judgement(effect=Effect.NEWER, latest=moved)
    row = LogRow(mower_id=state.mower_id, shown=now_shown, changed=changed, position=position)
    return Judgement(effect=Effect.NEWER, row=row, latest=moved)


def _differs(one: HistoryRow, other: HistoryRow) -> bool:
    return msgspec.structs.replace(one, observed_at=other.observed_at) != other


def is_storable(state: MowerState) -> bool:
    """Tell whether the numbers of a state lie where a mower's can lie; one that does not is poison."""
    if state.battery_percent is not None and not 0 <= state.battery_percent <= 100:  # noqa: PLR2004  # per cent
        return False
    if state.progress_percent is not None and not 0 <= state.progress_percent <= 100:  # noqa: PLR2004  # per cent
        return False
    position = state.position
    return position is None or (-90 <= position.latitude <= 90 and -180 <= position.longitude <= 180)  # noqa: PLR2004  # degrees
