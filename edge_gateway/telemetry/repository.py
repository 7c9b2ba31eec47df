"""The only SQL of Telemetry, but for the partitions."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import asyncpg
import msgspec

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.mower import Activity, MowerState
from edge_gateway.contracts.telemetry import HistoryRow, PositionRow
from edge_gateway.telemetry.write_rules import Latest, LogRow

type Connection = asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]

_LOG_COLUMNS = (
    "mower_id",
    "observed_at",
    "activity",
    "changed",
    "battery_percent",
    "charging",
    "area_id",
    "progress_percent",
    "job_id",
    "problem_code",
    "latitude",
    "longitude",
)

_INSERT_LATE = """
INSERT INTO telemetry.log (mower_id, observed_at, activity, changed, battery_percent, charging, area_id,
                           progress_percent, job_id, problem_code, latitude, longitude)
SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::boolean[], $5::smallint[], $6::boolean[],
                     $7::text[], $8::float8[], $9::text[], $10::text[], $11::float8[], $12::float8[])
ON CONFLICT DO NOTHING
"""

_UPSERT_LATEST = """
INSERT INTO telemetry.latest (mower_id, account_id, observed_at, activity, battery_percent, charging, area_id,
                              progress_percent, job_id, problem_code, document)
SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::smallint[], $6::boolean[],
                     $7::text[], $8::float8[], $9::text[], $10::text[], $11::bytea[])
ON CONFLICT (mower_id) DO UPDATE SET
    account_id = excluded.account_id, observed_at = excluded.observed_at, activity = excluded.activity,
    battery_percent = excluded.battery_percent, charging = excluded.charging, area_id = excluded.area_id,
    progress_percent = excluded.progress_percent, job_id = excluded.job_id, problem_code = excluded.problem_code,
    document = excluded.document
"""


async def claim_partition(connection: Connection, number: int, fence: int) -> None:
    """Let only the newest holder of the ingest's lease write; raises `UnavailableError` (`lease_lost`)."""
    stored = await connection.fetchval(
        """
        INSERT INTO telemetry.ingest_partition (number, fence) VALUES ($1, $2)
        ON CONFLICT (number) DO UPDATE SET fence = greatest(ingest_partition.fence, excluded.fence)
        RETURNING fence
        """,
        number,
        fence,
    )
    if stored > fence:
        raise UnavailableError(
            "lease_lost", "Another copy of Telemetry has taken over.", values={"fence": fence, "stored": stored}
        )


async def read_directory(connection: Connection, mower_ids: Sequence[str]) -> dict[str, str]:
    """Return the accounts of the known ones among some mowers."""
    rows = await connection.fetch(
        "SELECT mower_id, account_id FROM telemetry.directory WHERE mower_id = ANY($1)", list(mower_ids)
    )
    return {row["mower_id"]: row["account_id"] for row in rows}


async def put_directory(connection: Connection, mower_id: str, account_id: str) -> None:
    """Remember to which account a mower belongs."""
    await connection.execute(
        """
        INSERT INTO telemetry.directory (mower_id, account_id) VALUES ($1, $2)
        ON CONFLICT (mower_id) DO UPDATE SET account_id = excluded.account_id
        """,
        mower_id,
        account_id,
    )


async def lock_latest(connection: Connection, mower_ids: Sequence[str]) -> dict[str, Latest]:
    """Return the latest states of some mowers, locked in the order of their ids, without the documents."""
    rows = await connection.fetch(
        """
        SELECT mower_id, account_id, observed_at, activity, battery_percent, charging, area_id, progress_percent,
               job_id, problem_code
        FROM telemetry.latest WHERE mower_id = ANY($1) ORDER BY mower_id FOR UPDATE
        """,
        list(mower_ids),
    )
    return {
        row["mower_id"]: Latest(account_id=row["account_id"], observed_at=row["observed_at"], shown=_history_row(row))
        for row in rows
    }


