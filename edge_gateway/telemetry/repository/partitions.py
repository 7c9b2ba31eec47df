"""The monthly partitions of the log: made ahead of time, dropped when they are old."""

from datetime import datetime

from edge_gateway.telemetry.months import Month, month_of_table
from edge_gateway.telemetry.repository import Connection

_LOCK = "SELECT pg_advisory_xact_lock(hashtext('telemetry.log'))"


async def make(connection: Connection, month: Month) -> bool:
    """Make a month's partition, with the rows that the default one already holds for it.

    Returns whether it was made now. Replicas exclude each other by an advisory lock.
    """
    async with connection.transaction():
        await connection.execute(_LOCK)
        table = month.table
        if await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", f"telemetry.{table}"):
            return False
        # The name is made of two numbers, so it may stand in the statement.
        await connection.execute(f"CREATE TABLE telemetry.{table} (LIKE telemetry.log INCLUDING ALL)")
        begins_at, ends_at = month.begins_at, month.next().begins_at
        await connection.execute(
            "WITH moved AS (DELETE FROM telemetry.log_default WHERE observed_at >= $1 AND observed_at < $2"  # noqa: S608  # the name is made of two numbers
            f" RETURNING *) INSERT INTO telemetry.{table} SELECT * FROM moved",
            begins_at,
            ends_at,
        )
        await connection.execute(
            f"ALTER TABLE telemetry.log ATTACH PARTITION telemetry.{table}"
            f" FOR VALUES FROM ('{begins_at.isoformat()}') TO ('{ends_at.isoformat()}')"
        )
        return True


async def months(connection: Connection) -> list[Month]:
    """Return the months that have a partition, oldest first."""
    rows = await connection.fetch(
        "SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid"
        " WHERE inhparent = 'telemetry.log'::regclass"
    )
    return sorted(month for row in rows if (month := month_of_table(row["relname"])) is not None)


async def drop(connection: Connection, month: Month) -> None:
    """Drop a month: its space is free at once, and next to none is needed for it."""
    async with connection.transaction():
        await connection.execute(_LOCK)
        await connection.execute(f"DROP TABLE IF EXISTS telemetry.{month.table}")


async def purge_default(connection: Connection, before: datetime) -> None:
    """Delete what the default partition holds from before a moment."""
    await connection.execute("DELETE FROM telemetry.log_default WHERE observed_at < $1", before)


async def note_log_from(connection: Connection, moment: datetime) -> None:
    """Note from when on the log is complete."""
    await connection.execute("UPDATE telemetry.housekeeping SET log_from = $1 WHERE log_from < $1", moment)
