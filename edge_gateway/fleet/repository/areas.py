"""The tables of maps and areas."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

import asyncpg

from edge_gateway.fleet.map_rules import AreaChanges, KeptArea
from edge_gateway.fleet.repository import Connection


async def read(connection: Connection, mower_ids: Sequence[str]) -> Mapping[str, Sequence[KeptArea]]:
    """Return the areas of these mowers by mower id, in the order of their maps."""
    rows = await connection.fetch(
        """
        SELECT mower_id, id, map_name, given_name, enabled, size_m2, place FROM fleet.area
        WHERE mower_id = ANY($1::text[]) ORDER BY mower_id, place, id
        """,
        list(mower_ids),
    )
    areas: defaultdict[str, list[KeptArea]] = defaultdict(list)
    for row in rows:
        areas[row["mower_id"]].append(_area(row))
    return areas


async def lock(connection: Connection, mower_id: str) -> None:
    """Keep maps of the mower from being followed until the end of the transaction."""
    await connection.execute("SELECT FROM fleet.map WHERE mower_id = $1 FOR UPDATE", mower_id)


async def find(connection: Connection, mower_id: str, area_id: str) -> KeptArea | None:
    """Return an area."""
    row = await connection.fetchrow(
        """
        SELECT id, map_name, given_name, enabled, size_m2, place FROM fleet.area
        WHERE mower_id = $1 AND id = $2
        """,
        mower_id,
        area_id,
    )
    return None if row is None else _area(row)


async def read_of_map(connection: Connection, mower_id: str) -> Sequence[KeptArea] | None:
    """Return a mower's areas in the order of its map; null when none ever came."""
    rows = await connection.fetch(
        """
        SELECT area.id, map_name, given_name, enabled, size_m2, place
        FROM fleet.map LEFT JOIN fleet.area USING (mower_id) WHERE map.mower_id = $1 ORDER BY place, area.id
        """,
        mower_id,
    )
    return [_area(row) for row in rows if row["id"] is not None] if rows else None


async def take_map(connection: Connection, mower_id: str, observed_at: datetime, *, now: datetime) -> bool:
    """Record that a map came, and lock its mower's areas for the transaction; false when a newer one came before.

    One from more than a minute ahead of `now` came from a wrong clock and does not count.
    """
    taken = await connection.fetchval(
        """
        INSERT INTO fleet.map (mower_id, observed_at) VALUES ($1, $2)
        ON CONFLICT (mower_id) DO UPDATE SET observed_at = excluded.observed_at
        WHERE map.observed_at <= excluded.observed_at OR map.observed_at > $3::timestamptz + interval '60 seconds'
        RETURNING mower_id
        """,
        mower_id,
        observed_at,
        now,
    )
    return taken is not None


async def write(connection: Connection, mower_id: str, changes: AreaChanges) -> None:
    """Write what a map or the owner changed."""
    await connection.executemany(
        """
        INSERT INTO fleet.area (mower_id, id, map_name, given_name, enabled, size_m2, place)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (mower_id, id) DO UPDATE SET
            map_name = excluded.map_name, given_name = excluded.given_name, enabled = excluded.enabled,
            size_m2 = excluded.size_m2, place = excluded.place
        """,
        [
            (mower_id, area.id, area.map_name, area.given_name, area.enabled, area.size_m2, area.place)
            for area in changes.put
        ],
    )
    await connection.execute(
        "DELETE FROM fleet.area WHERE mower_id = $1 AND id = ANY($2::text[])", mower_id, list(changes.removed)
    )


def _area(row: asyncpg.Record) -> KeptArea:
    return KeptArea(
        id=row["id"],
        map_name=row["map_name"],
        given_name=row["given_name"],
        enabled=row["enabled"],
        size_m2=row["size_m2"],
        place=row["place"],
    )
