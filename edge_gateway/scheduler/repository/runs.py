"""The rows of runs."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import msgspec

from edge_gateway.contracts.mower import BUSY
from edge_gateway.contracts.principals import Origin
from edge_gateway.contracts.schedules import RunOutcome
from edge_gateway.scheduler.keys import run_now_key
from edge_gateway.scheduler.records import RunRecord
from edge_gateway.scheduler.repository.transactions import Connection
from edge_gateway.scheduler.verdicts import Reason

_NAMES = RunRecord.__struct_fields__
_COLUMNS = ", ".join("numbers::text AS numbers" if name == "numbers" else name for name in _NAMES)
_PLACES = ", ".join(
    f"${place}::text::jsonb" if name == "numbers" else f"${place}" for place, name in enumerate(_NAMES, 1)
)
_INTO = f"({', '.join(_NAMES)})"
_INSERT = f"INSERT INTO scheduler.run {_INTO} VALUES ({_PLACES}) ON CONFLICT (order_key) DO NOTHING"  # noqa: S608  # our own columns
_UPDATE = f"UPDATE scheduler.run SET {_INTO} = ROW({_PLACES}) WHERE id = $1"  # noqa: S608  # our own columns
_SELECT = f"SELECT {_COLUMNS} FROM scheduler.run"  # noqa: S608  # our own columns

_SLOTS_LOCK = 0x736C_6F74
"""The class of the advisory locks of groups ("slot" in ASCII); the key is a hash of the group's id."""

OCCUPIES = "followed AND parked_at IS NULL AND (outcome IS NULL OR outcome = 'started' OR confirmed_at IS NOT NULL)"
"""Of a run that keeps its mower: asked for and not yet seen, or confirmed, open and not parked."""

_LONGEST_WAIT = timedelta(minutes=10)
"""No row is put off for longer."""


async def insert(connection: Connection, run: RunRecord) -> bool:
    """Store a new run; false when its order key is known already."""
    status = await connection.execute(_INSERT, *_values(run))
    return status.endswith(" 1")


async def update(connection: Connection, run: RunRecord) -> None:
    """Write a run that is locked."""
    await connection.execute(_UPDATE, *_values(run))


async def get(connection: Connection, run_id: str) -> RunRecord | None:
    """Return one run."""
    return _one(await connection.fetchrow(f"{_SELECT} WHERE id = $1", run_id))


async def of_run_now(connection: Connection, schedule_id: str, key: str) -> list[RunRecord]:
    """Return the runs that a run-now made under its idempotency key, one per mower."""
    prefix = run_now_key(schedule_id, key, "")
    rows = await connection.fetch(
        f"{_SELECT} WHERE schedule_id = $1 AND run_now AND starts_with(order_key, $2) ORDER BY sequence",
        schedule_id,
        prefix,
    )
    # A longer key may begin like this one; ids of mowers have no colon.
    return [_record(row) for row in rows if ":" not in row["order_key"].removeprefix(prefix)]


async def lock(connection: Connection, run_id: str) -> RunRecord | None:
    """Lock one run."""
    return _one(await connection.fetchrow(f"{_SELECT} WHERE id = $1 FOR NO KEY UPDATE", run_id))


async def lock_unless_held(connection: Connection, run_id: str) -> RunRecord | None:
    """Lock one run; null when somebody else holds it."""
    return _one(await connection.fetchrow(f"{_SELECT} WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED", run_id))


async def pick_up(connection: Connection, now: datetime, look_again_at: datetime) -> RunRecord | None:
    """Take one pending run that is to be looked at, and keep others from it until `look_again_at`."""
    row = await connection.fetchrow(
        f"""
        UPDATE scheduler.run SET look_again_at = $2 WHERE id = (
            SELECT id FROM scheduler.run
            WHERE outcome IS NULL AND look_again_at <= $1 AND occurrence_at <= $1
            ORDER BY look_again_at, sequence LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
        ) RETURNING {_COLUMNS}
        """,  # noqa: S608  # our own columns
        now,
        look_again_at,
    )
    return _one(row)


