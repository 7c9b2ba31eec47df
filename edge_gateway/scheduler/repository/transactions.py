"""Connections and short transactions."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from edge_gateway.contracts.errors import ConflictError
from edge_gateway.database import absence
from edge_gateway.database.pools import Connection, Pool

__all__ = ["Connection", "Pool", "connection", "firing", "transaction"]

_BEGIN = "BEGIN; SET LOCAL lock_timeout = '2s'"
"""One round trip."""


@asynccontextmanager
async def connection(pool: Pool) -> AsyncIterator[Connection]:
    """Lend a connection; raises `UnavailableError` (`database_unavailable`, `database_full`)."""
    with absence.explained():
        async with pool.acquire() as lent:
            yield lent


@asynccontextmanager
async def transaction(pool: Pool) -> AsyncIterator[Connection]:
    """Open a transaction that waits at most 2 s for a lock.

    Raises `ConflictError` (`firing`) when a row stays locked, `UnavailableError` as `connection` does.
    """
    try:
        async with connection(pool) as lent:
            await lent.execute(_BEGIN)
            try:
                yield lent
            except BaseException:
                await _roll_back(lent)
                raise
            await lent.execute("COMMIT")
    except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError) as error:
        raise firing() from error


async def _roll_back(lent: Connection) -> None:
    """Undo a transaction; one that cannot be undone ends with its connection."""
    try:
        await lent.execute("ROLLBACK")
    except OSError, asyncpg.PostgresError, asyncpg.InterfaceError:
        lent.terminate()
    except BaseException:
        lent.terminate()
        raise


def firing() -> ConflictError:
    """Return the error for a write that meets a firing."""
    return ConflictError("firing", "The schedule is starting a mower at this moment.", remedy="Try again in a moment.")
