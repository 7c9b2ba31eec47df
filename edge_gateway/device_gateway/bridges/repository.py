"""The only SQL of this room: `device_gateway.bridge` and `device_gateway.bluetooth_address`."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime

import asyncpg
import msgspec

from edge_gateway.contracts.errors import ConflictError
from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Connection, Pool
from edge_gateway.database.secrets import SecretBox

_COLUMNS = "id, account_id, name, host, port, key_sealed, expected_mac, created_at"
_CHANGING = ("name", "host", "port", "key_sealed", "expected_mac")


class StoredBridge(msgspec.Struct, frozen=True, kw_only=True):
    """A bridge as it is kept."""

    id: str
    account_id: str
    name: str
    host: str
    port: int
    key_sealed: bytes | None
    expected_mac: str | None
    created_at: datetime


class Repository:
    """Reads and writes bridges; raises `UnavailableError` (`database_unavailable`) when it cannot."""

    def __init__(self, pool: Pool, box: SecretBox) -> None:
        """Work on this pool; seal keys in this box."""
        self._pool = pool
        self._box = box

    def seal(self, bridge_id: str, key: str | None) -> bytes | None:
        """Return a key as it is kept."""
        return None if key is None else self._box.seal(key, purpose=_place(bridge_id))

    def open(self, bridge: StoredBridge) -> str | None:
        """Return a bridge's key; raises `ConfigurationError` (`secret_unreadable`)."""
        return None if bridge.key_sealed is None else self._box.open(bridge.key_sealed, purpose=_place(bridge.id))

    async def bridges(self, account_id: str | None = None) -> tuple[StoredBridge, ...]:
        """Return the bridges of an account (null: all), oldest first."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                f"SELECT {_COLUMNS} FROM device_gateway.bridge"  # noqa: S608  # constant columns
                " WHERE $1::text IS NULL OR account_id = $1 ORDER BY created_at, id",
                account_id,
            )
        return tuple(StoredBridge(**row) for row in rows)

    async def add(self, bridge: StoredBridge) -> None:
        """Keep a new bridge; raises `ConflictError` (`bridge_exists`)."""
        async with self._connection() as connection:
            with _told_apart(bridge):
                await connection.execute(
                    f"INSERT INTO device_gateway.bridge ({_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",  # noqa: S608  # constant columns
                    *msgspec.structs.astuple(bridge),
                )

    async def change(self, before: StoredBridge, after: StoredBridge) -> StoredBridge | None:
        """Write what was changed and nothing else; return the bridge as it is then, null when it is gone meanwhile.

        Raises `ConflictError` (`bridge_exists`).
        """
        changes = {name: getattr(after, name) for name in _CHANGING if getattr(after, name) != getattr(before, name)}
        assigned = "".join(f", {name} = ${place}" for place, name in enumerate(changes, start=2))
        async with self._connection() as connection:
            with _told_apart(after):
                row = await connection.fetchrow(
                    f"UPDATE device_gateway.bridge SET id = id{assigned} WHERE id = $1 RETURNING {_COLUMNS}",  # noqa: S608  # constant columns
                    before.id,
                    *changes.values(),
                )
        return None if row is None else StoredBridge(**row)

    async def remove(self, bridge_id: str) -> None:
        """Forget a bridge."""
        async with self._connection() as connection:
            await connection.execute("DELETE FROM device_gateway.bridge WHERE id = $1", bridge_id)

    async def addresses(self) -> dict[str, str]:
        """Return the Bluetooth address of each mower by its name."""
        async with self._connection() as connection:
            rows = await connection.fetch("SELECT name, address FROM device_gateway.bluetooth_address")
        return {row["name"]: row["address"] for row in rows}

    async def save_address(self, name: str, address: str) -> None:
        """Remember a mower's Bluetooth address."""
        async with self._connection() as connection:
            await connection.execute(
                "INSERT INTO device_gateway.bluetooth_address (name, address) VALUES ($1, $2)"
                " ON CONFLICT (name) DO UPDATE SET address = excluded.address",
                name,
                address,
            )

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        with explained():
            async with self._pool.acquire() as connection:
                yield connection


@contextmanager
def _told_apart(bridge: StoredBridge) -> Iterator[None]:
    try:
        yield
    except asyncpg.UniqueViolationError:
        raise ConflictError(
            "bridge_exists", f"There is a bridge at {bridge.host}:{bridge.port} already.", field="host"
        ) from None


def _place(bridge_id: str) -> str:
    return f"bridge:{bridge_id}:key"
