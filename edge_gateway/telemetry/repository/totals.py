"""Reads totals, days, areas mowed and jobs; resets blades."""

from collections.abc import Sequence
from datetime import date, datetime

import asyncpg

from edge_gateway.contracts.telemetry import DayTotals, MowedArea
from edge_gateway.telemetry.events import MICROSECONDS, MILLIMETRES, SQUARE_CENTIMETRES
from edge_gateway.telemetry.repository import Connection, statements
from edge_gateway.telemetry.repository.books import read_health, read_job
from edge_gateway.telemetry.rows import Health, JobRow

_READ_HEALTH = f"SELECT {statements.HEALTH} FROM telemetry.health WHERE mower_id = $1"  # noqa: S608  # names of ours

_RESET_BLADES = """
INSERT INTO telemetry.health AS health (mower_id, mowing_microseconds, distance_millimetres, area_square_centimetres,
                              charge_cycles, blade_microseconds, blades_reset_at, blade_threshold_told, zone_ids)
VALUES ($1, 0, 0, 0, 0, 0, $2, false, '[]')
ON CONFLICT (mower_id) DO UPDATE SET
    blade_microseconds = 0, blades_reset_at = excluded.blades_reset_at, blade_threshold_told = false
"""

_READ_DAYS = """
SELECT day, mowing_microseconds, distance_millimetres, area_square_centimetres, charge_cycles, blade_microseconds
FROM telemetry.day WHERE mower_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day
"""

_READ_AREAS = """
SELECT area_id, sum(mowing_microseconds)::bigint AS mowing_microseconds, max(last_mowed_at) AS last_mowed_at
FROM telemetry.area_day WHERE mower_id = $1 AND day BETWEEN $2 AND $3 GROUP BY area_id ORDER BY area_id
"""


async def read_mower_health(connection: Connection, mower_id: str) -> Health:
    """Return the totals of a mower; zeros for one that never reported."""
    row = await connection.fetchrow(_READ_HEALTH, mower_id)
    return Health() if row is None else read_health(row)


async def reset_blades(connection: Connection, mower_id: str, at: datetime) -> None:
    """Begin to count the blades' time anew; the mower's rows are locked."""
    await connection.execute(_RESET_BLADES, mower_id, at)


async def read_days(connection: Connection, mower_id: str, since: date, until: date) -> tuple[DayTotals, ...]:
    """Return the days of a mower from `since` to `until`, both included."""
    return tuple(map(_day, await connection.fetch(_READ_DAYS, mower_id, since, until)))


async def read_areas(connection: Connection, mower_id: str, since: date, until: date) -> tuple[MowedArea, ...]:
    """Return how long each area was mowed on these days."""
    rows = await connection.fetch(_READ_AREAS, mower_id, since, until)
    return tuple(
        MowedArea(
            area_id=row["area_id"],
            mowing_seconds=row["mowing_microseconds"] / MICROSECONDS,
            last_mowed_at=row["last_mowed_at"],
        )
        for row in rows
    )


async def list_jobs(
    connection: Connection, mower_id: str, *, before: tuple[datetime, str] | None, limit: int
) -> Sequence[JobRow]:
    """Return jobs, newest first, after the one with this start and id."""
    moment, job_id = before or (None, None)
    rows = await connection.fetch(statements.LIST_JOBS, mower_id, moment, job_id, limit)
    return [read_job(row) for row in rows]


async def find_job(connection: Connection, mower_id: str, job_id: str) -> JobRow | None:
    """Return one job; null when there is none."""
    row = await connection.fetchrow(statements.READ_JOBS, [mower_id], [job_id])
    return None if row is None else read_job(row)


def _day(row: asyncpg.Record) -> DayTotals:
    return DayTotals(
        day=row["day"],
        mowing_seconds=row["mowing_microseconds"] / MICROSECONDS,
        distance_m=row["distance_millimetres"] / MILLIMETRES,
        area_m2=row["area_square_centimetres"] / SQUARE_CENTIMETRES,
        charge_cycles=row["charge_cycles"],
        blade_seconds=row["blade_microseconds"] / MICROSECONDS,
    )
