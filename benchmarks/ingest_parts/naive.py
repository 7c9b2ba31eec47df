"""The baseline: one transaction per state, as one writes it first. The rules are the same ones.

A connection from the pool and a transaction for each message, a statement for each row, acknowledged one by one.
"""

from datetime import UTC, datetime, timedelta

import asyncpg
import msgspec

from benchmarks.ingest_parts import naive_tables
from benchmarks.ingest_parts.naive_tables import read_health
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.mower import Activity, MowerState
from edge_gateway.telemetry.book import Book
from edge_gateway.telemetry.repository import Connection, books, directory
from edge_gateway.telemetry.repository.books import read_job
from edge_gateway.telemetry.repository.directory import IntervalCaps
from edge_gateway.telemetry.repository.evolving import EvolvingTable
from edge_gateway.telemetry.rows import Health
from edge_gateway.telemetry.write_rules import Latest, Shown, is_storable

_CAPS = IntervalCaps(default=timedelta(seconds=60))
_BLADE_LIFE = timedelta(hours=100)

_DIRECTORY = "SELECT * FROM telemetry.directory WHERE mower_id = $1 FOR NO KEY UPDATE"
_LATEST = """
SELECT account_id, observed_at, activity, battery_percent, charging, area_id, progress_percent, job_id, problem_code
FROM telemetry.latest WHERE mower_id = $1
"""
_HEALTH = """
SELECT mowing_microseconds, distance_millimetres, area_square_centimetres, charge_cycles, blade_microseconds,
       blades_reset_at, blade_threshold_told, latitude, longitude, was_charging, zone_ids, job_id
FROM telemetry.health WHERE mower_id = $1
"""
_JOB = """
SELECT job_id, command_id, started_at, last_at, ended_at, ending, area_ids, progress_percent, area_square_centimetres,
       mowing_microseconds, distance_millimetres, charging_breaks, docked
FROM telemetry.job WHERE mower_id = $1 AND job_id = $2
"""
_CLAIM = """
INSERT INTO telemetry.ingest_partition AS partition (number, fence) VALUES (0, 1)
ON CONFLICT (number) DO UPDATE SET fence = greatest(partition.fence, excluded.fence) RETURNING fence
"""
_LOG = """
INSERT INTO telemetry.log (observed_at, latitude, longitude, progress_percent, mower, area, job, problem, activity,
                           battery_percent, changed, charging)
VALUES ($1, $2, $3, $4, $5, (SELECT number FROM telemetry.word WHERE text = $6),
        (SELECT number FROM telemetry.word WHERE text = $7), (SELECT number FROM telemetry.word WHERE text = $8),
        $9, $10, $11, $12)
ON CONFLICT DO NOTHING
"""
_WORD = "INSERT INTO telemetry.word (text) VALUES ($1) ON CONFLICT DO NOTHING"


class Naive:
    """Stores one state at a time."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record]) -> None:
        """Store through a pool."""
        self._pool = pool
        self._words: set[str] = set()

    async def handle(self, data: bytes) -> None:
        """Store the state in a message."""
        state = msgspec.json.decode(data, type=Envelope).decode(MowerState)
        if not is_storable(state):
            return
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.fetchval(_CLAIM)
            book = await self._open(connection, state)
            book.take(state, datetime.now(UTC))
            await self._close(connection, book)

    async def _open(self, connection: Connection, state: MowerState) -> Book:
        mower = await connection.fetchrow(_DIRECTORY, state.mower_id)
        if mower is None:
            message = f"{state.mower_id} is not in the directory"
            raise LookupError(message)
        stored = await connection.fetchrow(_LATEST, state.mower_id)
        health_row = await connection.fetchrow(_HEALTH, state.mower_id)
        health = Health() if health_row is None else read_health(health_row)
        job_id = health.job_id if state.job is None else state.job.id
        job_row = None if job_id is None else await connection.fetchrow(_JOB, state.mower_id, job_id)
        latest = None
        if stored is not None:
            shown = Shown(Activity(stored["activity"]), *tuple(stored)[3:])
            latest = Latest(stored["account_id"], stored["observed_at"], shown)
        return Book(
            directory.read_known(mower, caps=_CAPS, blade_life=_BLADE_LIFE),
            latest=latest,
            health=health,
            job=None if job_row is None or job_row["job_id"] != health.job_id else read_job(job_row),
        )

    async def _close(self, connection: Connection, book: Book) -> None:
        for row in (*book.newer, *book.late):
            shown, position = row.shown, row.position
            for text in (shown.area_id, shown.job_id, shown.problem_code):
                if text is not None and text not in self._words:
                    await connection.execute(_WORD, text)
                    self._words.add(text)
            await connection.execute(
                _LOG,
                row.observed_at,
                None if position is None else position.latitude,
                None if position is None else position.longitude,
                shown.progress_percent,
                book.mower.number,
                shown.area_id,
                shown.job_id,
                shown.problem_code,
                books.ACTIVITY_NUMBERS[shown.activity],
                shown.battery_percent,
                row.changed,
                shown.charging,
            )
        for table, records_of in naive_tables.RECORDS:
            for record in records_of(book):
                await connection.execute(_UPSERTS[table.name], *record)


def _upsert(table: EvolvingTable) -> str:
    places = ", ".join(f"${place}" for place in range(1, len(table.columns) + 1))
    return (
        f"INSERT INTO telemetry.{table.name} ({', '.join(table.columns)}) VALUES ({places})"  # noqa: S608  # names of ours
        f" ON CONFLICT ({', '.join(table.keys)}) DO UPDATE SET {table.assignments}"
    )


_UPSERTS = {table.name: _upsert(table) for table, _ in naive_tables.RECORDS}
