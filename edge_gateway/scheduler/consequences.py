"""What a decided run means for its schedule: rights that are missing again and again, a target that is gone. Pure."""

from collections.abc import Sequence

import msgspec

from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord
from edge_gateway.scheduler.verdicts import End, Reason

_BEFORE_PERMISSION = frozenset({RunOutcome.SKIPPED_MANUAL, RunOutcome.SKIPPED_WINDOW})
"""Verdicts that come before the permission is looked at: they say nothing about it."""


def after(
    record: ScheduleRecord, run: RunRecord, end: End, maximum: int, *, others: Sequence[RunOutcome | None] = ()
) -> ScheduleRecord:
    """Return the schedule after one of its runs was decided (a run-now changes nothing).

    `others`: the outcomes of the other mowers of the same firing, null while pending. When all are decided, the
    occurrence's skip is consumed. `maximum` firings in a row in which every mower lacked the right disable the
    schedule; so does a target that is gone, at once.
    """
    if run.run_now:
        return record
    if None not in others:
        record = msgspec.structs.replace(record, skips=record.skips - {run.occurrence_on})
    if end.reason == Reason.TARGET_GONE:
        # One mower that has left its group leaves the others.
        left_its_group = run.group_id is not None and run.mower_id is not None
        return record if left_its_group else _disabled(record, Reason.TARGET_GONE)
    if end.outcome is RunOutcome.SKIPPED_PERMISSION:
        if any(other is not RunOutcome.SKIPPED_PERMISSION for other in others):
            return record
        skips = record.permission_skips + 1
        counted = msgspec.structs.replace(record, permission_skips=skips)
        return _disabled(counted, "permission") if skips >= maximum else counted
    if end.outcome in _BEFORE_PERMISSION or end.reason == Reason.FLEET_SILENT:
        return record
    return msgspec.structs.replace(record, permission_skips=0)


def _disabled(record: ScheduleRecord, reason: str) -> ScheduleRecord:
    return msgspec.structs.replace(
        record,
        draft=msgspec.structs.replace(record.draft, enabled=False),
        disabled_reason=reason,
        next_run_at=None,
        next_run_on=None,
        skips=frozenset(),
    )
