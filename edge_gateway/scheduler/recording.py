"""Writing what changed together with the event that tells of it, in the transaction of the caller."""

from datetime import datetime

import msgspec

from edge_gateway.bus import outbox
from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.identifiers import new_id, run_event_id
from edge_gateway.contracts.schedules import ScheduleChanged, ScheduleDisabled
from edge_gateway.scheduler import metrics
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository import schedules
from edge_gateway.scheduler.repository.transactions import Connection
from edge_gateway.scheduler.sentences import answered

SCHEMA = "scheduler"


async def save_run(connection: Connection, before: RunRecord, after: RunRecord, now: datetime) -> None:
    """Write a run that is locked; a new revision is told."""
    await run_rows.update(connection, after)
    if after.revision != before.revision:
        await tell_run(connection, after, now)


async def tell_run(connection: Connection, run: RunRecord, now: datetime) -> None:
    """Publish a run's revision (`scheduler.run.recorded`)."""
    metrics.RECORDED.labels(run.outcome or "pending", run.reason or "").inc()
    await outbox.put(
        connection,
        SCHEMA,
        subjects.RUN_RECORDED,
        wrap(
            answered(run),
            id=run_event_id(run.id, run.revision),
            type=subjects.RUN_RECORDED,
            occurred_at=now,
            account_id=run.account_id,
            subject_id=run.schedule_id,
        ),
    )


async def tell_schedule(
    connection: Connection, record: ScheduleRecord, now: datetime, *, removed: bool = False
) -> None:
    """Publish that a schedule was made, changed, moved on or removed (`scheduler.schedule.changed`)."""
    await tell_schedule_changed(connection, record.id, record.account_id, now, removed=removed)


async def tell_schedule_changed(
    connection: Connection, schedule_id: str, account_id: str, now: datetime, *, removed: bool = False
) -> None:
    """Publish it of a schedule that was not read."""
    await outbox.put(
        connection,
        SCHEMA,
        subjects.SCHEDULE_CHANGED,
        wrap(
            ScheduleChanged(schedule_id=schedule_id, removed=removed),
            id=new_id(),
            type=subjects.SCHEDULE_CHANGED,
            occurred_at=now,
            account_id=account_id,
            subject_id=schedule_id,
        ),
    )


async def tell_disabled(connection: Connection, schedule_id: str, account_id: str, reason: str, now: datetime) -> None:
    """Publish that a schedule was disabled by itself (`scheduler.schedule.disabled`)."""
    await outbox.put(
        connection,
        SCHEMA,
        subjects.SCHEDULE_DISABLED,
        wrap(
            ScheduleDisabled(schedule_id=schedule_id, reason=reason),
            id=new_id(),
            type=subjects.SCHEDULE_DISABLED,
            occurred_at=now,
            account_id=account_id,
            subject_id=schedule_id,
        ),
    )


async def save_consequences(
    connection: Connection, before: ScheduleRecord, after: ScheduleRecord, now: datetime
) -> None:
    """Write what a decided run changed of its locked schedule, and tell it."""
    if after == before:
        return
    if before.draft.enabled and not after.draft.enabled:
        after = msgspec.structs.replace(after, computed_at=now, changed_at=now)
        await tell_disabled(connection, after.id, after.account_id, after.disabled_reason or "", now)
    await schedules.update(connection, after, skips_before=before.skips)
    await tell_schedule(connection, after, now)
