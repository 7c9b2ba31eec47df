"""The rows of schedules and runs by whose they are."""

from collections.abc import Sequence
from datetime import datetime

from edge_gateway.scheduler.repository.transactions import Connection


async def pass_schedules_on(
    connection: Connection, account_id: str, before: str, after: str, now: datetime
) -> Sequence[str]:
    """Give somebody's schedules to somebody else; return their ids. None is read: its draft may be damaged."""
    rows = await connection.fetch(
        """
        UPDATE scheduler.schedule SET owner = $3, permission_skips = 0, changed_at = $4
        WHERE account_id = $1 AND owner = $2 RETURNING id
        """,
        account_id,
        before,
        after,
        now,
    )
    return [row["id"] for row in rows]


async def pass_open_runs_on(connection: Connection, account_id: str, before: str, after: str) -> int:
    """Give somebody's runs that are pending or followed to somebody else; return how many."""
    status = await connection.execute(
        """
        UPDATE scheduler.run SET owner = $3
        WHERE account_id = $1 AND owner = $2 AND (outcome IS NULL OR followed)
        """,
        account_id,
        before,
        after,
    )
    return int(status.rpartition(" ")[2])


async def owners_of_enabled(connection: Connection, account_id: str) -> tuple[str, ...]:
    """Return who owns schedules that are enabled."""
    rows = await connection.fetch(
        "SELECT DISTINCT owner FROM scheduler.schedule WHERE account_id = $1 AND enabled", account_id
    )
    return tuple(row["owner"] for row in rows)
