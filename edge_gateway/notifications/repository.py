"""The only SQL of Notifications."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import asyncpg
import msgspec

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.map import MowerMap
from edge_gateway.database.pools import Connection
from edge_gateway.notifications.geofence import Drawn
from edge_gateway.notifications.watch import Watch

SCHEMA = "notifications"


class WatchRow(msgspec.Struct, frozen=True, kw_only=True):
    """One mower, locked: what is remembered of it, and which geofence it has."""

    watch: Watch
    site_id: str
    geofence_version: str
    """Changes with each change of the geofence that counts for the mower."""


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """What a mower's geofence is made of: what the owner drew, else the map."""

    drawn: Drawn | None
    map: MowerMap | None


async def claim_intake(connection: Connection, fence: int) -> None:
    """Let only the newest holder of the lease write; raises `UnavailableError` (`lease_lost`)."""
    stored = await connection.fetchval(
        """
        INSERT INTO notifications.intake (number, fence) VALUES (0, $1)
        ON CONFLICT (number) DO UPDATE SET fence = greatest(intake.fence, excluded.fence)
        RETURNING fence
        """,
        fence,
    )
    if stored > fence:
        raise UnavailableError(
            "lease_lost", "Another copy of Notifications has taken over.", values={"fence": fence, "stored": stored}
        )


async def known_mowers(connection: Connection, mower_ids: Sequence[str]) -> frozenset[str]:
    """Return the known ones among some mowers."""
    rows = await connection.fetch(
        "SELECT mower_id FROM notifications.directory WHERE mower_id = ANY($1)", list(mower_ids)
    )
    return frozenset(row["mower_id"] for row in rows)


async def put_mower(connection: Connection, mower_id: str, account_id: str, site_id: str) -> None:
    """Remember a mower; a new one gets its watch."""
    watch = Watch(mower_id=mower_id, account_id=account_id)
    await connection.execute(
        """
        WITH mower AS (
            INSERT INTO notifications.directory (mower_id, account_id, site_id) VALUES ($1, $2, $3)
            ON CONFLICT (mower_id) DO UPDATE SET account_id = excluded.account_id, site_id = excluded.site_id
            RETURNING mower_id)
        INSERT INTO notifications.watch (mower_id, document) SELECT mower_id, $4 FROM mower ON CONFLICT DO NOTHING
        """,
        mower_id,
        account_id,
        site_id,
        msgspec.json.encode(watch),
    )


async def forget_mower(connection: Connection, mower_id: str) -> None:
    """Forget a mower that the fleet has no more, and all that belongs to it."""
    await connection.execute("DELETE FROM notifications.directory WHERE mower_id = $1", mower_id)
    await connection.execute("DELETE FROM notifications.map WHERE mower_id = $1", mower_id)
    await connection.execute("DELETE FROM notifications.geofence WHERE kind = 'mower' AND id = $1", mower_id)


_LOCK_WATCHES = """
SELECT watch.mower_id, watch.document, directory.site_id,
    coalesce('mower:' || own.version, 'site:' || site.version, 'map:' || map.observed_at, 'none') AS geofence_version
FROM notifications.watch
JOIN notifications.directory USING (mower_id)
LEFT JOIN notifications.geofence own
    ON own.account_id = directory.account_id AND own.kind = 'mower' AND own.id = directory.mower_id
LEFT JOIN notifications.geofence site
    ON site.account_id = directory.account_id AND site.kind = 'site' AND site.id = directory.site_id
LEFT JOIN notifications.map ON map.mower_id = directory.mower_id
"""


async def lock_watches(connection: Connection, mower_ids: Sequence[str]) -> dict[str, WatchRow]:
    """Return the watches of some mowers, locked in the order of their ids."""
    rows = await connection.fetch(
        f"{_LOCK_WATCHES} WHERE watch.mower_id = ANY($1) ORDER BY watch.mower_id FOR UPDATE OF watch",
        list(mower_ids),
    )
    return {row["mower_id"]: _watch_row(row) for row in rows}


