"""The only SQL of the links' preferences: `device_gateway.mower_links`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Connection, Pool
from edge_gateway.device_gateway.link_preference import LinkPreference


class LinkRepository:
    """Reads and writes preferences; raises `UnavailableError` (`database_unavailable`) when it cannot."""

    def __init__(self, pool: Pool) -> None:
        """Work on this pool."""
        self._pool = pool

    async def preference(self, mower_id: str) -> LinkPreference:
        """Return how a mower's links are used; the default when nobody said."""
        async with self._connection() as connection:
            row = await connection.fetchrow(
                "SELECT link_order, released_until FROM device_gateway.mower_links WHERE mower_id = $1", mower_id
            )
        return LinkPreference() if row is None else _preference(row)

    async def preferences(self) -> dict[str, LinkPreference]:
        """Return every preference that somebody set, by mower."""
        async with self._connection() as connection:
            rows = await connection.fetch("SELECT mower_id, link_order, released_until FROM device_gateway.mower_links")
        return {row["mower_id"]: _preference(row) for row in rows}

    async def save(self, mower_id: str, preference: LinkPreference) -> None:
        """Keep a preference."""
        async with self._connection() as connection:
            await connection.execute(
                "INSERT INTO device_gateway.mower_links (mower_id, link_order, released_until) VALUES ($1, $2, $3)"
                " ON CONFLICT (mower_id) DO UPDATE SET link_order = excluded.link_order,"
                " released_until = excluded.released_until",
                mower_id,
                [str(kind) for kind in preference.order],
                preference.released_until,
            )

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        with explained():
            async with self._pool.acquire() as connection:
                yield connection


def _preference(row: asyncpg.Record) -> LinkPreference:
    order = tuple(LinkKind(kind) for kind in row["link_order"])
    return LinkPreference(order=order, released_until=row["released_until"])
