"""All rows of a store, in one form for PostgreSQL and for memory: what must be equal is compared by this."""

from typing import Any

import msgspec

from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.mower import MowerState
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry.repository.books import ACTIVITIES
from edge_gateway.telemetry.rows import Totals
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
    "latest": """
        SELECT mower_id, account_id, observed_at, activity, battery_percent, charging, area_id, progress_percent,
               job_id, problem_code, document FROM telemetry.latest ORDER BY 1
    """,
    "health": """
        SELECT mower_id, mowing_microseconds, distance_millimetres, area_square_centimetres, charge_cycles,
               blade_microseconds, blades_reset_at, blade_threshold_told, latitude, longitude, was_charging,
               zone_ids::text, job_id FROM telemetry.health ORDER BY 1
    """,
    "day": """
        SELECT mower_id, day, mowing_microseconds, distance_millimetres, area_square_centimetres, charge_cycles,
               blade_microseconds FROM telemetry.day ORDER BY 1, 2
    """,
    "area_day": """
        SELECT mower_id, area_id, day, mowing_microseconds, last_mowed_at FROM telemetry.area_day ORDER BY 1, 2, 3
    """,
    "job": """
        SELECT mower_id, job_id, command_id, started_at, last_at, ended_at, ending, area_ids::text, progress_percent,
               area_square_centimetres, mowing_microseconds, distance_millimetres, charging_breaks, docked
        FROM telemetry.job ORDER BY 1, 2
    """,
    "outbox": "SELECT event_id, subject, envelope FROM telemetry.outbox ORDER BY sequence",
}


async def rows_of_database(pool: Pool) -> Rows:
    """Return all rows that follow from states."""
    rows = {table: [tuple(row) for row in await pool.fetch(query)] for table, query in _TABLES.items()}
    rows["log"] = [(*row[:2], ACTIVITIES[row[2]], *row[3:]) for row in rows["log"]]
    rows["latest"] = [(*row[:-1], msgspec.json.decode(row[-1], type=MowerState)) for row in rows["latest"]]
    rows["outbox"] = [(*row[:-1], msgspec.json.decode(row[-1], type=Envelope)) for row in rows["outbox"]]
    rows["health"] = [(*row[:11], tuple(msgspec.json.decode(row[11])), row[12]) for row in rows["health"]]
    rows["job"] = [(*row[:7], tuple(msgspec.json.decode(row[7])), *row[8:]) for row in rows["job"]]
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
        "health": [
            (
                mower_id,
                *_totals(health),
                health.blades_reset_at,
                health.blade_threshold_told,
                *(health.place or (None, None)),
                health.was_charging,
                health.zone_ids,
                health.job_id,
            )
            for mower_id, health in sorted(store.health.items())
        ],
        "day": [(*key, *_totals(totals)) for key, totals in sorted(store.days.items())],
        "area_day": [
            (*key, area_day.mowing_microseconds, area_day.last_mowed_at)
            for key, area_day in sorted(store.area_days.items())
        ],
        "job": [
            (
                *key,
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
            for key, job in sorted(store.jobs.items())
        ],
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
