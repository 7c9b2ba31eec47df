"""The rows of schedules and of the dates they skip."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

import asyncpg
import msgspec

from edge_gateway.contracts.schedules import ScheduleDraft
from edge_gateway.scheduler.records import ScheduleRecord
from edge_gateway.scheduler.repository.transactions import Connection

_COLUMNS = (
    "id, account_id, owner, draft::text AS draft, enabled, disabled_reason, effective_time_zone, next_run_at,"
    " next_run_on, computed_at, fired_on, permission_skips, created_by, creation_key, creation_digest, created_at,"
    " changed_at"
)
_SKIPS = "ARRAY(SELECT day FROM scheduler.skip WHERE schedule_id = schedule.id) AS skips"
_WITH_SKIPS = f"SELECT {_COLUMNS}, {_SKIPS} FROM scheduler.schedule"  # noqa: S608  # our own columns
_WITHOUT_SKIPS = f"SELECT {_COLUMNS} FROM scheduler.schedule"  # noqa: S608  # our own columns

CLOCK_TOLERANCE = timedelta(seconds=5)
"""Replicas' clocks may differ by so much without one of them having been set back."""


async def insert(connection: Connection, record: ScheduleRecord) -> bool:
    """Store a new schedule; false when its creator's key is known already."""
    status = await connection.execute(
        """
        INSERT INTO scheduler.schedule (id, account_id, owner, draft, mower_id, group_id, enabled, disabled_reason,
            effective_time_zone, next_run_at, next_run_on, computed_at, fired_on, permission_skips, created_by,
            creation_key, creation_digest, created_at, changed_at)
        VALUES ($1, $2, $3, $4::text::jsonb, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
        ON CONFLICT (account_id, created_by, creation_key) DO NOTHING
        """,
        *_values(record),
        record.created_by,
        record.creation_key,
        record.creation_digest,
        record.created_at,
        record.changed_at,
    )
    return status.endswith(" 1")


async def update(
    connection: Connection, record: ScheduleRecord, *, skips_before: frozenset[date] | None = None
) -> None:
    """Write a schedule that is locked, and its skips unless they are what they were."""
    await connection.execute(
        """
        UPDATE scheduler.schedule SET account_id = $2, owner = $3, draft = $4::text::jsonb, mower_id = $5,
            group_id = $6, enabled = $7, disabled_reason = $8, effective_time_zone = $9, next_run_at = $10,
            next_run_on = $11, computed_at = $12, fired_on = $13, permission_skips = $14, changed_at = $15
        WHERE id = $1
        """,
        *_values(record),
        record.changed_at,
    )
    if record.skips == skips_before:
        return
    days = sorted(record.skips)
    await connection.execute(
        "DELETE FROM scheduler.skip WHERE schedule_id = $1 AND day <> ALL($2::date[])", record.id, days
    )
    await connection.execute(
        "INSERT INTO scheduler.skip (schedule_id, day) SELECT $1, unnest($2::date[]) ON CONFLICT DO NOTHING",
        record.id,
        days,
    )


async def delete(connection: Connection, schedule_id: str) -> None:
    """Remove a schedule; its runs stay."""
    await connection.execute("DELETE FROM scheduler.schedule WHERE id = $1", schedule_id)


async def get(connection: Connection, account_id: str, schedule_id: str) -> ScheduleRecord | None:
    """Return one schedule of an account."""
    row = await connection.fetchrow(
        f"{_WITH_SKIPS} WHERE id = $1 AND account_id = $2",
        schedule_id,
        account_id,
    )
    return None if row is None else _record(row)


async def by_creation_key(
    connection: Connection, account_id: str, created_by: str, creation_key: str
) -> ScheduleRecord | None:
    """Return the schedule that a principal made with this key."""
    row = await connection.fetchrow(
        f"{_WITH_SKIPS} WHERE account_id = $1 AND created_by = $2 AND creation_key = $3",
        account_id,
        created_by,
        creation_key,
    )
    return None if row is None else _record(row)


async def page(
    connection: Connection,
    account_id: str,
    *,
    mower_id: str | None,
    group_ids: Iterable[str],
    after: str | None,
    limit: int,
) -> list[ScheduleRecord]:
    """Return schedules in the order of their ids: all, or those of a mower and its groups."""
    rows = await connection.fetch(
        f"{_WITH_SKIPS} WHERE account_id = $1 AND ($2::text IS NULL OR mower_id = $2 OR group_id = ANY($5::text[]))"
        " AND ($3::text IS NULL OR id > $3) ORDER BY id LIMIT $4",
        account_id,
        mower_id,
        after,
        limit,
        list(group_ids),
    )
    return [_record(row) for row in rows]