async def pull_back(connection: Connection, now: datetime) -> None:
    """Have rows looked at now that were put off to a time that was said when the clock was ahead."""
    await connection.execute(
        "UPDATE scheduler.run SET look_again_at = $1 WHERE outcome IS NULL AND look_again_at > $2",
        now,
        now + _LONGEST_WAIT,
    )


async def give_keys_back(connection: Connection, schedule_id: str, now: datetime) -> None:
    """Free the keys of occurrences whose window is open or to come, and which a clock that was ahead saw closed.

    The records stay, as those of what was missed; nothing was asked for under their keys.
    """
    await connection.execute(
        """
        UPDATE scheduler.run SET order_key = schedule_id || ':missed:' || id
        WHERE schedule_id = $1 AND window_ends_at > $2 AND decided_at > $2 AND reason = $3
            AND final AND asked_at IS NULL AND NOT run_now
        """,
        schedule_id,
        now,
        Reason.WINDOW_CLOSED,
    )


async def is_leapt_over(connection: Connection, schedule_id: str, occurrence_at: datetime, now: datetime) -> bool:
    """Tell whether a clock that was ahead recorded this occurrence, or those from an earlier one on, as passed."""
    return bool(
        await connection.fetchval(
            """
            SELECT EXISTS (
                SELECT FROM scheduler.run
                WHERE schedule_id = $1 AND occurrence_at <= $2 AND decided_at > $3 AND reason = ANY($4) AND NOT run_now
            )
            """,
            schedule_id,
            occurrence_at,
            now,
            [Reason.WINDOW_CLOSED, Reason.MISSED],
        )
    )


async def put_off(connection: Connection, run_id: str, look_again_at: datetime) -> None:
    """Have a pending run that was not asked for looked at again at another time."""
    await connection.execute(
        "UPDATE scheduler.run SET look_again_at = $2 WHERE id = $1 AND outcome IS NULL AND asked_at IS NULL",
        run_id,
        look_again_at,
    )


async def lock_pending(connection: Connection, schedule_id: str) -> list[RunRecord]:
    """Lock a schedule's pending runs."""
    rows = await connection.fetch(
        f"{_SELECT} WHERE schedule_id = $1 AND outcome IS NULL ORDER BY id FOR NO KEY UPDATE", schedule_id
    )
    return [_record(row) for row in rows]


async def at_occurrence(connection: Connection, schedule_id: str, occurrence_at: datetime) -> list[RunRecord]:
    """Return the runs of one occurrence."""
    rows = await connection.fetch(
        f"{_SELECT} WHERE schedule_id = $1 AND occurrence_at = $2 AND NOT run_now AND order_key NOT LIKE '%:missed:%'"
        " ORDER BY sequence",
        schedule_id,
        occurrence_at,
    )
    return [_record(row) for row in rows]


async def delete(connection: Connection, run_id: str) -> None:
    """Remove a locked row that stood for others, and that nobody was told of."""
    await connection.execute("DELETE FROM scheduler.run WHERE id = $1", run_id)


async def outcomes_of_others(connection: Connection, run: RunRecord) -> list[RunOutcome | None]:
    """Return the outcomes of the other mowers of a group's firing, null while pending."""
    rows = await connection.fetch(
        """
        SELECT outcome FROM scheduler.run
        WHERE schedule_id = $1 AND occurrence_at = $2 AND group_id = $3 AND NOT run_now AND mower_id IS NOT NULL
            AND id <> $4
        """,
        run.schedule_id,
        run.occurrence_at,
        run.group_id,
        run.id,
    )
    return [None if row["outcome"] is None else RunOutcome(row["outcome"]) for row in rows]


