"""Makes the monthly partitions of the log ahead of time."""

import asyncpg

from edge_gateway.telemetry.months import Month


class Partitions:
    """The partitions of `telemetry.log`."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record]) -> None:
        """Work through a pool."""
        self._pool = pool

    async def make(self, month: Month) -> bool:
        """Make a month's partition, with the rows that the default one already holds for it.

        Returns whether it was made now. Replicas exclude each other by an advisory lock.
        """
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(hashtext('telemetry.log'))")
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
