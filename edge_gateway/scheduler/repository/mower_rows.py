"""One small row per mower, kept from its live reports."""

import asyncpg

from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import BUSY, Activity, MowerAvailability, MowerState
from edge_gateway.scheduler.records import MowerRecord
from edge_gateway.scheduler.repository.transactions import Connection

_COLUMNS = ", ".join(MowerRecord.__struct_fields__)
_LOCK = f"SELECT {_COLUMNS} FROM scheduler.mower WHERE id = $1 FOR NO KEY UPDATE"  # noqa: S608  # our own columns
_NEW = "INSERT INTO scheduler.mower (id, account_id, activity, job_resumable) VALUES ($1, $2, 'unknown', false)"


async def lock(connection: Connection, mower_id: str, account_id: str) -> MowerRecord:
    """Lock a mower's row; one that was never heard of gets its row now."""
    row = await connection.fetchrow(_LOCK, mower_id)
    if row is None:
        await connection.execute(f"{_NEW} ON CONFLICT (id) DO NOTHING", mower_id, account_id)
        row = await connection.fetchrow(_LOCK, mower_id)
    if row is None:
        message = f"the row of mower {mower_id} vanished while it was locked"
        raise LookupError(message)
    return _record(row)


async def get(connection: Connection, mower_id: str, account_id: str) -> MowerRecord:
    """Return what is known of a mower, without a lock."""
    row = await connection.fetchrow(
        f"SELECT {_COLUMNS} FROM scheduler.mower WHERE id = $1",  # noqa: S608  # our own columns
        mower_id,
    )
    return MowerRecord(id=mower_id, account_id=account_id) if row is None else _record(row)


async def save_state(connection: Connection, state: MowerState) -> bool:
    """Keep a report; false when one as new was kept before."""
    busy = state.activity in BUSY
    job = state.job
    status = await connection.execute(
        """
        INSERT INTO scheduler.mower AS mower (id, account_id, activity, observed_at, busy_at, busy_command_id, job_id,
            job_command_id, job_resumable, progress_percent, latitude, longitude)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT (id) DO UPDATE SET
            activity_before = CASE WHEN mower.activity <> excluded.activity THEN mower.activity
                                   ELSE mower.activity_before END,
            activity = excluded.activity, observed_at = excluded.observed_at,
            busy_at = coalesce(excluded.busy_at, mower.busy_at),
            busy_command_id = CASE WHEN excluded.busy_at IS NULL THEN mower.busy_command_id
                                   ELSE excluded.busy_command_id END,
            job_id = excluded.job_id, job_command_id = excluded.job_command_id,
            job_resumable = excluded.job_resumable,
            progress_percent = CASE WHEN excluded.job_id IS NULL
                THEN coalesce(excluded.progress_percent, mower.progress_percent) ELSE excluded.progress_percent END,
            latitude = coalesce(excluded.latitude, mower.latitude),
            longitude = coalesce(excluded.longitude, mower.longitude)
        WHERE mower.observed_at IS NULL OR mower.observed_at < excluded.observed_at
        """,
        state.mower_id,
        state.account_id,
        state.activity,
        state.observed_at,
        state.observed_at if busy else None,
        job.command_id if busy and job is not None else None,
        None if job is None else job.id,
        None if job is None else job.command_id,
        job is not None and job.resumable,
        state.progress_percent,
        None if state.position is None else state.position.latitude,
        None if state.position is None else state.position.longitude,
    )
    return status.endswith(" 1")


async def save_availability(connection: Connection, availability: MowerAvailability) -> None:
    """Keep whether a mower can be reached."""
    await connection.execute(
        """
        INSERT INTO scheduler.mower AS mower (id, account_id, activity, job_resumable, available,
            availability_changed_at)
        VALUES ($1, $2, 'unknown', false, $3, $4)
        ON CONFLICT (id) DO UPDATE SET available = excluded.available,
            availability_changed_at = excluded.availability_changed_at
        WHERE mower.availability_changed_at IS NULL
            OR mower.availability_changed_at < excluded.availability_changed_at
        """,
        availability.mower_id,
        availability.account_id,
        availability.available,
        availability.changed_at,
    )


async def save_map(connection: Connection, mower_map: MowerMap) -> None:
    """Keep a map's origin and areas; a map that is not complete never takes an area away."""
    await connection.execute(
        """
        INSERT INTO scheduler.mower AS mower (id, account_id, activity, job_resumable, area_ids, origin_latitude,
            origin_longitude, map_observed_at)
        VALUES ($1, $2, 'unknown', false, $3, $4, $5, $6)
        ON CONFLICT (id) DO UPDATE SET
            area_ids = CASE WHEN $7 THEN excluded.area_ids
                ELSE ARRAY(SELECT DISTINCT unnest(coalesce(mower.area_ids, '{}') || excluded.area_ids) ORDER BY 1) END,
            origin_latitude = coalesce(excluded.origin_latitude, mower.origin_latitude),
            origin_longitude = coalesce(excluded.origin_longitude, mower.origin_longitude),
            map_observed_at = excluded.map_observed_at
        WHERE mower.map_observed_at IS NULL OR mower.map_observed_at < excluded.map_observed_at
        """,
        mower_map.mower_id,
        mower_map.account_id,
        [area.id for area in mower_map.areas],
        mower_map.origin_latitude,
        mower_map.origin_longitude,
        mower_map.observed_at,
        mower_map.complete,
    )


async def read_all(connection: Connection) -> list[MowerRecord]:
    """Return what is known of every mower that was ever heard of."""
    rows = await connection.fetch(
        f"SELECT {_COLUMNS} FROM scheduler.mower ORDER BY id"  # noqa: S608  # our own columns
    )
    return [_record(row) for row in rows]


async def delete(connection: Connection, mower_id: str) -> None:
    """Forget a mower, and what persons said of it."""
    await connection.execute("DELETE FROM scheduler.mower WHERE id = $1", mower_id)
    await connection.execute("DELETE FROM scheduler.override WHERE mower_id = $1", mower_id)
    await connection.execute("DELETE FROM scheduler.told_rain WHERE mower_id = $1", mower_id)


def _record(row: asyncpg.Record) -> MowerRecord:
    before = row["activity_before"]
    area_ids = row["area_ids"]
    return MowerRecord(
        **dict(row)
        | {
            "activity": Activity(row["activity"]),
            "activity_before": None if before is None else Activity(before),
            "area_ids": None if area_ids is None else tuple(area_ids),
        }
    )