async def lock_slots(connection: Connection, group_id: str) -> None:
    """Keep others from counting the slots of a group until the end of the transaction."""
    await connection.execute("SELECT pg_advisory_xact_lock($1, hashtext($2))", _SLOTS_LOCK, group_id)


async def count_out(connection: Connection, mower_ids: Iterable[str], *, but: str) -> int:
    """Return how many of these mowers are out: busy, or with a run that was asked for, is open and not parked."""
    count: int = await connection.fetchval(
        f"""
        SELECT count(*) FROM unnest($1::text[]) AS wanted (id)
        WHERE id <> $2 AND (
            EXISTS (SELECT FROM scheduler.run WHERE mower_id = wanted.id AND {OCCUPIES})
            OR EXISTS (SELECT FROM scheduler.mower WHERE mower.id = wanted.id AND activity = ANY($3::text[])))
        """,  # noqa: S608  # a constant
        list(mower_ids),
        but,
        sorted(BUSY),
    )
    return count


async def followed(connection: Connection) -> list[RunRecord]:
    """Return the runs that are followed and were decided, oldest first."""
    rows = await connection.fetch(f"{_SELECT} WHERE followed AND outcome IS NOT NULL ORDER BY sequence")
    return [_record(row) for row in rows]


async def superseded_at(connection: Connection, run: RunRecord) -> datetime | None:
    """Return when a later run was asked for on the same mower."""
    found: datetime | None = await connection.fetchval(
        "SELECT min(asked_at) FROM scheduler.run WHERE mower_id = $1 AND id <> $2 AND asked_at > $3",
        run.mower_id,
        run.id,
        run.asked_at,
    )
    return found


async def next_look(connection: Connection) -> datetime | None:
    """Return when the next pending run is to be looked at."""
    found: datetime | None = await connection.fetchval(
        "SELECT min(greatest(look_again_at, occurrence_at)) FROM scheduler.run WHERE outcome IS NULL"
    )
    return found


async def last_decided(connection: Connection, schedule_ids: Iterable[str]) -> dict[str, RunRecord]:
    """Return the newest decided run of each schedule."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM unnest($1::text[]) AS wanted
        CROSS JOIN LATERAL (
            SELECT * FROM scheduler.run WHERE schedule_id = wanted AND outcome IS NOT NULL
            ORDER BY sequence DESC LIMIT 1
        ) AS run
        """,  # noqa: S608  # our own columns
        list(schedule_ids),
    )
    return {row["schedule_id"]: _record(row) for row in rows}


async def page(
    connection: Connection,
    account_id: str,
    *,
    schedule_id: str | None,
    mower_id: str | None,
    before: int | None,
    limit: int,
) -> list[tuple[int, RunRecord]]:
    """Return runs with their places in the sequence, newest first."""
    rows = await connection.fetch(
        f"SELECT sequence, {_COLUMNS} FROM scheduler.run WHERE account_id = $1"  # noqa: S608  # our own columns
        " AND ($2::text IS NULL OR schedule_id = $2) AND ($3::text IS NULL OR mower_id = $3)"
        " AND ($4::bigint IS NULL OR sequence < $4) ORDER BY sequence DESC LIMIT $5",
        account_id,
        schedule_id,
        mower_id,
        before,
        limit,
    )
    return [(row["sequence"], _record(row)) for row in rows]


def _values(run: RunRecord) -> list[object]:
    return [msgspec.json.encode(run.numbers).decode() if name == "numbers" else getattr(run, name) for name in _NAMES]


def _one(row: asyncpg.Record | None) -> RunRecord | None:
    return None if row is None else _record(row)


def _record(row: asyncpg.Record) -> RunRecord:
    values: dict[str, Any] = {name: row[name] for name in _NAMES}
    values["numbers"] = msgspec.json.decode(values["numbers"])
    values["origin"] = Origin(values["origin"])
    values["outcome"] = None if values["outcome"] is None else RunOutcome(values["outcome"])
    return RunRecord(**values)
