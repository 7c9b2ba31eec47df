"""One record of a job from start to finish, across charging breaks; its progress never falls. Pure."""

from collections.abc import Mapping

from edge_gateway.contracts.mower import Activity, Job, MowerState
from edge_gateway.contracts.telemetry import JobEnding
from edge_gateway.telemetry.rows import JobRow

_DONE_PERCENT = 99.0
"""Vendors end a job that they mowed to the end at 99 or 100."""


def begun(job: Job, state: MowerState) -> JobRow:
    """Return the record of a job that is seen for the first time."""
    started_at = state.observed_at if job.started_at is None else min(job.started_at, state.observed_at)
    # In the dock in which a job begins it takes no break.
    in_dock = state.activity is Activity.DOCKED
    return JobRow(job_id=job.id, started_at=started_at, last_at=state.observed_at, docked=in_dock)


def follow(row: JobRow, job: Job, state: MowerState, area_sizes: Mapping[str, float | None] | None) -> int:
    """Bring a record forward with a report of its job; return the area mowed since, in square centimetres.

    A job that was taken for ended goes on: the mower knows better.
    """
    row.last_at = state.observed_at
    row.ended_at = row.ending = None
    row.command_id = job.command_id or row.command_id
    row.area_ids = job.area_ids or row.area_ids
    docked = state.activity is Activity.DOCKED
    if docked and not row.docked:
        row.charging_breaks += 1
    row.docked = docked
    percent = state.progress_percent
    if percent is None or (row.progress_percent is not None and percent <= row.progress_percent):
        return 0
    row.progress_percent = percent
    size = _size_square_metres(row.area_ids, area_sizes)
    if size is None:
        return 0
    before = row.area_square_centimetres or 0
    # A map that shrank takes nothing back.
    row.area_square_centimetres = max(before, int(size * percent * 100))
    return row.area_square_centimetres - before


def end(row: JobRow, state: MowerState, *, replaced: bool) -> None:
    """End a record with a report that does not show its job any more."""
    row.ended_at = state.observed_at
    if row.progress_percent is not None and row.progress_percent >= _DONE_PERCENT:
        row.ending = JobEnding.FINISHED
    elif replaced:
        row.ending = JobEnding.REPLACED
    else:
        row.ending = JobEnding.UNKNOWN if row.progress_percent is None else JobEnding.CANCELLED


def is_over(state: MowerState) -> bool:
    """Tell whether a report without a job says that there is none: one that knows nothing says nothing."""
    return state.activity is not Activity.UNKNOWN


def _size_square_metres(area_ids: tuple[str, ...], sizes: Mapping[str, float | None] | None) -> float | None:
    """Return the size of a job's areas (none named: the whole map); null when one of them is not known."""
    if not sizes:
        return None
    total = 0.0
    for area_id in area_ids or sizes:
        size = sizes.get(area_id)
        if size is None:
            return None
        total += size
    return total