async def due_mowers(connection: Connection, until: datetime, *, limit: int) -> tuple[str, ...]:
    """Return mowers of which a condition turns by itself until then, in the order of their ids."""
    rows = await connection.fetch(
        "SELECT mower_id FROM notifications.watch WHERE due_at <= $1 ORDER BY mower_id LIMIT $2", until, limit
    )
    return tuple(row["mower_id"] for row in rows)


async def put_watches(connection: Connection, watches: Mapping[str, tuple[Watch, datetime | None]]) -> None:
    """Write watches that changed, each with when it is due."""
    if not watches:
        return
    mower_ids = sorted(watches)
    await connection.execute(
        """
        UPDATE notifications.watch SET document = changed.document, due_at = changed.due_at
        FROM unnest($1::text[], $2::bytea[], $3::timestamptz[]) AS changed (mower_id, document, due_at)
        WHERE watch.mower_id = changed.mower_id
        """,
        mower_ids,
        [msgspec.json.encode(watches[mower_id][0]) for mower_id in mower_ids],
        [watches[mower_id][1] for mower_id in mower_ids],
    )


async def read_watches(connection: Connection, account_id: str) -> tuple[Watch, ...]:
    """Return the watches of an account, without locks."""
    rows = await connection.fetch(
        """
        SELECT document FROM notifications.watch JOIN notifications.directory USING (mower_id)
        WHERE account_id = $1 ORDER BY mower_id
        """,
        account_id,
    )
    return tuple(msgspec.json.decode(row["document"], type=Watch) for row in rows)


async def put_map(connection: Connection, mower_map: MowerMap) -> None:
    """Keep a mower's map unless a newer one is kept."""
    await connection.execute(
        """
        INSERT INTO notifications.map (mower_id, observed_at, document) VALUES ($1, $2, $3)
        ON CONFLICT (mower_id) DO UPDATE SET observed_at = excluded.observed_at, document = excluded.document
        WHERE map.observed_at < excluded.observed_at
        """,
        mower_map.mower_id,
        mower_map.observed_at,
        msgspec.json.encode(mower_map),
    )


async def read_ground(connection: Connection, account_id: str, mower_id: str, site_id: str) -> Ground:
    """Return what a mower's geofence is made of."""
    drawn = await read_geofence(connection, account_id, "mower", mower_id)
    drawn = drawn or await read_geofence(connection, account_id, "site", site_id)
    document = await connection.fetchval("SELECT document FROM notifications.map WHERE mower_id = $1", mower_id)
    return Ground(drawn=drawn, map=None if document is None else msgspec.json.decode(document, type=MowerMap))


async def put_geofence(connection: Connection, account_id: str, kind: str, thing_id: str, drawn: Drawn) -> None:
    """Keep what the owner drew, as a new version."""
    await connection.execute(
        """
        INSERT INTO notifications.geofence (account_id, kind, id, document) VALUES ($1, $2, $3, $4)
        ON CONFLICT (account_id, kind, id) DO UPDATE SET document = excluded.document, version = DEFAULT
        """,
        account_id,
        kind,
        thing_id,
        msgspec.json.encode(drawn),
    )


async def read_geofence(connection: Connection, account_id: str, kind: str, thing_id: str) -> Drawn | None:
    """Return what the owner drew for a mower or a site."""
    document = await connection.fetchval(
        "SELECT document FROM notifications.geofence WHERE account_id = $1 AND kind = $2 AND id = $3",
        account_id,
        kind,
        thing_id,
    )
    return None if document is None else msgspec.json.decode(document, type=Drawn)


async def delete_geofence(connection: Connection, account_id: str, kind: str, thing_id: str) -> None:
    """Forget what the owner drew."""
    await connection.execute(
        "DELETE FROM notifications.geofence WHERE account_id = $1 AND kind = $2 AND id = $3",
        account_id,
        kind,
        thing_id,
    )


def _watch_row(row: asyncpg.Record) -> WatchRow:
    return WatchRow(
        watch=msgspec.json.decode(row["document"], type=Watch),
        site_id=row["site_id"],
        geofence_version=row["geofence_version"],
    )
