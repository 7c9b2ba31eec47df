"""The first transaction of a firing: a due schedule gets its pending rows and its next occurrence."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfoNotFoundError

import asyncpg
import msgspec
import structlog

from edge_gateway.contracts.identifiers import ACCOUNT_ID, new_id
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler import recording, runs
from edge_gateway.scheduler.keys import missed_key, occurrence_key
from edge_gateway.scheduler.plan import due, next_run, plan_of
from edge_gateway.scheduler.records import RunRecord, ScheduleRecord
from edge_gateway.scheduler.recurrence import Occurrence
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository import schedules
from edge_gateway.scheduler.repository.transactions import Connection, connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.targets import id_of
from edge_gateway.scheduler.verdicts import End, Reason

_log = structlog.get_logger(__name__)


class _NotUnderstoodError(Exception):
    """A stored schedule cannot be read: its zone is gone from the zone database, say."""

    def __init__(self, schedule_id: str) -> None:
        super().__init__(schedule_id)
        self.schedule_id = schedule_id


AT_ONCE = 3
"""Schedules that are claimed at the same time: each waits for the disk, and for nothing of the others."""

type _Find = Callable[[Connection, datetime], Awaitable[asyncpg.Record | None]]
type _Step = Callable[[Connection, ScheduleRecord, datetime], Awaitable[ScheduleRecord]]


class Claiming:
    """Claims what is due, one schedule at a time; several replicas never claim the same."""

    def __init__(self, surroundings: Surroundings, *, at_once: int = AT_ONCE) -> None:
        """Work with these, on so many schedules at the same time."""
        self._surroundings = surroundings
        self._at_once = at_once

    async def claim_all(self) -> None:
        """Claim until nothing is due."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._at_once):
                group.create_task(self._each(schedules.lock_due, claim))

    async def recompute_all(self) -> None:
        """Compute the next runs anew that were computed before the clock was set back."""
        await self._each(schedules.lock_computed_ahead, _recompute)
        async with connection(self._surroundings.pool) as lent:
            await run_rows.pull_back(lent, self._surroundings.now())

    async def _each(self, find: _Find, step: _Step) -> None:
        while True:
            now = self._surroundings.now()
            try:
                async with transaction(self._surroundings.pool) as connection:
                    row = await find(connection, now)
                    if row is None:
                        return
                    record = await _read(connection, row)
                    after = await step(connection, record, now)
                    await schedules.update(connection, after, skips_before=record.skips)
            except _NotUnderstoodError as error:
                _log.error("schedule disabled: it cannot be understood", schedule=error.schedule_id, exc_info=error)
                await self._disable(error.schedule_id)

    async def _disable(self, schedule_id: str) -> None:
        """Disable a schedule that would keep the others from their turn."""
        now = self._surroundings.now()
        async with transaction(self._surroundings.pool) as connection:
            await schedules.disable_unreadable(connection, schedule_id, Reason.NOT_UNDERSTOOD, now)
            await recording.tell_disabled(connection, schedule_id, ACCOUNT_ID, Reason.NOT_UNDERSTOOD, now)


async def _read(connection: Connection, row: asyncpg.Record) -> ScheduleRecord:
    """Return a schedule that is locked already; raises `_NotUnderstoodError` when it has no plan."""
    try:
        record = await schedules.read_locked(connection, row)
        plan_of(record.draft, record.effective_time_zone)
    except (ValueError, ZoneInfoNotFoundError, msgspec.ValidationError) as error:
        raise _NotUnderstoodError(row["id"]) from error
    return record


async def _recompute(connection: Connection, record: ScheduleRecord, now: datetime) -> ScheduleRecord:
    await recording.tell_schedule(connection, record, now)
    await run_rows.give_keys_back(connection, record.id, now)
    if not record.draft.enabled:
        return record.with_next_run(None, now=now)
    # In the middle of a window that was leapt over, it is due again; a key that was given out lets nothing start twice.
    opened = next_run(record.plan, now - timedelta(minutes=record.draft.duration_minutes))
    if opened is not None and opened.at <= now and await run_rows.is_leapt_over(connection, record.id, opened.at, now):
        return record.with_next_run(opened, now=now)
    return record.with_next_run(next_run(record.plan, now), now=now)


async def claim(connection: Connection, record: ScheduleRecord, now: datetime) -> ScheduleRecord:
    """Write the pending rows of a locked schedule that is due; return it as it is to be written.

    No catch-up: the latest occurrence counts, those passed over become one row that says how many they were. A key
    that is known (the clock was set back) only moves the schedule on.
    """
    if record.next_run_at is None or record.next_run_at > now:
        return record
    found = due(record.plan, record.next_run_at, now)
    moved = record.with_next_run(next_run(record.plan, now), now=now)
    await recording.tell_schedule(connection, record, now)
    if found is None:
        return moved
    if found.missed:
        missed = _missed(record, found.latest, found.missed, now)
        if await run_rows.insert(connection, missed):
            await recording.tell_run(connection, missed, now)
    await run_rows.insert(connection, _pending(record, found.latest, now))
    return msgspec.structs.replace(
        moved,
        fired_on=found.latest.day,
        # The latest one's own skip is consumed when it is decided.
        skips=frozenset(day for day in record.skips if day >= found.latest.day),
    )


def _pending(record: ScheduleRecord, occurrence: Occurrence, now: datetime) -> RunRecord:
    """Return the row of an occurrence; of a group it stands for all mowers until they are asked for."""
    target = record.draft.target
    return RunRecord(
        id=new_id(),
        account_id=record.account_id,
        schedule_id=record.id,
        mower_id=target.mower_id,
        group_id=target.group_id,
        order_key=occurrence_key(record.id, occurrence.at, id_of(target)),
        occurrence_at=occurrence.at,
        occurrence_on=occurrence.day,
        window_ends_at=occurrence.at + timedelta(minutes=record.draft.duration_minutes),
        owner=record.owner,
        look_again_at=now,
        created_at=now,
    )


def _missed(record: ScheduleRecord, latest: Occurrence, missed: int, now: datetime) -> RunRecord:
    first = record.next_run or latest
    pending = msgspec.structs.replace(
        _pending(record, first, now), order_key=missed_key(record.id, latest.at, id_of(record.draft.target))
    )
    return runs.ended(pending, End(RunOutcome.SKIPPED_WINDOW, Reason.MISSED, {"missed": missed}), now)
