"""What a change of a schedule means for its next run, its skips and its pending firings. Pure."""

from datetime import datetime

import msgspec

from edge_gateway.contracts.schedules import ScheduleDraft
from edge_gateway.scheduler.plan import next_run, still_skipped
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord
from edge_gateway.scheduler.verdicts import Reason


def is_another_plan(before: ScheduleDraft, after: ScheduleDraft) -> bool:
    """Tell whether what is due and for whom has changed, so that firings by the old plan are not to be."""
    return before.recurrence != after.recurrence or before.target != after.target


def moves_next_run(before: ScheduleRecord, after: ScheduleDraft, time_zone: str) -> bool:
    """Tell whether the next run is computed anew: only recurrence, bounds, zone, target or enabled do that."""
    old = before.draft
    return (
        is_another_plan(old, after)
        or (old.starts_on, old.ends_on) != (after.starts_on, after.ends_on)
        or before.effective_time_zone != time_zone
        or old.enabled != after.enabled
    )


def edited(
    record: ScheduleRecord, draft: ScheduleDraft, *, owner: str, time_zone: str, now: datetime
) -> ScheduleRecord:
    """Return a schedule that was changed; whoever changes it becomes its owner."""
    enabling = draft.enabled and not record.draft.enabled
    changed = msgspec.structs.replace(
        record,
        draft=draft,
        owner=owner,
        effective_time_zone=time_zone,
        changed_at=now,
        disabled_reason=None if draft.enabled else record.disabled_reason,
        permission_skips=0 if enabling or owner != record.owner else record.permission_skips,
        # A new plan may be due on a day on which the old one fired.
        fired_on=None if is_another_plan(record.draft, draft) else record.fired_on,
    )
    if not draft.enabled:
        return msgspec.structs.replace(changed.with_next_run(None, now=now), skips=frozenset())
    if moves_next_run(record, draft, time_zone):
        zone_moved = time_zone != record.effective_time_zone
        upcoming = next_run(changed.plan, now, fired_on=changed.fired_on if zone_moved else None)
        changed = changed.with_next_run(upcoming, now=now)
    return msgspec.structs.replace(changed, skips=still_skipped(changed.plan, record.skips))


def in_another_zone(record: ScheduleRecord, time_zone: str, now: datetime) -> ScheduleRecord:
    """Return a schedule whose site has another zone now; a local date that has fired does not fire again."""
    moved = msgspec.structs.replace(record, effective_time_zone=time_zone)
    if not record.draft.enabled:
        return moved
    return moved.with_next_run(next_run(moved.plan, now, fired_on=record.fired_on), now=now)


def reason_to_end(before: ScheduleRecord, after: ScheduleRecord, pending: RunRecord) -> Reason | None:
    """Return why a change ends a pending run; null when it goes on (a run-now only ends with its target)."""
    if pending.run_now:
        return Reason.EDITED if before.draft.target != after.draft.target else None
    if not after.draft.enabled:
        return Reason.DISABLED
    if is_another_plan(before.draft, after.draft):
        return Reason.EDITED
    day = pending.occurrence_on
    return Reason.EDITED if day is not None and not after.plan.names(day) else None
