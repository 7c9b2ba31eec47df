"""The tables of mowers and of whether they are reached."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg
import msgspec

from edge_gateway.contracts.fleet import RegisterMowerRequest
from edge_gateway.contracts.mower import Mower, MowerAvailability
from edge_gateway.fleet.repository import Connection

_COLUMNS = """id, account_id, name, provider, vendor_key, vendor_account_id, model, firmware_version,
    newest_firmware_version, serial_number, site_id, obey_rain, created_at"""


class Reach(msgspec.Struct, frozen=True):
    """Whether a mower is reached, and why not."""

    available: bool
    reason: str | None


async def read_all(connection: Connection, account_id: str) -> Sequence[Mower]:
    """Return the mowers of an account in the order of their names."""
    rows = await connection.fetch(
        f"SELECT {_COLUMNS} FROM fleet.mower WHERE account_id = $1 ORDER BY name, id",  # noqa: S608  # constants
        account_id,
    )
    return [_mower(row) for row in rows]


async def find(connection: Connection, account_id: str, mower_id: str, *, lock: bool = False) -> Mower | None:
    """Return a mower, locked until the end of the transaction when asked for."""
    row = await connection.fetchrow(
        f"SELECT {_COLUMNS} FROM fleet.mower WHERE account_id = $1 AND id = $2 {'FOR UPDATE' if lock else ''}",  # noqa: S608  # constants
        account_id,
        mower_id,
    )
    return None if row is None else _mower(row)


async def find_by_vendor_key(connection: Connection, request: RegisterMowerRequest) -> Mower | None:
    """Return the mower that a vendor key stands for, locked until the end of the transaction."""
    row = await connection.fetchrow(
        f"""
        SELECT {_COLUMNS} FROM fleet.mower
        WHERE account_id = $1 AND provider = $2 AND vendor_key = $3 FOR UPDATE
        """,  # noqa: S608  # constants
        request.account_id,
        request.provider,
        request.vendor_key,
    )
    return None if row is None else _mower(row)


async def insert(connection: Connection, mower: Mower) -> bool:
    """Write a new mower; false when its vendor key is taken already (by a request at the same time)."""
    stored = await connection.fetchval(
        """
        INSERT INTO fleet.mower (id, account_id, name, provider, vendor_key, vendor_account_id, model,
            firmware_version, newest_firmware_version, serial_number, site_id, obey_rain, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        ON CONFLICT (account_id, provider, vendor_key) DO NOTHING
        RETURNING id
        """,
        mower.id,
        mower.account_id,
        mower.name,
        mower.provider,
        mower.vendor_key,
        mower.vendor_account_id,
        mower.model,
        mower.firmware_version,
        mower.newest_firmware_version,
        mower.serial_number,
        mower.site_id,
        mower.obey_rain,
        mower.created_at,
    )
    return stored is not None


async def update(connection: Connection, mower: Mower) -> None:
    """Write what may change of a mower."""
    await connection.execute(
        """
        UPDATE fleet.mower SET name = $2, vendor_account_id = $3, model = $4, firmware_version = $5,
            newest_firmware_version = $6, serial_number = $7, site_id = $8, obey_rain = $9
        WHERE id = $1
        """,
        mower.id,
        mower.name,
        mower.vendor_account_id,
        mower.model,
        mower.firmware_version,
        mower.newest_firmware_version,
        mower.serial_number,
        mower.site_id,
        mower.obey_rain,
    )


async def put_availability(connection: Connection, availability: MowerAvailability, *, now: datetime) -> None:
    """Write whether a mower is reached, unless something newer is known.

    What is known from more than a minute ahead of `now` came from a wrong clock and does not count.
    """
    await connection.execute(
        """
        INSERT INTO fleet.availability (mower_id, available, reason, changed_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (mower_id) DO UPDATE SET
            available = excluded.available, reason = excluded.reason, changed_at = excluded.changed_at
        WHERE availability.changed_at <= excluded.changed_at
            OR availability.changed_at > $5::timestamptz + interval '60 seconds'
        """,
        availability.mower_id,
        availability.available,
        availability.reason,
        availability.changed_at,
        now,
    )


async def find_reach(connection: Connection, mower_id: str) -> Reach | None:
    """Return whether a mower is reached; null when nothing was ever heard of it."""
    row = await connection.fetchrow("SELECT available, reason FROM fleet.availability WHERE mower_id = $1", mower_id)
    return None if row is None else Reach(row["available"], row["reason"])


def _mower(row: asyncpg.Record) -> Mower:
    return Mower(**dict(row))
