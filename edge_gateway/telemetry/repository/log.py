"""Reads what the log keeps: latest states, history, positions (those that left the log as segments)."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg
import msgspec

from edge_gateway.contracts.mower import MowerState
from edge_gateway.contracts.telemetry import HistoryRow, PositionRow
from edge_gateway.telemetry.repository import Connection
from edge_gateway.telemetry.repository.books import ACTIVITIES
from edge_gateway.telemetry.segments import LONGEST, Segment, unpack

_READ_LATEST = """
SELECT state FROM telemetry.book
WHERE account_id = $1 AND ($2::text[] IS NULL OR mower_id = ANY($2)) ORDER BY mower_id
"""

_READ_HISTORY = """
SELECT observed_at, log.activity, battery_percent, charging, area.text AS area_id, progress_percent,
       job.text AS job_id, problem.text AS problem_code
FROM telemetry.log
LEFT JOIN telemetry.word AS area ON area.number = log.area
LEFT JOIN telemetry.word AS job ON job.number = log.job
LEFT JOIN telemetry.word AS problem ON problem.number = log.problem
WHERE mower = (SELECT number FROM telemetry.directory WHERE mower_id = $1)
  AND observed_at >= $2 AND observed_at < $3 AND changed
ORDER BY observed_at LIMIT $4
"""

_READ_POSITIONS = """
SELECT observed_at, latitude, longitude FROM telemetry.log
WHERE mower = (SELECT number FROM telemetry.directory WHERE mower_id = $1)
  AND observed_at >= $2 AND observed_at < $3 AND latitude IS NOT NULL
ORDER BY observed_at LIMIT $4
"""

_READ_SEGMENTS = """
SELECT begins_at, segment.latitude, segment.longitude, deciseconds, north_centimetres, east_centimetres
FROM telemetry.segment
WHERE mower = (SELECT number FROM telemetry.directory WHERE mower_id = $1)
  AND begins_at > $2 AND begins_at < $3
ORDER BY begins_at LIMIT $4
"""


async def read_latest(
    connection: Connection, account_id: str, mower_ids: Sequence[str] | None
) -> tuple[MowerState, ...]:
    """Return the latest states of an account's mowers, or of some of them."""
    rows = await connection.fetch(_READ_LATEST, account_id, None if mower_ids is None else list(mower_ids))
    return tuple(msgspec.json.decode(row["state"], type=MowerState) for row in rows)


async def read_history(
    connection: Connection, mower_id: str, begins_at: datetime, ends_at: datetime, *, limit: int
) -> tuple[HistoryRow, ...]:
    """Return the history of a mower in [begins_at, ends_at), oldest first."""
    rows = await connection.fetch(_READ_HISTORY, mower_id, begins_at, ends_at, limit)
    return tuple(
        HistoryRow(
            observed_at=row["observed_at"],
            activity=ACTIVITIES[row["activity"]],
            battery_percent=row["battery_percent"],
            charging=row["charging"],
            area_id=row["area_id"],
            progress_percent=row["progress_percent"],
            job_id=row["job_id"],
            problem_code=row["problem_code"],
        )
        for row in rows
    )


async def read_positions(
    connection: Connection, mower_id: str, begins_at: datetime, ends_at: datetime, *, limit: int
) -> tuple[PositionRow, ...]:
    """Return the positions of a mower in [begins_at, ends_at), oldest first; purged ones as the segments keep them."""
    # Nothing was purged from a log without a beginning.
    log_from: datetime = await connection.fetchval("SELECT greatest(log_from, 'epoch') FROM telemetry.housekeeping")
    packed: list[PositionRow] = []
    if begins_at < log_from:
        packed = await _read_packed(connection, mower_id, begins_at, min(ends_at, log_from), limit=limit)
    if len(packed) >= limit or ends_at <= log_from:
        return tuple(packed[:limit])
    rows = await connection.fetch(_READ_POSITIONS, mower_id, max(begins_at, log_from), ends_at, limit - len(packed))
    return (*packed, *map(_position, rows))


async def _read_packed(
    connection: Connection, mower_id: str, begins_at: datetime, ends_at: datetime, *, limit: int
) -> list[PositionRow]:
    # Each segment in the span but the first has a point in it, so one more than the limit is enough.
    rows = await connection.fetch(_READ_SEGMENTS, mower_id, begins_at - LONGEST, ends_at, limit + 1)
    return [point for row in rows for point in unpack(read_segment(row)) if begins_at <= point.observed_at < ends_at]


def read_segment(row: asyncpg.Record) -> Segment:
    """Return a segment."""
    return Segment(
        begins_at=row["begins_at"],
        latitude=row["latitude"],
        longitude=row["longitude"],
        deciseconds=tuple(row["deciseconds"]),
        north_centimetres=tuple(row["north_centimetres"]),
        east_centimetres=tuple(row["east_centimetres"]),
    )


def _position(row: asyncpg.Record) -> PositionRow:
    return PositionRow(observed_at=row["observed_at"], latitude=row["latitude"], longitude=row["longitude"])
