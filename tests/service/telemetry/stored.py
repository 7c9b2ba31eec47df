"""All rows of a store, in one form for PostgreSQL and for memory: what must be equal is compared by this."""

from typing import Any

import msgspec

from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.mower import MowerState
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry.open_day import add_area, add_totals
from edge_gateway.telemetry.repository.books import ACTIVITIES, read_evolving
from edge_gateway.telemetry.rows import AreaDay, Health, JobRow, Totals
from edge_gateway.telemetry.write_rules import shown
from tests.service.telemetry.memory_store import MemoryStore

type Rows = dict[str, list[tuple[Any, ...]]]
"""Rows by table, sorted by their keys."""

_TABLES = {
    "log": """
        SELECT mower_id, observed_at, activity, battery_percent, charging, area.text, progress_percent, job.text,
               problem.text, changed, latitude, longitude
        FROM telemetry.log JOIN telemetry.directory ON directory.number = mower
        LEFT JOIN telemetry.word AS area ON area.number = area LEFT JOIN telemetry.word AS job ON job.number = job
        LEFT JOIN telemetry.word AS problem ON problem.number = problem ORDER BY 1, 2
    """,
    "book": "SELECT mower_id, account_id, observed_at, state, document FROM telemetry.book ORDER BY 1",
    "day": """
        SELECT mower_id, day, mowing_microseconds, distance_millimetres, area_square_centimetres, charge_cycles,
               blade_microseconds FROM telemetry.day
    """,
    "area_day": "SELECT mower_id, area_id, day, mowing_microseconds, last_mowed_at FROM telemetry.area_day",
    "job": """
        SELECT mower_id, job_id, command_id, started_at, last_at, ended_at, ending, area_ids::text, progress_percent,
               area_square_centimetres, mowing_microseconds, distance_millimetres, charging_breaks, docked
        FROM telemetry.job
    """,
    "outbox": "SELECT event_id, subject, envelope FROM telemetry.outbox ORDER BY sequence",
}


async def rows_of_database(pool: Pool) -> Rows:
    """Return all rows that follow from states: what a mower's book holds of days and jobs counts as their rows."""
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        rows = {table: [tuple(row) for row in await connection.fetch(query)] for table, query in _TABLES.items()}
    rows["log"] = [(*row[:2], ACTIVITIES[row[2]], *row[3:]) for row in rows["log"]]
    rows["outbox"] = [(*row[:-1], msgspec.json.decode(row[-1], type=Envelope)) for row in rows["outbox"]]
    days = {row[:2]: _totals_of(row[2:]) for row in rows["day"]}
    areas = {row[:3]: AreaDay(mowing_microseconds=row[3], last_mowed_at=row[4]) for row in rows["area_day"]}
    jobs = {row[:2]: (*row[2:7], tuple(msgspec.json.decode(row[7])), *row[8:]) for row in rows["job"]}
    rows["latest"], rows["health"] = [], []
    for mower_id, account_id, observed_at, state, document in rows.pop("book"):
        evolving = read_evolving(document)
        newest = msgspec.json.decode(state, type=MowerState)
        assert (newest.account_id, newest.observed_at) == (account_id, observed_at)
        rows["latest"].append((mower_id, account_id, observed_at, *msgspec.structs.astuple(shown(newest)), newest))
        rows["health"].append((mower_id, *_health(evolving.health)))
        day, job = evolving.day, evolving.job
        if day is not None:
            add_totals(days.setdefault((mower_id, day.day), Totals()), day.totals)
            for area_id, added in day.areas.items():
                of_area = areas.setdefault((mower_id, area_id, day.day), AreaDay(last_mowed_at=added.last_mowed_at))
                add_area({area_id: of_area}, area_id, added)
        if job is not None:
            assert (mower_id, job.job_id) in jobs, "a job that began has a row"
            jobs[mower_id, job.job_id] = _job(job)
    rows["day"] = [(*key, *_totals(totals)) for key, totals in sorted(days.items())]
    rows["area_day"] = [(*key, *msgspec.structs.astuple(area)) for key, area in sorted(areas.items())]
    rows["job"] = [(*key, *job) for key, job in sorted(jobs.items())]
    return rows


def rows_of_memory(store: MemoryStore) -> Rows:
    """Return the same of a store in memory."""
    return {
        "log": [
            (
                *key,
                *msgspec.structs.astuple(row.shown),
                row.changed,
                None if row.position is None else row.position.latitude,
                None if row.position is None else row.position.longitude,
            )
            for key, row in sorted(store.log.items())
        ],
        "latest": [
            (mower_id, latest.account_id, latest.observed_at, *msgspec.structs.astuple(latest.shown), newest)
            for mower_id, (latest, newest) in sorted(store.latest.items())
        ],
        "health": [(mower_id, *_health(health)) for mower_id, health in sorted(store.health.items())],
        "day": [(*key, *_totals(totals)) for key, totals in sorted(store.days.items())],
        "area_day": [
            (*key, area_day.mowing_microseconds, area_day.last_mowed_at)
            for key, area_day in sorted(store.area_days.items())
        ],
        "job": [(*key, *_job(job)) for key, job in sorted(store.jobs.items())],
        "outbox": [(event.id, event.type, event) for event in store.events],
    }


def _totals(totals: Totals) -> tuple[int, ...]:
    return (
        totals.mowing_microseconds,
        totals.distance_millimetres,
        totals.area_square_centimetres,
        totals.charge_cycles,
        totals.blade_microseconds,
    )


def _health(health: Health) -> tuple[Any, ...]:
    return (
        *_totals(health),
        health.blades_reset_at,
        health.blade_threshold_told,
        *(health.place or (None, None)),
        health.was_charging,
        health.zone_ids,
        health.job_id,
    )


def _job(job: JobRow) -> tuple[Any, ...]:
    """Return the columns of a job after its keys."""
    return (
        job.command_id,
        job.started_at,
        job.last_at,
        job.ended_at,
        job.ending,
        job.area_ids,
        job.progress_percent,
        job.area_square_centimetres,
        job.mowing_microseconds,
        job.distance_millimetres,
        job.charging_breaks,
        job.docked,
    )


def _totals_of(columns: tuple[int, ...]) -> Totals:
    return Totals(**dict(zip(Totals.__struct_fields__, columns, strict=True)))
