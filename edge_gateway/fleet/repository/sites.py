"""The table of sites."""

from collections.abc import Sequence

import asyncpg
import msgspec

from edge_gateway.contracts.fleet import Site, SiteRain
from edge_gateway.contracts.quiet_hours import QuietHours
from edge_gateway.fleet.repository import Connection

_COLUMNS = "id, account_id, name, time_zone, time_zone_chosen, latitude, longitude, rain, weather_source, quiet_hours"


async def read_all(connection: Connection, account_id: str) -> Sequence[Site]:
    """Return the sites of an account in the order of their names."""
    rows = await connection.fetch(
        f"SELECT {_COLUMNS} FROM fleet.site WHERE account_id = $1 ORDER BY name, id",  # noqa: S608  # constants
        account_id,
    )
    return [_site(row) for row in rows]


async def find(connection: Connection, account_id: str, site_id: str, *, lock: bool = False) -> Site | None:
    """Return a site, locked until the end of the transaction when asked for."""
    row = await connection.fetchrow(
        f"SELECT {_COLUMNS} FROM fleet.site WHERE account_id = $1 AND id = $2 {'FOR UPDATE' if lock else ''}",  # noqa: S608  # constants
        account_id,
        site_id,
    )
    return None if row is None else _site(row)


async def put(connection: Connection, site: Site) -> None:
    """Write a site, new or known."""
    await connection.execute(
        """
        INSERT INTO fleet.site (account_id, id, name, time_zone, time_zone_chosen, latitude, longitude,
            rain, weather_source, quiet_hours)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (account_id, id) DO UPDATE SET
            name = excluded.name, time_zone = excluded.time_zone, time_zone_chosen = excluded.time_zone_chosen,
            latitude = excluded.latitude, longitude = excluded.longitude,
            rain = excluded.rain, weather_source = excluded.weather_source, quiet_hours = excluded.quiet_hours
        """,
        site.account_id,
        site.id,
        site.name,
        site.time_zone,
        site.time_zone_chosen,
        site.latitude,
        site.longitude,
        msgspec.json.encode(site.rain).decode(),
        site.weather_source,
        None if site.quiet_hours is None else msgspec.json.encode(site.quiet_hours).decode(),
    )


async def count_mowers(connection: Connection, account_id: str, site_id: str) -> int:
    """Return how many mowers belong to a site."""
    count: int = await connection.fetchval(
        "SELECT count(*) FROM fleet.mower WHERE account_id = $1 AND site_id = $2", account_id, site_id
    )
    return count


async def delete(connection: Connection, account_id: str, site_id: str) -> None:
    """Delete a site; the database refuses one that has mowers."""
    await connection.execute("DELETE FROM fleet.site WHERE account_id = $1 AND id = $2", account_id, site_id)


def _site(row: asyncpg.Record) -> Site:
    return Site(
        id=row["id"],
        account_id=row["account_id"],
        name=row["name"],
        time_zone=row["time_zone"],
        time_zone_chosen=row["time_zone_chosen"],
        latitude=row["latitude"],
        longitude=row["longitude"],
        rain=msgspec.json.decode(row["rain"], type=SiteRain),
        weather_source=row["weather_source"],
        quiet_hours=None if row["quiet_hours"] is None else msgspec.json.decode(row["quiet_hours"], type=QuietHours),
    )
