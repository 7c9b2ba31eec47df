"""Reads totals, days, areas mowed and jobs, what is over and what is not; resets blades.

What is not over stands in the mower's book. It moves to rows of its own in one transaction, so both are read by one
statement: what it sees is whole.
"""

from collections.abc import Sequence
from datetime import date, datetime

import msgspec

from edge_gateway.contracts.telemetry import DayTotals, MowedArea
from edge_gateway.telemetry.events import MICROSECONDS, MILLIMETRES, SQUARE_CENTIMETRES
from edge_gateway.telemetry.open_day import add_area, add_totals
from edge_gateway.telemetry.repository import Connection, evolving, statements
from edge_gateway.telemetry.repository.books import read_evolving, read_job
from edge_gateway.telemetry.rows import AreaDay, Health, JobRow, Totals

_READ_DOCUMENT = "SELECT document FROM telemetry.book WHERE mower_id = $1"

_PUT_DOCUMENT = """
INSERT INTO telemetry.book (mower_id, document) VALUES ($1, $2)
ON CONFLICT (mower_id) DO UPDATE SET document = excluded.document
"""

_READ_DAYS = f"""
SELECT document, day.day, {", ".join(f"day.{column}" for column in evolving.TOTALS)} FROM telemetry.book
LEFT JOIN telemetry.day ON day.mower_id = book.mower_id AND day BETWEEN $2 AND $3
WHERE book.mower_id = $1
"""  # noqa: S608  # names of ours

_READ_AREAS = """
SELECT document, area_id, mowing_microseconds, last_mowed_at FROM telemetry.book
LEFT JOIN LATERAL (
    SELECT area_id, sum(mowing_microseconds)::bigint AS mowing_microseconds, max(last_mowed_at) AS last_mowed_at
    FROM telemetry.area_day WHERE area_day.mower_id = book.mower_id AND day BETWEEN $2 AND $3 GROUP BY area_id
) AS area ON true
WHERE book.mower_id = $1
"""


async def read_mower_health(connection: Connection, mower_id: str) -> Health:
    """Return the totals of a mower; zeros for one that never reported."""
    return read_evolving(await connection.fetchval(_READ_DOCUMENT, mower_id)).health


async def reset_blades(connection: Connection, mower_id: str, at: datetime) -> None:
    """Begin to count the blades' time anew; the mower's rows are locked."""
    found = read_evolving(await connection.fetchval(_READ_DOCUMENT, mower_id))
    health = found.health
    health.blade_microseconds, health.blades_reset_at, health.blade_threshold_told = 0, at, False
    await connection.execute(_PUT_DOCUMENT, mower_id, msgspec.json.encode(found))


async def read_days(connection: Connection, mower_id: str, since: date, until: date) -> tuple[DayTotals, ...]:
    """Return the days of a mower from `since` to `until`, both included."""
    days: dict[date, Totals] = {}
    rows = await connection.fetch(_READ_DAYS, mower_id, since, until)
    for row in rows:
        if row["day"] is not None:
            days[row["day"]] = Totals(**{column: row[column] for column in evolving.TOTALS})
    open_day = read_evolving(rows[0]["document"]).day if rows else None
    if open_day is not None and since <= open_day.day <= until:
        add_totals(days.setdefault(open_day.day, Totals()), open_day.totals)
    return tuple(_day(day, totals) for day, totals in sorted(days.items()))


async def read_areas(connection: Connection, mower_id: str, since: date, until: date) -> tuple[MowedArea, ...]:
    """Return how long each area was mowed on these days."""
    areas: dict[str, AreaDay] = {}
    rows = await connection.fetch(_READ_AREAS, mower_id, since, until)
    for row in rows:
        if row["area_id"] is not None:
            areas[row["area_id"]] = AreaDay(
                mowing_microseconds=row["mowing_microseconds"], last_mowed_at=row["last_mowed_at"]
            )
    open_day = read_evolving(rows[0]["document"]).day if rows else None
    if open_day is not None and since <= open_day.day <= until:
        for area_id, area in open_day.areas.items():
            add_area(areas, area_id, area)
    return tuple(
        MowedArea(
            area_id=area_id,
            mowing_seconds=area.mowing_microseconds / MICROSECONDS,
            last_mowed_at=area.last_mowed_at,
        )
        for area_id, area in sorted(areas.items())
    )


async def list_jobs(
    connection: Connection, mower_id: str, *, before: tuple[datetime, str] | None, limit: int
) -> Sequence[JobRow]:
    """Return jobs, newest first, after the one with this start and id."""
    moment, job_id = before or (None, None)
    rows = await connection.fetch(statements.LIST_JOBS, mower_id, moment, job_id, limit)
    if not rows:
        return []
    underway = read_evolving(rows[0]["document"]).job
    jobs = [read_job(row) for row in rows if row["job_id"] is not None]
    return [_as_it_is(job, underway) for job in jobs]


async def find_job(connection: Connection, mower_id: str, job_id: str) -> JobRow | None:
    """Return one job; null when there is none."""
    row = await connection.fetchrow(statements.FIND_JOB, mower_id, job_id)
    if row is None or row["job_id"] is None:
        return None
    return _as_it_is(read_job(row), read_evolving(row["document"]).job)


def _as_it_is(job: JobRow, newest: JobRow | None) -> JobRow:
    """Return a job as the mower's book has it: its own row is as old as its beginning while it is under way."""
    return newest if newest is not None and newest.job_id == job.job_id else job


def _day(day: date, totals: Totals) -> DayTotals:
    return DayTotals(
        day=day,
        mowing_seconds=totals.mowing_microseconds / MICROSECONDS,
        distance_m=totals.distance_millimetres / MILLIMETRES,
        area_m2=totals.area_square_centimetres / SQUARE_CENTIMETRES,
        charge_cycles=totals.charge_cycles,
        blade_seconds=totals.blade_microseconds / MICROSECONDS,
    )
