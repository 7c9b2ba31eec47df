"""Stores positions as segments."""

from collections.abc import Sequence
from datetime import datetime

from edge_gateway.contracts.telemetry import PositionRow
from edge_gateway.telemetry.repository import Connection
from edge_gateway.telemetry.segments import Segment

_OLDEST = "SELECT min(observed_at) FROM telemetry.log WHERE latitude IS NOT NULL"

_READ_POSITIONS = """
SELECT mower, observed_at, latitude, longitude FROM telemetry.log
WHERE observed_at >= $1 AND observed_at < $2 AND latitude IS NOT NULL ORDER BY mower, observed_at
"""

_COLUMNS = (
    "mower",
    "begins_at",
    "latitude",
    "longitude",
    "deciseconds",
    "north_centimetres",
    "east_centimetres",
)


async def lock_progress(connection: Connection) -> datetime | None:
    """Return until when positions are segments, and keep other copies from making any; null when none was made."""
    until: datetime | None = await connection.fetchval(
        "SELECT nullif(segments_until, '-infinity') FROM telemetry.housekeeping FOR UPDATE"
    )
    if until is None:
        until = await connection.fetchval(_OLDEST)
    return until


async def read_positions(
    connection: Connection, begins_at: datetime, ends_at: datetime
) -> dict[int, list[PositionRow]]:
    """Return the positions of all mowers in a span, by the mowers' numbers, oldest first."""
    positions: dict[int, list[PositionRow]] = {}
    for row in await connection.fetch(_READ_POSITIONS, begins_at, ends_at):
        positions.setdefault(row["mower"], []).append(
            PositionRow(observed_at=row["observed_at"], latitude=row["latitude"], longitude=row["longitude"])
        )
    return positions


async def put(connection: Connection, mower: int, segments: Sequence[Segment]) -> None:
    """Store new segments of a mower."""
    await connection.copy_records_to_table(
        "segment",
        schema_name="telemetry",
        columns=_COLUMNS,
        records=[
            (
                mower,
                segment.begins_at,
                segment.latitude,
                segment.longitude,
                segment.deciseconds,
                segment.north_centimetres,
                segment.east_centimetres,
            )
            for segment in segments
        ],
    )


async def note_progress(connection: Connection, until: datetime) -> None:
    """Note until when positions are segments."""
    await connection.execute("UPDATE telemetry.housekeeping SET segments_until = $1", until)


async def purge(connection: Connection, before: datetime) -> None:
    """Delete the segments from before a moment."""
    await connection.execute("DELETE FROM telemetry.segment WHERE begins_at < $1", before)
