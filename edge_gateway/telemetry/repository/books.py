"""Reads and writes the books of a batch's mowers: one statement per table, one row of each mower."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import asyncpg
import msgspec

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.mower import Activity, MowerState
from edge_gateway.telemetry.book import Book
from edge_gateway.telemetry.open_day import turn
from edge_gateway.telemetry.repository import Connection, directory, evolving, statements
from edge_gateway.telemetry.repository.evolving import Record, Records
from edge_gateway.telemetry.repository.shelf import Kept, Shelf
from edge_gateway.telemetry.rows import Evolving, Health, JobRow
from edge_gateway.telemetry.write_rules import LogRow, latest_of

ACTIVITIES = tuple(Activity)
"""An activity stands in the log as its place here: the list only ever grows at its end."""
ACTIVITY_NUMBERS = {activity: number for number, activity in enumerate(ACTIVITIES)}
_EVOLVING = msgspec.json.Decoder(Evolving)
_STATE = msgspec.json.Decoder(MowerState)
_ENCODER = msgspec.json.Encoder()


class Claim(msgspec.Struct, frozen=True):
    """In whose name a batch is stored."""

    partition: int
    fence: int
    """Of the lease on the partition."""


async def open_books(
    connection: Connection, claim: Claim, named: Mapping[str, Collection[str]], shelf: Shelf
) -> dict[str, Book]:
    """Lock some mowers and return their books; `named` are the jobs that the batch names, by mower.

    Books that are on the shelf as they are stored need not be read. Raises `UnavailableError` (`lease_lost`) for one
    who no longer holds the lease. A mower that the directory lacks has no book.
    """
    rows = await connection.fetch(statements.CLAIM_AND_LOCK, claim.partition, claim.fence, list(named))
    stored = rows[0]["fence"]
    if stored > claim.fence:
        raise UnavailableError(
            "lease_lost", "Another copy of Telemetry has taken over.", values={"fence": claim.fence, "stored": stored}
        )
    books = await _books(connection, claim.fence, rows, shelf)
    await _read_other_jobs(connection, books, named)
    return books


async def _books(connection: Connection, fence: int, locked: Sequence[asyncpg.Record], shelf: Shelf) -> dict[str, Book]:
    """Return the locked mowers' books from the shelf, after it was brought up to date."""
    shelf.begin(fence)
    versions = {mower_id: version for _, mower_id, version in locked if mower_id is not None}
    missing = [mower_id for mower_id, version in versions.items() if not shelf.has(mower_id, version)]
    if missing:
        for row in await connection.fetch(statements.READ_BOOKS, missing):
            state, evolving = row["state"], read_evolving(row["document"])
            book = Book(
                directory.read_known(row, caps=shelf.caps, blade_life=shelf.blade_life),
                latest=None if state is None else latest_of(_STATE.decode(state)),
                health=evolving.health,
                job=evolving.job,
            )
            shelf.kept[row["mower_id"]] = Kept(
                version=row["version"], book=book, day=evolving.day, job_id=evolving.health.job_id
            )
    books = {mower_id: shelf.kept[mower_id].book for mower_id in versions}
    for book in books.values():
        book.turn_page()
    return books


async def _read_other_jobs(
    connection: Connection, books: Mapping[str, Book], named: Mapping[str, Collection[str]]
) -> None:
    """Lay jobs that are named and not the newest, which a book has, into the books of their mowers."""
    missing = [
        (mower_id, job_id)
        for mower_id, book in books.items()
        for job_id in named[mower_id]
        if job_id != book.health.job_id
    ]
    if missing:
        keys = zip(*missing, strict=True)
        for row in await connection.fetch(statements.READ_JOBS, *(list(key) for key in keys)):
            books[row["mower_id"]].other_jobs[row["job_id"]] = read_job(row)


async def close_books(
    connection: Connection, books: Iterable[Book], words: Mapping[str, int], shelf: Shelf, *, careful: bool
) -> None:
    """Store what the books of some mowers changed; `careful` for rows that may be there already (see `Store.open`)."""
    newer: list[Record] = []
    late: list[Record] = []
    records = Records()
    for book in books:
        newer += _log_records(book, book.newer, words)
        late += _log_records(book, book.late, words)
        if book.newest is not None:
            _note(book, book.newest, shelf.kept[book.mower.mower_id], records)
    if careful:
        newer, late = [], [*newer, *late]
    await _copy_newer(connection, newer)
    await _execute(connection, statements.INSERT_LATE, late)
    for table, rows in records.by_table():
        await _execute(connection, evolving.UPSERTS[table.name], rows)


def _note(book: Book, newest: MowerState, kept: Kept, records: Records) -> None:
    """Note what a book leaves, on the shelf and for the tables: its own row, and of days and jobs what turned."""
    mower_id, job = book.mower.mower_id, book.job
    for row in book.jobs.values():
        is_underway = row is job and row.ended_at is None and row.job_id == kept.job_id
        if not is_underway:
            records.job.append(evolving.job_record(mower_id, row))
    kept.job_id = book.health.job_id
    kept.day, turned = turn(kept.day, book.days, book.area_days)
    for each in turned:
        records.day.append(evolving.day_record(mower_id, each.day, each.totals))
        records.area_day += [
            evolving.area_day_record(mower_id, area_id, each.day, area) for area_id, area in each.areas.items()
        ]
    records.book.append(
        evolving.book_record(
            mower_id,
            newest.account_id,
            newest.observed_at,
            _ENCODER.encode(newest),
            Evolving(health=book.health, job=job, day=kept.day),
        )
    )


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


def read_evolving(document: bytes | None) -> Evolving:
    """Return what evolves with a mower's states; of one that never reported, zeros."""
    return Evolving(health=Health()) if document is None else _EVOLVING.decode(document)


def read_job(row: asyncpg.Record) -> JobRow:
    """Return the record of a job."""
    return JobRow(
        job_id=row["job_id"],
        command_id=row["command_id"],
        started_at=row["started_at"],
        last_at=row["last_at"],
        ended_at=row["ended_at"],
        ending=row["ending"],
        area_ids=tuple(msgspec.json.decode(row["area_ids"])),
        progress_percent=row["progress_percent"],
        area_square_centimetres=row["area_square_centimetres"],
        mowing_microseconds=row["mowing_microseconds"],
        distance_millimetres=row["distance_millimetres"],
        charging_breaks=row["charging_breaks"],
        docked=row["docked"],
    )
