"""The rows of orders to mowers whose run is under way."""

from collections.abc import Sequence

import asyncpg

from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.scheduler.records import FollowUpRecord
from edge_gateway.scheduler.repository.transactions import Connection

_NAMES = FollowUpRecord.__struct_fields__
_COLUMNS = ", ".join(_NAMES)
_PLACES = ", ".join(f"${place}" for place in range(1, len(_NAMES) + 1))
_PUT = f"""
    INSERT INTO scheduler.follow_up ({_COLUMNS}) VALUES ({_PLACES})
    ON CONFLICT (run_id, cause, attempt) DO UPDATE SET
        issued_by = excluded.issued_by, command_id = excluded.command_id, status = excluded.status,
        reason = excluded.reason, refusals = excluded.refusals, look_again_at = excluded.look_again_at
"""  # noqa: S608  # our own columns


async def of_run(connection: Connection, run_id: str) -> Sequence[FollowUpRecord]:
    """Return what was ordered for a run, oldest first."""
    rows = await connection.fetch(
        f"SELECT {_COLUMNS} FROM scheduler.follow_up WHERE run_id = $1 ORDER BY asked_at, attempt",  # noqa: S608  # our own columns
        run_id,
    )
    return [_record(row) for row in rows]


async def put(connection: Connection, order: FollowUpRecord) -> None:
    """Write an order, new or known; its run is locked."""
    await connection.execute(_PUT, *(getattr(order, name) for name in _NAMES))


def _record(row: asyncpg.Record) -> FollowUpRecord:
    status = row["status"]
    return FollowUpRecord(
        **dict(row) | {"kind": CommandKind(row["kind"]), "status": None if status is None else CommandStatus(status)}
    )
