"""The only SQL of the links' preferences: `device_gateway.mower_links`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

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

    async def save_order(self, mower_id: str, order: tuple[LinkKind, ...]) -> LinkPreference:
        """Keep an order; return the whole preference: for how long Bluetooth is released stays as it is."""
        return await self._save(mower_id, LinkPreference(order=order), "link_order")

    async def save_release(self, mower_id: str, released_until: datetime | None) -> LinkPreference:
        """Keep for how long Bluetooth is released; return the whole preference: the order stays as it is."""
        return await self._save(mower_id, LinkPreference(released_until=released_until), "released_until")

    async def _save(self, mower_id: str, preference: LinkPreference, column: str) -> LinkPreference:
        """Write one column where there is a row already: somebody else may be writing the other one."""
        async with self._connection() as connection:
            row = await connection.fetchrow(
                "INSERT INTO device_gateway.mower_links (mower_id, link_order, released_until) VALUES ($1, $2, $3)"  # noqa: S608  # constant column
                f" ON CONFLICT (mower_id) DO UPDATE SET {column} = excluded.{column} RETURNING *",
                mower_id,
                [str(kind) for kind in preference.order],
                preference.released_until,
            )
        assert row is not None  # noqa: S101  # an upsert always returns its row
        return _preference(row)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        with explained():
            async with self._pool.acquire() as connection:
                yield connection


def _preference(row: asyncpg.Record) -> LinkPreference:
    order = tuple(LinkKind(kind) for kind in row["link_order"])
    return LinkPreference(order=order, released_until=row["released_until"])
