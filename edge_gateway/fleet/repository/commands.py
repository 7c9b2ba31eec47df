"""The table of commands."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg
import msgspec

from edge_gateway.contracts.commands import Command, CommandBody, CommandStatus
from edge_gateway.contracts.principals import Origin
from edge_gateway.fleet.closing_rules import OpenCommand
from edge_gateway.fleet.repository import Connection

_COLUMNS = """id, account_id, mower_id, body, key, issued_by, origin, schedule_id, issued_at, status, reason, numbers,
    changed_at"""


async def insert(
    connection: Connection, command: Command, *, expires_at: datetime, motion_expires_at: datetime
) -> bool:
    """Record a command; false when its key is taken already (by a request at the same time)."""
    stored = await connection.fetchval(
        """
        INSERT INTO fleet.command (id, account_id, mower_id, body, key, issued_by, origin, schedule_id, issued_at,
            expires_at, motion_expires_at, status, reason, numbers, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        ON CONFLICT (account_id, issued_by, origin, key) DO NOTHING
        RETURNING id
        """,
        command.id,
        command.account_id,
        command.mower_id,
        _json(command.body),
        command.key,
        command.issued_by,
        command.origin,
        command.schedule_id,
        command.issued_at,
        expires_at,
        motion_expires_at,
        command.status,
        command.reason,
        _json(command.values),
        command.changed_at,
    )
    return stored is not None


async def find(connection: Connection, account_id: str, command_id: str, *, lock: bool = False) -> Command | None:
    """Return a command by its id, locked until the end of the transaction when asked for."""
    row = await connection.fetchrow(
        f"SELECT {_COLUMNS} FROM fleet.command WHERE account_id = $1 AND id = $2 {'FOR UPDATE' if lock else ''}",  # noqa: S608  # constants
        account_id,
        command_id,
    )
    return None if row is None else _command(row)


async def find_by_key(
    connection: Connection, account_id: str, issued_by: str, origin: Origin, key: str
) -> Command | None:
    """Return the command that took a key."""
    row = await connection.fetchrow(
        f"""
        SELECT {_COLUMNS} FROM fleet.command
        WHERE account_id = $1 AND issued_by = $2 AND origin = $3 AND key = $4
        """,  # noqa: S608  # constants
        account_id,
        issued_by,
        origin,
        key,
    )
    return None if row is None else _command(row)


async def read_since(
    connection: Connection, account_id: str, mower_id: str, since: datetime, limit: int
) -> Sequence[Command]:
    """Return the orders of a mower that were issued at or after a moment, newest first."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM fleet.command WHERE account_id = $1 AND mower_id = $2 AND issued_at >= $3
        ORDER BY issued_at DESC, id DESC LIMIT $4
        """,  # noqa: S608  # constants
        account_id,
        mower_id,
        since,
        limit,
    )
    return [_command(row) for row in rows]


async def mark_published(connection: Connection, command_id: str, at: datetime) -> None:
    """Record that the bus has the order."""
    await connection.execute("UPDATE fleet.command SET published_at = $2 WHERE id = $1", command_id, at)


async def write_status(connection: Connection, command: Command) -> None:
    """Write how far a command has come; the row is locked by `find`."""
    await connection.execute(
        "UPDATE fleet.command SET status = $2, reason = $3, numbers = $4, changed_at = $5 WHERE id = $1",
        command.id,
        command.status,
        command.reason,
        _json(command.values),
        command.changed_at,
    )


async def read_open(connection: Connection, expired_before: datetime) -> Sequence[OpenCommand]:
    """Return the commands that have not ended and whose time for a beginning is over, oldest first."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS}, expires_at, motion_expires_at, published_at FROM fleet.command
        WHERE status IN ('accepted', 'sent', 'acknowledged') AND expires_at <= $1
        ORDER BY expires_at, id
        LIMIT 500
        """,  # noqa: S608  # constants
        expired_before,
    )
    return [
        OpenCommand(
            command=_command(row),
            expires_at=row["expires_at"],
            motion_expires_at=row["motion_expires_at"],
            published_at=row["published_at"],
        )
        for row in rows
    ]


def _command(row: asyncpg.Record) -> Command:
    return Command(
        id=row["id"],
        account_id=row["account_id"],
        mower_id=row["mower_id"],
        body=msgspec.json.decode(row["body"], type=CommandBody),
        key=row["key"],
        issued_by=row["issued_by"],
        origin=Origin(row["origin"]),
        schedule_id=row["schedule_id"],
        issued_at=row["issued_at"],
        status=CommandStatus(row["status"]),
        reason=row["reason"],
        values=msgspec.json.decode(row["numbers"]),
        changed_at=row["changed_at"],
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
