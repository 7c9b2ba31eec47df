"""The tables as one makes them first: a row for each thing that evolves, written with every state."""

from collections.abc import Callable, Sequence

import asyncpg
import msgspec

from edge_gateway.telemetry.book import Book
from edge_gateway.telemetry.repository.evolving import (
    AREA_DAY,
    DAY,
    JOB,
    TOTALS,
    EvolvingTable,
    Record,
    area_day_record,
    day_record,
    job_record,
)
from edge_gateway.telemetry.rows import Health

LATEST = EvolvingTable(
    name="latest",
    keys=("mower_id",),
    columns={
        "mower_id": "text",
        "account_id": "text",
        "observed_at": "timestamptz",
        "activity": "text",
        "battery_percent": "smallint",
        "charging": "boolean",
        "area_id": "text",
        "progress_percent": "float8",
        "job_id": "text",
        "problem_code": "text",
        "document": "bytea",
    },
)
HEALTH = EvolvingTable(
    name="health",
    keys=("mower_id",),
    columns={
        "mower_id": "text",
        **TOTALS,
        "blades_reset_at": "timestamptz",
        "blade_threshold_told": "boolean",
        "latitude": "float8",
        "longitude": "float8",
        "was_charging": "boolean",
        "zone_ids": "jsonb",
        "job_id": "text",
    },
)


async def make(pool: asyncpg.Pool[asyncpg.Record]) -> None:
    """Make the tables that the product does without."""
    for table in (LATEST, HEALTH):
        columns = ", ".join(f"{column} {kind}" for column, kind in table.columns.items())
        await pool.execute(
            f"CREATE TABLE telemetry.{table.name} ({columns}, PRIMARY KEY ({', '.join(table.keys)}))"
            " WITH (fillfactor = 70)"
        )


def read_health(row: asyncpg.Record) -> Health:
    """Return a row of `HEALTH`."""
    return Health(
        **{column: row[column] for column in TOTALS},
        blades_reset_at=row["blades_reset_at"],
        blade_threshold_told=row["blade_threshold_told"],
        place=None if row["latitude"] is None else (row["latitude"], row["longitude"]),
        was_charging=row["was_charging"],
        zone_ids=tuple(msgspec.json.decode(row["zone_ids"])),
        job_id=row["job_id"],
    )


def _latest_records(book: Book) -> list[Record]:
    latest, newest = book.latest, book.newest
    if latest is None or newest is None:
        return []
    shown = latest.shown
    return [
        (
            book.mower.mower_id,
            latest.account_id,
            latest.observed_at,
            shown.activity.value,
            shown.battery_percent,
            shown.charging,
            shown.area_id,
            shown.progress_percent,
            shown.job_id,
            shown.problem_code,
            msgspec.json.encode(newest),
        )
    ]


def _health_records(book: Book) -> list[Record]:
    health = book.health
    return [
        (
            book.mower.mower_id,
            *(getattr(health, column) for column in TOTALS),
            health.blades_reset_at,
            health.blade_threshold_told,
            *(health.place or (None, None)),
            health.was_charging,
            msgspec.json.encode(health.zone_ids).decode(),
            health.job_id,
        )
    ]


RECORDS: Sequence[tuple[EvolvingTable, Callable[[Book], list[Record]]]] = (
    (LATEST, _latest_records),
    (HEALTH, _health_records),
    (DAY, lambda book: [day_record(book.mower.mower_id, day, totals) for day, totals in book.days.items()]),
    (
        AREA_DAY,
        lambda book: [
            area_day_record(book.mower.mower_id, area_id, day, area_day)
            for (area_id, day), area_day in book.area_days.items()
        ],
    ),
    (JOB, lambda book: [job_record(book.mower.mower_id, row) for row in book.jobs.values()]),
)
"""Each table with what a book leaves for it."""
