"""Where states are stored: PostgreSQL, through one connection that is kept for writing."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import Protocol, override

import asyncpg

from edge_gateway.bus import outbox
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.telemetry.book import Book
from edge_gateway.telemetry.repository import SCHEMA, Connection, books, directory
from edge_gateway.telemetry.repository.books import Claim
from edge_gateway.telemetry.repository.directory import DirectoryEntry
from edge_gateway.telemetry.repository.shelf import Shelf
from edge_gateway.telemetry.repository.words import Words
from edge_gateway.telemetry.settings import TelemetrySettings


class OpenBooks:
    """The books of a batch's mowers, and what follows from its states, in their order."""

    def __init__(self, by_mower: Mapping[str, Book], events: list[Envelope]) -> None:
        """Hand the books over."""
        self.by_mower = by_mower
        """A mower that nobody knows has none."""
        self.events = events


class Store(Protocol):
    """What the ingest needs of a store."""

    async def known(self, mower_ids: Sequence[str]) -> frozenset[str]:
        """Return those of some mowers that the directory has."""
        ...

    async def put_mower(self, entry: DirectoryEntry) -> None:
        """Add a mower to the directory."""
        ...

    def open(
        self, claim: Claim, named_jobs: Mapping[str, Collection[str]], texts: Collection[str], *, careful: bool = False
    ) -> AbstractAsyncContextManager[OpenBooks]:
        """Open the books of mowers (the keys, in order); leaving the context stores all that they changed, or nothing.

        `named_jobs` are the jobs that the states name, `texts` all texts of the log's rows. `careful` stores newer rows
        like late ones: one that is there already stays.
        """
        ...


class PostgresStore(Store):
    """See `Store`."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record], settings: TelemetrySettings) -> None:
        """Store through a connection of the pool, taken when it is first needed."""
        self._pool = pool
        self._shelf = Shelf(caps=settings.interval_caps, blade_life=timedelta(hours=settings.blade_life_hours))
        self._words = Words()
        self._connection: asyncpg.pool.PoolConnectionProxy[asyncpg.Record] | None = None

    @override
    async def known(self, mower_ids: Sequence[str]) -> frozenset[str]:
        async with self._pool.acquire() as connection:
            return await directory.known_mowers(connection, mower_ids)

    @override
    async def put_mower(self, entry: DirectoryEntry) -> None:
        async with self._pool.acquire() as connection:
            await directory.put_mower(connection, entry)

    @override
    @asynccontextmanager
    async def open(
        self, claim: Claim, named_jobs: Mapping[str, Collection[str]], texts: Collection[str], *, careful: bool = False
    ) -> AsyncIterator[OpenBooks]:
        connection = await self._kept()
        try:
            await self._words.learn(connection, texts)
            async with connection.transaction():
                by_mower = await books.open_books(connection, claim, named_jobs, self._shelf)
                opened = OpenBooks(by_mower, [])
                yield opened
                await books.close_books(
                    connection, by_mower.values(), self._words.numbers, self._shelf, careful=careful
                )
                await outbox.put_all(connection, SCHEMA, [(event.type, event) for event in opened.events])
        except asyncpg.DataError, asyncpg.IntegrityConstraintViolationError:
            # The batch is at fault, not the connection.
            self._shelf.forget()
            raise
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Give the connection back; the next batch takes another, and reads its books anew."""
        self._shelf.forget()
        connection, self._connection = self._connection, None
        if connection is not None:
            await self._pool.release(connection)

    async def _kept(self) -> Connection:
        """Return the connection: a pool's own is reset after each use, which costs a transaction."""
        if self._connection is not None and not _is_usable(self._connection):
            await self.close()
        if self._connection is None:
            self._connection = await self._pool.acquire()
        return self._connection


def _is_usable(connection: asyncpg.pool.PoolConnectionProxy[asyncpg.Record]) -> bool:
    try:
        return not connection.is_closed()
    except asyncpg.InterfaceError:
        # Its server went while it was idle: the pool has taken it back.
        return False
