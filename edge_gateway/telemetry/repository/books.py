"""Reads and writes the books of a batch's mowers: one statement per table."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta

import asyncpg
import msgspec

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.mower import Activity
from edge_gateway.telemetry.book import Book
from edge_gateway.telemetry.repository import Connection, directory, evolving, statements
from edge_gateway.telemetry.repository.directory import IntervalCaps
from edge_gateway.telemetry.repository.evolving import Record
from edge_gateway.telemetry.rows import Health, JobRow
from edge_gateway.telemetry.write_rules import Latest, LogRow, Shown

ACTIVITIES = tuple(Activity)
"""An activity stands in the log as its place here: the list only ever grows at its end."""
ACTIVITY_NUMBERS = {activity: number for number, activity in enumerate(ACTIVITIES)}


class Claim(msgspec.Struct, frozen=True):
    """In whose name a batch is stored."""

    partition: int
    fence: int
    """Of the lease on the partition."""


async def open_books(
    connection: Connection,
    claim: Claim,
    named: Mapping[str, Collection[str]],
    *,
    caps: IntervalCaps,
    blade_life: timedelta,
) -> dict[str, Book]:
    """Lock some mowers and return their books; `named` are the jobs that the batch names, by mower.

    Raises `UnavailableError` (`lease_lost`) for one who no longer holds the lease. A mower that the directory lacks
    has no book.
    """
    mower_ids = list(named)
    await directory.lock_mowers(connection, mower_ids)
    rows = await connection.fetch(statements.READ_BOOKS, claim.partition, claim.fence, mower_ids)
    stored = rows[0]["fence"]
    if stored > claim.fence:
        raise UnavailableError(
            "lease_lost", "Another copy of Telemetry has taken over.", values={"fence": claim.fence, "stored": stored}
        )
    found = [row for row in rows if row["mower_id"] is not None]
    jobs = await _read_jobs(connection, found, named)
    return {
        row["mower_id"]: Book(
            directory.read_known(row, caps=caps, blade_life=blade_life),
            latest=_latest(row),
            health=read_health(row),
            jobs=jobs[row["mower_id"]],
        )
        for row in found
    }


async def _read_jobs(
    connection: Connection, rows: Sequence[asyncpg.Record], named: Mapping[str, Collection[str]]
) -> dict[str, dict[str, JobRow]]:
    """Return the newest job of each mower, which came along, and those that are named besides."""
    jobs: dict[str, dict[str, JobRow]] = {row["mower_id"]: {} for row in rows}
    for row in rows:
        if row["current_job_id"] is not None:
            jobs[row["mower_id"]][row["current_job_id"]] = read_job(row)
    missing = [
        (mower_id, job_id) for mower_id, known in jobs.items() for job_id in named[mower_id] if job_id not in known
    ]
    if missing:
        keys = zip(*missing, strict=True)
        for row in await connection.fetch(statements.READ_JOBS, *(list(key) for key in keys)):
            jobs[row["mower_id"]][row["current_job_id"]] = read_job(row)
    return jobs


async def close_books(
    connection: Connection, books: Iterable[Book], words: Mapping[str, int], *, careful: bool
) -> None:
    """Store what the books of some mowers changed; `careful` for rows that may be there already (see `Store.open`)."""
    changed = [book for book in books if book.newest is not None]
    newer = [record for book in changed for record in _log_records(book, book.newer, words)]
    late = [record for book in books for record in _log_records(book, book.late, words)]
    if careful:
        newer, late = [], [*newer, *late]
    await _copy_newer(connection, newer)
    await _execute(connection, statements.INSERT_LATE, late)
    for table, records_of in evolving.RECORDS:
        records = [record for book in changed for record in records_of(book)]
        await _execute(connection, evolving.UPSERTS[table.name], records)


async def _copy_newer(connection: Connection, records: Sequence[Record]) -> None:
    if records:
        await connection.copy_records_to_table(
            "log", schema_name="telemetry", columns=statements.LOG_COLUMNS, records=records
        )


def _log_records(book: Book, rows: Iterable[LogRow], words: Mapping[str, int]) -> list[Record]:
    """Return rows of the log, in the order of its columns."""
    number, numbers, find = book.mower.number, ACTIVITY_NUMBERS, words.get
    records: list[Record] = []
    for row in rows:
        shown, position = row.shown, row.position
        records.append(
            (
                row.observed_at,
                None if position is None else position.latitude,
                None if position is None else position.longitude,
                shown.progress_percent,
                number,
                find(shown.area_id),  # type: ignore[arg-type]  # null has no number, and finds none
                find(shown.job_id),  # type: ignore[arg-type]  # the same
                find(shown.problem_code),  # type: ignore[arg-type]  # the same
                numbers[shown.activity],
                shown.battery_percent,
                row.changed,
                shown.charging,
            )
        )
    return records


async def _execute(connection: Connection, statement: str, records: Sequence[Record]) -> None:
    """Execute a statement that takes records as one array per column."""
    if records:
        await connection.execute(statement, *(list(column) for column in zip(*records, strict=True)))


def _latest(row: asyncpg.Record) -> Latest | None:
    if row["observed_at"] is None:
        return None
    shown = Shown(
        Activity(row["activity"]),
        row["battery_percent"],
        row["charging"],
        row["area_id"],
        row["progress_percent"],
        row["latest_job_id"],
        row["problem_code"],
    )
    return Latest(row["latest_account_id"], row["observed_at"], shown)


def read_health(row: asyncpg.Record) -> Health:
    """Return the totals of a mower; of one that has none yet, zeros."""
    if row["health_mowing"] is None:
        return Health()
    return Health(
        mowing_microseconds=row["health_mowing"],
        distance_millimetres=row["health_distance"],
        area_square_centimetres=row["health_area"],
        charge_cycles=row["charge_cycles"],
        blade_microseconds=row["blade_microseconds"],
        blades_reset_at=row["blades_reset_at"],
        blade_threshold_told=row["blade_threshold_told"],
        place=None if row["latitude"] is None else (row["latitude"], row["longitude"]),
        was_charging=row["was_charging"],
        zone_ids=tuple(msgspec.json.decode(row["zone_ids"])),
        job_id=row["health_job_id"],
    )


def read_job(row: asyncpg.Record) -> JobRow:
    """Return the record of a job."""
    return JobRow(
        job_id=row["current_job_id"],
        command_id=row["command_id"],
        started_at=row["started_at"],
        last_at=row["last_at"],
        ended_at=row["ended_at"],
        ending=row["ending"],
        area_ids=tuple(msgspec.json.decode(row["area_ids"])),
        progress_percent=row["job_progress"],
        area_square_centimetres=row["job_area"],
        mowing_microseconds=row["job_mowing"],
        distance_millimetres=row["job_distance"],
        charging_breaks=row["charging_breaks"],
        docked=row["docked"],
    )
