"""Writes many schedules at once, as the Scheduler stores them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.schedules import WEEKDAYS, ScheduleDraft, Target, WeeklyRecurrence
from edge_gateway.database.pools import Pool

DUE_AT = datetime.fromisoformat("2026-05-04T07:00:00+00:00")
"""09:00 in Berlin on a Monday."""

_COLUMNS = (
    "id",
    "account_id",
    "owner",
    "draft",
    "mower_id",
    "enabled",
    "effective_time_zone",
    "next_run_at",
    "next_run_on",
    "computed_at",
    "created_by",
    "created_at",
    "changed_at",
)


async def write(pool: Pool, mower_ids: Sequence[str], *, due: int, others: int) -> None:
    """Store so many schedules that are due at nine, each with a mower of its own, and so many that are not."""
    rows = [_row(f"due-{number:06}", mower_ids[number], DUE_AT) for number in range(due)]
    rows += [
        _row(f"other-{number:06}", mower_ids[number % len(mower_ids)], DUE_AT + timedelta(minutes=1 + number % 10_000))
        for number in range(others)
    ]
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("CREATE TEMPORARY TABLE given (LIKE scheduler.schedule) ON COMMIT DROP")
        await connection.execute("ALTER TABLE given ALTER draft TYPE text, ALTER permission_skips SET DEFAULT 0")
        await connection.copy_records_to_table("given", columns=_COLUMNS, records=rows)
        names = ", ".join(_COLUMNS)
        values = names.replace("draft", "draft::jsonb")
        await connection.execute(f"INSERT INTO scheduler.schedule ({names}) SELECT {values} FROM given")  # noqa: S608 - our own columns
    await pool.execute("ANALYZE scheduler.schedule")


def _row(schedule_id: str, mower_id: str, due_at: datetime) -> tuple[object, ...]:
    draft = ScheduleDraft(
        name=schedule_id,
        target=Target(mower_id=mower_id),
        recurrence=WeeklyRecurrence(days=WEEKDAYS, at="09:00"),
        duration_minutes=60,
    )
    made_at = DUE_AT - timedelta(days=1)
    return (
        schedule_id,
        "home",
        OWNER,
        msgspec.json.encode(draft).decode(),
        mower_id,
        True,
        "Europe/Berlin",
        due_at,
        due_at.date(),
        made_at,
        OWNER,
        made_at,
        made_at,
    )
