"""What a run's mower tells about it: seen moving, not seen moving, over. Pure."""

from datetime import datetime, timedelta
from enum import StrEnum

from edge_gateway.contracts.commands import Command, CommandKind, CommandStatus
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import runs
from edge_gateway.scheduler.records import MowerRecord, RunRecord
from edge_gateway.scheduler.verdicts import End, Reason

CLOSED_AFTER = timedelta(hours=2)
"""So long after its window a run is closed unless the mower is still on its job."""

TRUSTED_FOR = timedelta(hours=24)
"""A mower that was not heard of for so long is not taken to be still on a job."""

CHARGES_FOR = timedelta(hours=8)
"""A mower that was in its dock for so long with an open job is not taken to go on with it by itself."""

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

ANSWERED_WITHIN = timedelta(seconds=60)
"""An order that Fleet does not know so long after it was given was never taken: no question is on its way so long."""

NEVER_MOVED = frozenset({"busy", Reason.MAP_UNKNOWN, Reason.AREAS_GONE, Reason.NO_AREA_ENABLED, "no_area_named"})
"""Reasons of an order that was refused before its first motion frame, for good."""


class EndReason(StrEnum):
    """Why a run ended (design, Run record); the other reasons come with what sends a mower home."""

    COMPLETED = "completed"
    ERROR = "error"
    USER = "user"
    """A command of a person ended it."""
    UNKNOWN = "unknown"


def follow(
    run: RunRecord,
    mower: MowerRecord,
    *,
    command: Command | None,
    superseded_at: datetime | None,
    now: datetime,
    confirm_within: timedelta,
    person: Command | None = None,
    never_taken: bool = False,
) -> RunRecord:
    """Return what has become of a followed run; the same object when there is nothing new.

    `command`: the run's order as Fleet has it, null when it was not asked for. `never_taken`: Fleet was asked for it
    and knows none. `superseded_at`: when a later run was asked for on the same mower. `person`: the newest order by
    which a person took the mower over since it was seen moving.
    """
    if (asked_at := run.asked_at) is None:
        message = "a run is followed from its asking on"
        raise ValueError(message)
    if is_not_answered_for(run):
        if never_taken and now - asked_at >= ANSWERED_WITHIN:
            return runs.ended(run, End(RunOutcome.FAILED, Reason.FLEET_SILENT), now)
        if command is not None:
            run = runs.taken_after_all(run, command.id)
    if run.confirmed_at is None:
        run = _look_for_motion(run, asked_at, mower, command, superseded_at, now, confirm_within)
    if not run.followed or run.outcome is None:
        return run
    end_reason = _end_reason(run, mower, superseded_at, person, now)
    return run if end_reason is None else runs.closed(run, end_reason, now)


def is_not_answered_for(run: RunRecord) -> bool:
    """Tell whether nobody knows yet if Fleet took the order: it is asked for by its key, and never given again."""
    return run.outcome is RunOutcome.FAILED and run.reason == Reason.OUTCOME_UNKNOWN and run.command_id is None


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
    # Whose job it is may be known while it is not known whether our order was taken: then it proves nothing.
    ours = mower.busy_command_id is None or mower.busy_command_id == run.command_id
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


def _end_reason(
    run: RunRecord, mower: MowerRecord, superseded_at: datetime | None, person: Command | None, now: datetime
) -> str | None:
    if superseded_at is not None and (run.confirmed_at is None or run.parked_at is not None):
        return run.sent_home_for or EndReason.UNKNOWN
    if run.confirmed_at is not None:
        if person is not None and _is_persons_now(person, mower):
            return EndReason.USER
        if _is_home_for_good(run.confirmed_at, mower):
            return _why_home(run, mower, person)
    if now >= run.window_ends_at + CLOSED_AFTER and (run.parked_at is not None or not _is_on_its_job(run, mower, now)):
        return run.sent_home_for or (EndReason.ERROR if mower.activity is Activity.ERROR else EndReason.UNKNOWN)
    return None


def _is_persons_now(person: Command, mower: MowerRecord) -> bool:
    """Tell whether a person's order ended the run: another job is on, or the mower is home and was sent there."""
    if person.body.kind in {CommandKind.RETURN_TO_DOCK, CommandKind.CANCEL_JOB}:
        if mower.observed_at is None or mower.activity is not Activity.DOCKED:
            return False
        return mower.observed_at > person.issued_at and not _is_done(mower)
    return mower.busy and mower.job_command_id == person.id


def _why_home(run: RunRecord, mower: MowerRecord, person: Command | None) -> str:
    if mower.activity_before is Activity.ERROR:
        return EndReason.ERROR
    if mower.progress_percent is not None and _is_done(mower):
        return EndReason.COMPLETED
    if run.sent_home_for is not None:
        return run.sent_home_for
    if person is not None and person.body.kind is CommandKind.START_MOW:
        return EndReason.USER
    return EndReason.COMPLETED if mower.progress_percent is None else EndReason.UNKNOWN


def _is_done(mower: MowerRecord) -> bool:
    return mower.progress_percent is not None and mower.progress_percent >= DONE_PERCENT


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
    if not ours or mower.busy:
        return ours
    # In the dock it is on its job while it charges, and not for ever.
    return mower.job_resumable and mower.busy_at is not None and now - mower.busy_at < CHARGES_FOR