async def enabled_of(connection: Connection, account_id: str, owners: Iterable[str]) -> list[ScheduleRecord]:
    """Return the enabled schedules of some owners."""
    rows = await connection.fetch(
        f"{_WITH_SKIPS} WHERE account_id = $1 AND enabled AND owner = ANY($2::text[]) ORDER BY id",
        account_id,
        list(owners),
    )
    return [_record(row) for row in rows]


async def of_group(connection: Connection, account_id: str, group_id: str) -> list[tuple[str, str]]:
    """Return id and name of the schedules of a group, in the order of their names."""
    rows = await connection.fetch(
        "SELECT id, draft ->> 'name' AS name FROM scheduler.schedule WHERE group_id = $1 AND account_id = $2"
        " ORDER BY name, id",
        group_id,
        account_id,
    )
    return [(row["id"], row["name"]) for row in rows]


async def lock(connection: Connection, schedule_id: str) -> ScheduleRecord | None:
    """Lock one schedule; null when it is gone."""
    row = await connection.fetchrow(
        f"{_WITHOUT_SKIPS} WHERE id = $1 FOR NO KEY UPDATE",
        schedule_id,
    )
    return None if row is None else await _with_skips(connection, row)


async def lock_due(connection: Connection, now: datetime) -> asyncpg.Record | None:
    """Lock one schedule that is due and that nobody else holds; return its row, for `read_locked`."""
    return await connection.fetchrow(
        f"{_WITHOUT_SKIPS} WHERE enabled AND next_run_at <= $1"
        " ORDER BY next_run_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED",
        now,
    )


async def lock_computed_ahead(connection: Connection, now: datetime) -> asyncpg.Record | None:
    """Lock one schedule whose next run was computed at a time that is still to come: the clock was set back."""
    return await connection.fetchrow(
        f"{_WITHOUT_SKIPS} WHERE computed_at > $1 ORDER BY computed_at DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED",
        now + CLOCK_TOLERANCE,
    )


async def read_locked(connection: Connection, row: asyncpg.Record) -> ScheduleRecord:
    """Return the schedule of a locked row; raises `msgspec.ValidationError` for a draft that cannot be read."""
    return await _with_skips(connection, row)


async def disable_unreadable(connection: Connection, schedule_id: str, reason: str, now: datetime) -> None:
    """Disable a locked schedule whose plan cannot be understood, without reading it."""
    await connection.execute(
        """
        UPDATE scheduler.schedule SET enabled = false, disabled_reason = $2, next_run_at = NULL, next_run_on = NULL,
            computed_at = $3, changed_at = $3
        WHERE id = $1
        """,
        schedule_id,
        reason,
        now,
    )


async def next_due(connection: Connection) -> datetime | None:
    """Return when the next schedule is due."""
    found: datetime | None = await connection.fetchval(
        "SELECT min(next_run_at) FROM scheduler.schedule WHERE enabled AND next_run_at IS NOT NULL"
    )
    return found


async def touched_by(
    connection: Connection, *, mower_id: str | None = None, group_id: str | None = None
) -> list[ScheduleRecord]:
    """Return the schedules whose zone may have changed with a mower or a group (with neither: with a site)."""
    rows = await connection.fetch(
        f"{_WITH_SKIPS} WHERE ($1::text IS NULL AND $2::text IS NULL) OR mower_id = $1"
        " OR (group_id IS NOT NULL AND ($1::text IS NOT NULL OR group_id = $2)) ORDER BY id",
        mower_id,
        group_id,
    )
    return [_record(row) for row in rows]


def _values(record: ScheduleRecord) -> tuple[object, ...]:
    return (
        record.id,
        record.account_id,
        record.owner,
        msgspec.json.encode(record.draft).decode(),
        record.draft.target.mower_id,
        record.draft.target.group_id,
        record.draft.enabled,
        record.disabled_reason,
        record.effective_time_zone,
        record.next_run_at,
        record.next_run_on,
        record.computed_at,
        record.fired_on,
        record.permission_skips,
    )


async def _with_skips(connection: Connection, row: asyncpg.Record) -> ScheduleRecord:
    # After the lock, in a statement of its own: what was committed while waiting for it is seen.
    days = await connection.fetch("SELECT day FROM scheduler.skip WHERE schedule_id = $1", row["id"])
    return _record(row, frozenset(day["day"] for day in days))


def _record(row: asyncpg.Record, skips: frozenset[date] | None = None) -> ScheduleRecord:
    values = dict(row)
    draft = msgspec.json.decode(values.pop("draft"), type=ScheduleDraft)
    days = frozenset(values.pop("skips")) if skips is None else skips
    return ScheduleRecord(
        **values | {"draft": msgspec.structs.replace(draft, enabled=values.pop("enabled")), "skips": days}
    )
