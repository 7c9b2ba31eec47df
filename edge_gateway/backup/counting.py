"""Counts what a database holds, so that a copy can be compared with what was copied."""

from edge_gateway.backup.manifest import Step, Table
from edge_gateway.database.pools import Connection

_TABLES = """
    SELECT format('%I.%I', namespace.nspname, relation.relname)
    FROM pg_class AS relation JOIN pg_namespace AS namespace ON namespace.oid = relation.relnamespace
    -- Partitions are counted with the table that they are parts of.
    WHERE relation.relkind IN ('r', 'p') AND NOT relation.relispartition
        AND namespace.nspname NOT IN ('pg_catalog', 'information_schema')
    ORDER BY 1
"""
_LIMIT_SECONDS = 3600.0


async def count(connection: Connection) -> dict[str, Table]:
    """Return rows and checksum of every table, as the connection's transaction sees them."""
    tables = [row[0] for row in await connection.fetch(_TABLES)]
    return {table: await _count_one(connection, table) for table in tables}


async def steps(connection: Connection) -> tuple[Step, ...]:
    """Return the migrations that were applied; none: an empty database."""
    if not await connection.fetchval("SELECT to_regclass('migrations.applied') IS NOT NULL"):
        return ()
    rows = await connection.fetch("SELECT schema, number, checksum FROM migrations.applied ORDER BY schema, number")
    return tuple(Step(row["schema"], row["number"], row["checksum"]) for row in rows)


async def _count_one(connection: Connection, table: str) -> Table:
    # Summed as numbers of any size; of that the last digits, which fit a JSON number of any reader.
    row = await connection.fetchrow(
        f"SELECT count(*) AS rows, coalesce(sum(hashtextextended(counted::text, 0)::numeric), 0) AS checksum"  # noqa: S608 - a name that the database itself gave
        f" FROM {table} AS counted",
        timeout=_LIMIT_SECONDS,
    )
    assert row is not None  # noqa: S101 - an aggregate has one row
    return Table(rows=row["rows"], checksum=int(row["checksum"]) % 2**53)
