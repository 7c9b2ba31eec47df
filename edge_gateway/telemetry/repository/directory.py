"""The directory: which mowers there are, where they stand, what is known of their ground."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import asyncpg
import msgspec

from edge_gateway.contracts.errors import NotFoundError
from edge_gateway.contracts.telemetry import Zone
from edge_gateway.telemetry.book import KnownMower
from edge_gateway.telemetry.repository import Connection

_PUT = """
INSERT INTO telemetry.directory (mower_id, account_id, site_id, time_zone, provider) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (mower_id) DO UPDATE SET
    account_id = excluded.account_id, site_id = excluded.site_id, time_zone = excluded.time_zone,
    provider = coalesce(excluded.provider, directory.provider), version = directory.version + 1
"""
_CHANGED = "version = version + 1"
"""Stands in every statement that changes what a book is judged by: who remembers the book reads it again."""


class IntervalCaps(msgspec.Struct, frozen=True, kw_only=True):
    """For how long a state speaks at the most, by provider."""

    default: timedelta
    by_provider: Mapping[str, timedelta] = {}


class DirectoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A mower as the fleet tells of it."""

    mower_id: str
    account_id: str
    site_id: str
    time_zone: str
    provider: str | None


def read_known(row: asyncpg.Record, *, caps: IntervalCaps, blade_life: timedelta) -> KnownMower:
    """Return a mower of the directory."""
    return KnownMower(
        mower_id=row["mower_id"],
        number=row["number"],
        account_id=row["account_id"],
        zone=ZoneInfo(row["time_zone"]),
        interval_cap=caps.by_provider.get(row["provider"] or "", caps.default),
        blade_life_microseconds=blade_life // timedelta(microseconds=1),
        area_sizes=_read_sizes(row["area_sizes"]),
        zones=_read_zones(row["zones"]),
    )


async def lock_to_change(connection: Connection, mower_id: str) -> None:
    """Keep the ingest from a mower's rows until the transaction ends, and let it read them anew.

    Raises `NotFoundError`.
    """
    status = await connection.execute(
        f"UPDATE telemetry.directory SET {_CHANGED} WHERE mower_id = $1",  # noqa: S608  # ours
        mower_id,
    )
    if status == "UPDATE 0":
        raise NotFoundError("not_found", "Nothing is known of this mower yet.", field="mower_id")


async def known_mowers(connection: Connection, mower_ids: Sequence[str]) -> frozenset[str]:
    """Return those of some mowers that the directory has."""
    rows = await connection.fetch("SELECT mower_id FROM telemetry.directory WHERE mower_id = ANY($1)", mower_ids)
    return frozenset(row["mower_id"] for row in rows)


async def mowers_of_site(connection: Connection, site_id: str) -> list[str]:
    """Return the mowers that stand in a garden."""
    rows = await connection.fetch("SELECT mower_id FROM telemetry.directory WHERE site_id = $1", site_id)
    return [row["mower_id"] for row in rows]


async def put_mower(connection: Connection, entry: DirectoryEntry) -> None:
    """Remember what the fleet tells of a mower."""
    await connection.execute(_PUT, entry.mower_id, entry.account_id, entry.site_id, entry.time_zone, entry.provider)


async def put_area_sizes(connection: Connection, mower_id: str, sizes: Mapping[str, float | None]) -> None:
    """Remember the areas of a mower's map, with their square metres where known."""
    await connection.execute(
        f"UPDATE telemetry.directory SET area_sizes = $2, {_CHANGED} WHERE mower_id = $1",  # noqa: S608  # ours
        mower_id,
        msgspec.json.encode(sizes).decode(),
    )


async def read_area_sizes(connection: Connection, mower_id: str) -> Mapping[str, float | None]:
    """Return the areas of a mower's map, none when no map is known."""
    return (
        _read_sizes(
            await connection.fetchval("SELECT area_sizes FROM telemetry.directory WHERE mower_id = $1", mower_id)
        )
        or {}
    )


async def put_zones(connection: Connection, mower_id: str, zones: Sequence[Zone]) -> None:
    """Replace the owner's zones of a mower."""
    await connection.execute(
        f"UPDATE telemetry.directory SET zones = $2, {_CHANGED} WHERE mower_id = $1",  # noqa: S608  # ours
        mower_id,
        msgspec.json.encode(zones).decode(),
    )


async def read_zones(connection: Connection, mower_id: str) -> tuple[Zone, ...]:
    """Return the owner's zones of a mower."""
    stored = await connection.fetchval("SELECT zones FROM telemetry.directory WHERE mower_id = $1", mower_id)
    return () if stored is None else _read_zones(stored)


@lru_cache(maxsize=1000)
def _read_sizes(document: str | None) -> Mapping[str, float | None] | None:
    return None if document is None else msgspec.json.decode(document, type=dict[str, float | None])


@lru_cache(maxsize=1000)
def _read_zones(document: str) -> tuple[Zone, ...]:
    return msgspec.json.decode(document, type=tuple[Zone, ...])
