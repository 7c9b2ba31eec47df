"""The only SQL of the device gateway: schema `device_gateway`."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

import asyncpg
import msgspec

from edge_gateway.contracts.device import Setting, SettingsReply
from edge_gateway.contracts.map import MowerMap
from edge_gateway.database.absence import explained
from edge_gateway.database.pools import Connection
from edge_gateway.device_gateway.decisions import Action

JOBS_KEPT = 100
"""Jobs that are remembered per mower."""


class KnownMower(msgspec.Struct, frozen=True, kw_only=True):
    """A mower that was registered from here."""

    mower_id: str
    account_id: str
    provider: str
    vendor_key: str
    vendor_account_id: str | None


class StartedJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job that was started through us."""

    job_id: str
    command_id: str
    started_at: datetime


class OrderInHand(msgspec.Struct, frozen=True, kw_only=True):
    """An order whose first frame was about to leave, or has left, and whose outcome is not known yet."""

    command_id: str
    mower_id: str
    account_id: str
    action: Action
    job_before: str | None
    sent_at: datetime
    motion_expires_at: datetime
    acknowledged_at: datetime | None = None
    job_id: str | None = None


class Repository:
    """Reads and writes the gateway's rows; raises `UnavailableError` (`database_unavailable`) when it cannot."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record]) -> None:
        """Work on this pool."""
        self._pool = pool

    async def save_mower(self, mower: KnownMower) -> None:
        """Remember a mower; a known vendor key takes the id that is given now."""
        async with self._connection() as connection:
            await connection.execute(
                "INSERT INTO device_gateway.mower (mower_id, account_id, provider, vendor_key, vendor_account_id)"
                " VALUES ($1, $2, $3, $4, $5)"
                " ON CONFLICT (provider, vendor_key) DO UPDATE SET mower_id = excluded.mower_id,"
                " account_id = excluded.account_id, vendor_account_id = excluded.vendor_account_id",
                mower.mower_id,
                mower.account_id,
                mower.provider,
                mower.vendor_key,
                mower.vendor_account_id,
            )

    async def mowers(self) -> tuple[KnownMower, ...]:
        """Return all known mowers."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                "SELECT mower_id, account_id, provider, vendor_key, vendor_account_id"
                " FROM device_gateway.mower ORDER BY mower_id"
            )
        return tuple(KnownMower(**row) for row in rows)

    async def save_settings(self, mower_id: str, settings: tuple[Setting, ...]) -> None:
        """Keep the settings of a mower as they are known now."""
        document = msgspec.json.encode(SettingsReply(items=settings)).decode()
        async with self._connection() as connection:
            await connection.execute(
                "UPDATE device_gateway.mower SET settings = $2::jsonb WHERE mower_id = $1", mower_id, document
            )

    async def settings(self, mower_id: str) -> tuple[Setting, ...] | None:
        """Return the settings as they were last known, null when the mower is not known here."""
        async with self._connection() as connection:
            row = await connection.fetchrow(
                "SELECT settings::text FROM device_gateway.mower WHERE mower_id = $1", mower_id
            )
        if row is None:
            return None
        return () if row["settings"] is None else msgspec.json.decode(row["settings"], type=SettingsReply).items

    async def save_map(self, mower_map: MowerMap) -> None:
        """Keep a mower's map."""
        async with self._connection() as connection:
            await connection.execute(
                "INSERT INTO device_gateway.map (mower_id, document) VALUES ($1, $2::jsonb)"
                " ON CONFLICT (mower_id) DO UPDATE SET document = excluded.document",
                mower_map.mower_id,
                msgspec.json.encode(mower_map).decode(),
            )

    async def map(self, mower_id: str) -> MowerMap | None:
        """Return a mower's map, null while none is known."""
        async with self._connection() as connection:
            document = await connection.fetchval(
                "SELECT document::text FROM device_gateway.map WHERE mower_id = $1", mower_id
            )
        return None if document is None else msgspec.json.decode(document, type=MowerMap)

    async def save_job(self, mower_id: str, job: StartedJob) -> None:
        """Remember which command started a job, and forget the mower's oldest ones."""
        async with self._connection() as connection:
            await connection.execute(
                "INSERT INTO device_gateway.job (mower_id, job_id, command_id, started_at) VALUES ($1, $2, $3, $4)"
                " ON CONFLICT (mower_id, job_id) DO NOTHING",
                mower_id,
                job.job_id,
                job.command_id,
                job.started_at,
            )
            await connection.execute(
                "DELETE FROM device_gateway.job WHERE mower_id = $1 AND started_at < (SELECT started_at"
                " FROM device_gateway.job WHERE mower_id = $1 ORDER BY started_at DESC OFFSET $2 LIMIT 1)",
                mower_id,
                JOBS_KEPT - 1,
            )

    async def jobs(self, mower_id: str) -> tuple[StartedJob, ...]:
        """Return the remembered jobs of a mower."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                "SELECT job_id, command_id, started_at FROM device_gateway.job WHERE mower_id = $1", mower_id
            )
        return tuple(StartedJob(**row) for row in rows)

    async def take_in_hand(self, order: OrderInHand) -> None:
        """Record an order whose first frame is about to leave."""
        async with self._connection() as connection:
            await connection.execute(
                "INSERT INTO device_gateway.order_in_hand"
                " (command_id, mower_id, account_id, action, job_before, sent_at, motion_expires_at)"
                " VALUES ($1, $2, $3, $4, $5, $6, $7)",
                order.command_id,
                order.mower_id,
                order.account_id,
                order.action,
                order.job_before,
                order.sent_at,
                order.motion_expires_at,
            )

    async def acknowledged(self, command_id: str, *, at: datetime, job_id: str | None) -> None:
        """Record that the mower said yes, and the job that it started."""
        async with self._connection() as connection:
            await connection.execute(
                "UPDATE device_gateway.order_in_hand SET acknowledged_at = $2, job_id = $3 WHERE command_id = $1",
                command_id,
                at,
                job_id,
            )

    async def let_go(self, command_ids: Sequence[str]) -> None:
        """Forget orders whose outcome is known."""
        async with self._connection() as connection:
            await connection.execute(
                "DELETE FROM device_gateway.order_in_hand WHERE command_id = ANY($1::text[])", command_ids
            )

    async def in_hand(self, mower_id: str) -> tuple[OrderInHand, ...]:
        """Return what an earlier life left in hand, oldest first."""
        async with self._connection() as connection:
            rows = await connection.fetch(
                "SELECT command_id, mower_id, account_id, action, job_before, sent_at, motion_expires_at,"
                " acknowledged_at, job_id FROM device_gateway.order_in_hand WHERE mower_id = $1 ORDER BY sent_at",
                mower_id,
            )
        return tuple(OrderInHand(**{**row, "action": Action(row["action"])}) for row in rows)

    async def save_machine(self, vendor_key: str, machine: str) -> None:
        """Keep a simulated machine (JSON) as it is now."""
        async with self._connection() as connection:
            await connection.execute(
                "INSERT INTO device_gateway.simulated_mower (vendor_key, machine) VALUES ($1, $2::jsonb)"
                " ON CONFLICT (vendor_key) DO UPDATE SET machine = excluded.machine",
                vendor_key,
                machine,
            )

    async def machine(self, vendor_key: str) -> str | None:
        """Return a simulated machine (JSON), null for one that was never kept."""
        async with self._connection() as connection:
            document: str | None = await connection.fetchval(
                "SELECT machine::text FROM device_gateway.simulated_mower WHERE vendor_key = $1", vendor_key
            )
        return document

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        with explained():
            async with self._pool.acquire() as connection:
                yield connection
