"""What a run's mower tells about it: seen moving, not seen moving, over. Pure."""

from datetime import datetime, timedelta
from enum import StrEnum

from edge_gateway.contracts.commands import Command, CommandStatus
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import runs
from edge_gateway.scheduler.records import MowerRecord, RunRecord
from edge_gateway.scheduler.verdicts import End, Reason

CLOSED_AFTER = timedelta(hours=2)
"""So long after its window a run is closed unless the mower is still on its job."""

TRUSTED_FOR = timedelta(hours=24)
"""A mower that was not heard of for so long is not taken to be still on a job."""

DONE_PERCENT = 95.0
"""A job that stopped reporting under this was not completed."""

TRANSIENT = frozenset(
    {
        Reason.UNAVAILABLE,
        Reason.IN_TRANSITION,
        "state_unknown",
        "lease_lost",
        "expired",
        "not_taken",
        "not_published",
    }
)
"""Reasons of an order that ended before its first motion frame and may be given again."""

NEVER_MOVED = frozenset({"busy", Reason.MAP_UNKNOWN, Reason.AREAS_GONE, Reason.NO_AREA_ENABLED, "no_area_named"})
"""Reasons of an order that was refused before its first motion frame, for good."""


class EndReason(StrEnum):
    """Why a run ended (design, Run record); the other reasons come with what sends a mower home."""

    COMPLETED = "completed"
    ERROR = "error"
    UNKNOWN = "unknown"


def follow(
    run: RunRecord,
    mower: MowerRecord,
    *,
    command: Command | None,
    superseded_at: datetime | None,
    now: datetime,
    confirm_within: timedelta,
) -> RunRecord:
    """Return what has become of a followed run; the same object when there is nothing new.

    `command`: the run's order as Fleet has it, null when it was not asked for. `superseded_at`: when a later run was
    asked for on the same mower.
    """
    if run.asked_at is None:
        message = "a run is followed from its asking on"
        raise ValueError(message)
    if run.confirmed_at is None:
        run = _look_for_motion(run, run.asked_at, mower, command, superseded_at, now, confirm_within)
    if not run.followed or run.outcome is None:
        return run
    end_reason = _end_reason(run, mower, superseded_at, now)
    return run if end_reason is None else runs.closed(run, end_reason, now)


def _look_for_motion(
    run: RunRecord,
    asked_at: datetime,
    mower: MowerRecord,
    command: Command | None,
    superseded_at: datetime | None,
    now: datetime,
    confirm_within: timedelta,
) -> RunRecord:
    if (seen_at := _seen_at(run, asked_at, mower, superseded_at)) is not None:
        return runs.confirmed(run, seen_at)
    if run.outcome is not RunOutcome.STARTED:
        return run
    if command is not None and command.status is CommandStatus.CONFIRMED:
        return runs.confirmed(run, command.changed_at)
    if command is not None and command.status in {CommandStatus.FAILED, CommandStatus.EXPIRED}:
        return _order_ended(run, command, now)
    if now - asked_at >= confirm_within:
        waited = {"waited_seconds": round((now - asked_at).total_seconds())}
        return runs.not_started(run, Reason.START_NOT_CONFIRMED, waited)
    return run


def _seen_at(run: RunRecord, asked_at: datetime, mower: MowerRecord, superseded_at: datetime | None) -> datetime | None:
    """Return when the mower was seen busy with this run; None when it was not."""
    busy_at = mower.busy_at
    if busy_at is None or busy_at < asked_at or (superseded_at is not None and busy_at >= superseded_at):
        return None
    ours = mower.busy_command_id is None or run.command_id is None or mower.busy_command_id == run.command_id
    return busy_at if ours else None


def _order_ended(run: RunRecord, command: Command, now: datetime) -> RunRecord:
    reason = command.reason or command.status
    if reason == "busy":
        return runs.ended(run, End(RunOutcome.SKIPPED_MOWER_BUSY, Reason.MOWER_BUSY, command.values), now)
    if reason in NEVER_MOVED:
        return runs.ended(run, End(RunOutcome.FAILED, reason, command.values), now)
    if reason in TRANSIENT:
        if not run.run_now and now < run.window_ends_at and run.attempt < runs.MAXIMUM_ATTEMPTS:
            return runs.tried_again(run, reason, now)
        return runs.ended(run, End(RunOutcome.FAILED, reason, command.values), now)
    if reason == "not_confirmed":
        return runs.not_started(run, Reason.START_NOT_CONFIRMED, command.values)
    return runs.not_started(run, reason, command.values)


def _end_reason(run: RunRecord, mower: MowerRecord, superseded_at: datetime | None, now: datetime) -> str | None:
    if run.confirmed_at is None and superseded_at is not None:
        return EndReason.UNKNOWN
    if run.confirmed_at is not None and _is_home_for_good(run.confirmed_at, mower):
        if mower.activity_before is Activity.ERROR:
            return EndReason.ERROR
        unfinished = mower.progress_percent is not None and mower.progress_percent < DONE_PERCENT
        return EndReason.UNKNOWN if unfinished else EndReason.COMPLETED
    if now >= run.window_ends_at + CLOSED_AFTER and not _is_on_its_job(run, mower, now):
        return EndReason.ERROR if mower.activity is Activity.ERROR else EndReason.UNKNOWN
    return None


def _is_home_for_good(confirmed_at: datetime, mower: MowerRecord) -> bool:
    """Tell whether it docked after it was seen busy, and nothing is left that it could go on with."""
    return (
        mower.activity is Activity.DOCKED
        and mower.observed_at is not None
        and mower.observed_at > confirmed_at
        and not mower.job_resumable
    )


def _is_on_its_job(run: RunRecord, mower: MowerRecord, now: datetime) -> bool:
    if mower.observed_at is None or now - mower.observed_at >= TRUSTED_FOR:
        return False
    ours = mower.job_command_id is None or mower.job_command_id == run.command_id
    return ours and (mower.busy or mower.job_resumable)
