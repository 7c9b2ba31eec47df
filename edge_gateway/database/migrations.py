"""Brings the database's schemas forward to what the program needs; never back.

Each file runs in one transaction together with the line that records it: an interruption at any moment leaves a file
either done or not begun, and the next start continues. Several copies of the program take turns.
"""

from collections.abc import Sequence
from pathlib import Path

import structlog

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.database import migration_files, pools
from edge_gateway.database.migration_files import Migration
from edge_gateway.database.pools import Connection

_log = structlog.get_logger(__name__)

_LOCK = 0x4D6F_7744_6563_6B
"""The advisory lock of the runner ("MowDeck" in ASCII)."""
_FILE_SECONDS = 3600.0
"""A step that rewrites years of history on an SD card is allowed its time."""
_WAIT_SECONDS = 60.0
"""For a server elsewhere that is just starting."""


async def migrate(
    database: str | Connection, schemas: Sequence[str], *, folder: Path = migration_files.FOLDER
) -> list[Migration]:
    """Apply what is missing, schema after schema, and return it.

    `database` is an address or a connection. Raises `ConfigurationError`: `database_newer` when a newer program was
    here, `migration_changed` when an applied file differs from the program's; nothing is changed then.
    """
    wanted = {schema: migration_files.read(schema, folder) for schema in schemas}
    if not isinstance(database, str):
        return await _locked(database, wanted)
    connection = await pools.connect(database, application_name="mowdeck migrations", wait_seconds=_WAIT_SECONDS)
    try:
        return await _locked(connection, wanted)
    finally:
        # An interrupted file ends with its session: the server rolls it back.
        await connection.close(timeout=5)


async def _locked(connection: Connection, wanted: dict[str, list[Migration]]) -> list[Migration]:
    await connection.execute("SELECT pg_advisory_lock($1)", _LOCK, timeout=_FILE_SECONDS)
    try:
        await connection.execute("""
            CREATE SCHEMA IF NOT EXISTS migrations;
            CREATE TABLE IF NOT EXISTS migrations.applied (
                schema text NOT NULL,
                number integer NOT NULL,
                name text NOT NULL,
                checksum text NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now(),
                PRIMARY KEY (schema, number)
            )
        """)
        missing = [
            migration
            for schema, migrations in wanted.items()
            for migration in migrations[await _applied(connection, schema, migrations) :]
        ]
        for migration in missing:
            await _apply(connection, migration)
        return missing
    finally:
        if not connection.is_closed():
            await connection.execute("SELECT pg_advisory_unlock($1)", _LOCK)


async def _applied(connection: Connection, schema: str, migrations: Sequence[Migration]) -> int:
    """Return how many are applied, after a look whether they are the ones that the program knows."""
    rows = await connection.fetch(
        "SELECT number, name, checksum FROM migrations.applied WHERE schema = $1 ORDER BY number", schema
    )
    if len(rows) > len(migrations):
        newest = rows[-1]
        raise ConfigurationError(
            code="database_newer",
            detail=f"The database was brought forward by a newer version of the program: {schema} is at "
            f"{newest['number']:04d}_{newest['name']}, this version knows it up to {len(migrations):04d}.",
            remedy="Nothing was changed. Use that version again, or restore a backup that this version made.",
        )
    for row, migration in zip(rows, migrations, strict=False):
        if (row["number"], row["checksum"]) != (migration.number, migration.checksum):
            raise ConfigurationError(
                code="migration_changed",
                detail=f"The migration {migration} is not the one that the database was made with.",
                remedy="Nothing was changed. Install an unchanged release of the program.",
            )
    return len(rows)


async def _apply(connection: Connection, migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{migration.schema}"')
        # Every name in a file carries its schema; one that does not finds nothing.
        await connection.execute("SET LOCAL search_path = ''")
        await connection.execute(migration.sql, timeout=_FILE_SECONDS)
        await connection.execute(
            "INSERT INTO migrations.applied (schema, number, name, checksum) VALUES ($1, $2, $3, $4)",
            migration.schema,
            migration.number,
            migration.name,
            migration.checksum,
        )
    _log.info("database brought forward", migration=str(migration))
