"""Databases that are lent from test to test: each is made and migrated once per run and then given back as it was made.

Making and migrating one takes longer than most tests do. What tests left is deleted, also the connections; a database
whose tables, functions or triggers were changed is thrown away.
"""

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
import msgspec

from edge_gateway.database.migrations import migrate
from edge_gateway.embedded.postgres_server import PostgresServer
from tests.background_loop import BackgroundLoop

_numbers = itertools.count()

_TABLES = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname = ANY($1::text[]) ORDER BY 1, 2"
_SHAPE = """
    SELECT format('%s %s %s %s', (SELECT count(*) FROM pg_class WHERE relpersistence <> 't'),
        (SELECT count(*) FROM pg_proc), (SELECT count(*) FROM pg_trigger), (SELECT count(*) FROM pg_constraint))
"""
_END_OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
_EMPTY = """
    -- No trigger and no foreign key looks at what is deleted.
    SET session_replication_role = replica;
    DO $$
    DECLARE
        name text;
    BEGIN
        FOREACH name IN ARRAY string_to_array('{tables}', ' ') LOOP
            -- Rows that many leave behind would slow later tests.
            IF pg_relation_size(name::regclass) > {bloated_bytes} THEN
                EXECUTE 'TRUNCATE ' || name || ' CASCADE';
            ELSE
                EXECUTE 'DELETE FROM ' || name;
            END IF;
        END LOOP;
        PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
            FROM pg_sequences WHERE last_value IS NOT NULL;
    END $$
"""
_BLOATED_BYTES = 256 * 1024


class _Made(msgspec.Struct, frozen=True):
    """A database as it was made."""

    name: str
    url: str
    shape: str
    empty: str
    """The script that empties its tables."""
    rows: dict[str, list[str]]
    """What migrations put into tables, each row as JSON."""


class Databases:
    """Lends databases of one server, one at a time for each set of schemas."""

    def __init__(self, server: PostgresServer, loop: BackgroundLoop) -> None:
        """Make nothing yet."""
        self._administration = server.database_url("postgres")
        self._server = server
        self._loop = loop
        self._free: dict[tuple[str, ...], list[_Made]] = {}

    @contextmanager
    def lent(self, *schemas: str) -> Iterator[str]:
        """Lend the address of a database with these schemas in which nothing has happened."""
        free = self._free.setdefault(schemas, [])
        made = free.pop() if free else None
        if made is None or not self._loop.run(self._rewound(made)):
            made = self._loop.run(self._make(schemas))
        yield made.url
        free.append(made)

    async def _make(self, schemas: tuple[str, ...]) -> _Made:
        name = f"lent_{next(_numbers)}"
        await execute(self._administration, f"CREATE DATABASE {name} STRATEGY file_copy")
        url = self._server.database_url(name)
        await migrate(url, schemas)
        connection = await asyncpg.connect(url)
        try:
            found = await connection.fetch(_TABLES, list(schemas))
            tables = [f"{row['schemaname']}.{row['tablename']}" for row in found]
            return _Made(
                name=name,
                url=url,
                shape=await connection.fetchval(_SHAPE),
                empty=_EMPTY.format(tables=" ".join(tables), bloated_bytes=_BLOATED_BYTES),
                rows={table: rows for table in tables if (rows := await _rows(connection, table))},
            )
        finally:
            await connection.close()

    async def _rewound(self, made: _Made) -> bool:
        """Bring a database back to what it was; false when it was changed so that it is gone now."""
        connection = await asyncpg.connect(made.url)
        try:
            await connection.execute(_END_OTHERS)
            if await connection.fetchval(_SHAPE) == made.shape:
                await connection.execute(made.empty)
                for table, rows in made.rows.items():
                    await _put_back(connection, table, rows)
                return True
        finally:
            await connection.close()
        await execute(self._administration, f"DROP DATABASE {made.name} WITH (FORCE)")
        return False


async def execute(url: str, statement: str) -> None:
    """Run one statement on a connection of its own."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await asyncio.shield(connection.close())


async def _rows(connection: asyncpg.Connection[asyncpg.Record], table: str) -> list[str]:
    return [row[0] for row in await connection.fetch(f"SELECT to_jsonb(made)::text FROM {table} AS made")]  # noqa: S608  # our own tables


async def _put_back(connection: asyncpg.Connection[asyncpg.Record], table: str, rows: list[str]) -> None:
    await connection.execute(
        f"INSERT INTO {table} OVERRIDING SYSTEM VALUE"  # our own tables
        f" SELECT (jsonb_populate_record(NULL::{table}, unnest($1::text[])::jsonb)).*",
        rows,
    )
