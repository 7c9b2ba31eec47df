"""What a provider keeps about its mowers over restarts. The only SQL of `device_gateway.vendor_memory`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol, override

import asyncpg

from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Connection


class MemoryStore(Protocol):
    """Where a provider keeps what it knows about its mowers, in its own words."""

    async def load(self, vendor_key: str) -> bytes | None:
        """Return what was kept; raises `UnavailableError` when the database is away."""
        ...

    async def save(self, vendor_key: str, content: bytes) -> None:
        """Keep this; raises `UnavailableError` when the database is away."""
        ...


class VendorMemory(MemoryStore):
    """Keeps it in the database, apart for each provider; it outlives logins."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record], provider: str) -> None:
        """Keep what this provider hands over."""
        self._pool = pool
        self._provider = provider

    @override
    async def load(self, vendor_key: str) -> bytes | None:
        async with self._connection() as connection:
            content: bytes | None = await connection.fetchval(
                "SELECT content FROM device_gateway.vendor_memory WHERE provider = $1 AND vendor_key = $2",
                self._provider,
                vendor_key,
            )
        return content

    @override
    async def save(self, vendor_key: str, content: bytes) -> None:
        async with self._connection() as connection:
            await connection.execute(
                "INSERT INTO device_gateway.vendor_memory (provider, vendor_key, content) VALUES ($1, $2, $3)"
                " ON CONFLICT (provider, vendor_key) DO UPDATE SET content = excluded.content",
                self._provider,
                vendor_key,
                content,
            )

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        with explained():
            async with self._pool.acquire() as connection:
                yield connection
