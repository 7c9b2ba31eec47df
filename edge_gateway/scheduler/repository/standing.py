"""How things stand for a mower of a schedule at the moment of a decision, in one round trip; its mower is locked."""

from datetime import datetime
from typing import NamedTuple

import asyncpg

from edge_gateway.contracts.weather import MowerOverrides, Override
from edge_gateway.scheduler.records import ScheduleMowerRecord
from edge_gateway.scheduler.repository.runs import OCCUPIES
from edge_gateway.scheduler.repository.transactions import Connection


class Standing(NamedTuple):
    """What was accepted before this moment."""

    kept: ScheduleMowerRecord
    other_run_id: str | None
    """Another run that the mower is busy with."""
    words: MowerOverrides


async def of(connection: Connection, schedule_id: str, mower_id: str, *, but: str, now: datetime) -> Standing:
    """Return it; `but` is the run that is decided."""
    row = await connection.fetchrow(
        f"""
        SELECT kept.angle_number, kept.held_days,
            (SELECT id FROM scheduler.run WHERE mower_id = $2 AND id <> $3 AND {OCCUPIES}
             ORDER BY sequence DESC LIMIT 1) AS other_run_id,
            hold.until AS hold_until, hold.set_by AS hold_set_by, hold.set_at AS hold_set_at,
            rain.until AS rain_until, rain.set_by AS rain_set_by, rain.set_at AS rain_set_at
        FROM (VALUES ($2)) AS wanted (mower_id)
        LEFT JOIN scheduler.schedule_mower AS kept ON kept.schedule_id = $1 AND kept.mower_id = wanted.mower_id
        LEFT JOIN scheduler.override AS hold
            ON hold.mower_id = wanted.mower_id AND hold.kind = 'hold' AND hold.until > $4
        LEFT JOIN scheduler.override AS rain
            ON rain.mower_id = wanted.mower_id AND rain.kind = 'rain' AND rain.until > $4
        """,  # noqa: S608  # a constant
        schedule_id,
        mower_id,
        but,
        now,
    )
    if row is None:
        message = "a row of values is a row"
        raise AssertionError(message)
    return Standing(
        kept=ScheduleMowerRecord(angle_number=row["angle_number"] or 0, held_days=row["held_days"] or 0),
        other_run_id=row["other_run_id"],
        words=MowerOverrides(mower_id=mower_id, mower_hold=_word(row, "hold"), rain_override=_word(row, "rain")),
    )


def _word(row: asyncpg.Record, kind: str) -> Override | None:
    until = row[f"{kind}_until"]
    if until is None:
        return None
    return Override(until=until, set_by=row[f"{kind}_set_by"], set_at=row[f"{kind}_set_at"])