async def copy_newer(connection: Connection, rows: Sequence[LogRow]) -> None:
    """Append rows that are newer than all that is stored of their mowers."""
    if rows:
        await connection.copy_records_to_table(
            "log", schema_name="telemetry", columns=_LOG_COLUMNS, records=[_log_record(row) for row in rows]
        )


async def insert_late(connection: Connection, rows: Sequence[LogRow]) -> None:
    """Add rows of the past; one that is there already stays."""
    if rows:
        await connection.execute(_INSERT_LATE, *(list(column) for column in zip(*map(_log_record, rows), strict=True)))


async def put_latest(connection: Connection, states: Mapping[str, MowerState], latest: Mapping[str, Latest]) -> None:
    """Store the latest states of some mowers."""
    if not states:
        return
    records = []
    for mower_id in sorted(states):
        row = latest[mower_id].shown
        records.append(
            (
                mower_id,
                latest[mower_id].account_id,
                row.observed_at,
                row.activity.value,
                row.battery_percent,
                row.charging,
                row.area_id,
                row.progress_percent,
                row.job_id,
                row.problem_code,
                msgspec.json.encode(states[mower_id]),
            )
        )
    await connection.execute(_UPSERT_LATEST, *(list(column) for column in zip(*records, strict=True)))


async def read_latest(
    connection: Connection, account_id: str, mower_ids: Sequence[str] | None
) -> tuple[MowerState, ...]:
    """Return the latest states of an account's mowers, or of some of them."""
    rows = await connection.fetch(
        """
        SELECT document FROM telemetry.latest
        WHERE account_id = $1 AND ($2::text[] IS NULL OR mower_id = ANY($2)) ORDER BY mower_id
        """,
        account_id,
        None if mower_ids is None else list(mower_ids),
    )
    return tuple(msgspec.json.decode(row["document"], type=MowerState) for row in rows)


async def read_history(
    connection: Connection, mower_id: str, begins_at: datetime, ends_at: datetime, *, limit: int
) -> tuple[HistoryRow, ...]:
    """Return the history of a mower in [begins_at, ends_at), oldest first."""
    rows = await connection.fetch(
        """
        SELECT observed_at, activity, battery_percent, charging, area_id, progress_percent, job_id, problem_code
        FROM telemetry.log
        WHERE mower_id = $1 AND observed_at >= $2 AND observed_at < $3 AND changed ORDER BY observed_at LIMIT $4
        """,
        mower_id,
        begins_at,
        ends_at,
        limit,
    )
    return tuple(_history_row(row) for row in rows)


async def read_positions(
    connection: Connection, mower_id: str, begins_at: datetime, ends_at: datetime, *, limit: int
) -> tuple[PositionRow, ...]:
    """Return the positions of a mower in [begins_at, ends_at), oldest first."""
    rows = await connection.fetch(
        """
        SELECT observed_at, latitude, longitude FROM telemetry.log
        WHERE mower_id = $1 AND observed_at >= $2 AND observed_at < $3 AND latitude IS NOT NULL
        ORDER BY observed_at LIMIT $4
        """,
        mower_id,
        begins_at,
        ends_at,
        limit,
    )
    return tuple(
        PositionRow(observed_at=row["observed_at"], latitude=row["latitude"], longitude=row["longitude"])
        for row in rows
    )


def _history_row(row: asyncpg.Record) -> HistoryRow:
    return HistoryRow(
        observed_at=row["observed_at"],
        activity=Activity(row["activity"]),
        battery_percent=row["battery_percent"],
        charging=row["charging"],
        area_id=row["area_id"],
        progress_percent=row["progress_percent"],
        job_id=row["job_id"],
        problem_code=row["problem_code"],
    )


def _log_record(row: LogRow) -> tuple[object, ...]:
    shown = row.shown
    return (
        row.mower_id,
        shown.observed_at,
        shown.activity.value,
        row.changed,
        shown.battery_percent,
        shown.charging,
        shown.area_id,
        shown.progress_percent,
        shown.job_id,
        shown.problem_code,
        None if row.position is None else row.position.latitude,
        None if row.position is None else row.position.longitude,
    )
