"""The copies of Telemetry that live. The database's clock counts, which all of them share."""

from datetime import timedelta

from edge_gateway.telemetry.repository import Connection

_NOTE = """
INSERT INTO telemetry.replica (instance_id, seen_at) VALUES ($1, now())
ON CONFLICT (instance_id) DO UPDATE SET seen_at = excluded.seen_at
"""
_FORGET_GONE = "DELETE FROM telemetry.replica WHERE seen_at < now() - $1::interval"
_READ = "SELECT instance_id FROM telemetry.replica ORDER BY instance_id"
_FORGET = "DELETE FROM telemetry.replica WHERE instance_id = $1"


async def note(connection: Connection, instance_id: str, *, gone_after: timedelta) -> tuple[str, ...]:
    """Note that a replica lives; return all that do, without those that were silent for so long."""
    async with connection.transaction():
        await connection.execute(_NOTE, instance_id)
        await connection.execute(_FORGET_GONE, gone_after)
        return tuple(row["instance_id"] for row in await connection.fetch(_READ))


async def forget(connection: Connection, instance_id: str) -> None:
    """Forget a replica that stops."""
    await connection.execute(_FORGET, instance_id)
