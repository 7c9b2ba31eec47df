"""The rows of forecasts, of what was pushed, and of the verdicts that were told."""

from datetime import datetime
from typing import NamedTuple

import asyncpg
import msgspec

from edge_gateway.scheduler.forecast import CLOCK_WAS_AHEAD, Forecast, ForecastHour
from edge_gateway.scheduler.repository.transactions import Connection
from edge_gateway.scheduler.weather.places import Place
from edge_gateway.scheduler.weather.pushed import PushedWeather, Span


class DueTarget(NamedTuple):
    """A target whose mowers will need a forecast soon: one of mower and group."""

    account_id: str
    mower_id: str | None
    group_id: str | None


async def forecast(connection: Connection, provider: str, place: Place) -> Forecast | None:
    """Return the last forecast of a place."""
    row = await connection.fetchrow(
        """
        SELECT fetched_at, attribution, hours::text AS hours FROM scheduler.forecast
        WHERE provider = $1 AND latitude = $2 AND longitude = $3
        """,
        provider,
        *place,
    )
    if row is None:
        return None
    hours = msgspec.json.decode(row["hours"], type=tuple[ForecastHour, ...])
    return Forecast(provider, row["fetched_at"], hours, row["attribution"])


async def put_forecast(connection: Connection, place: Place, new: Forecast, *, forget_before: datetime) -> None:
    """Keep a forecast unless a newer one is kept; forget those of places that nobody asked for in long.

    One from so far ahead is no newer one: it was fetched when the clock was wrong.
    """
    await connection.execute(
        """
        INSERT INTO scheduler.forecast AS known (provider, latitude, longitude, fetched_at, attribution, hours)
        VALUES ($1, $2, $3, $4, $5, $6::text::jsonb)
        ON CONFLICT (provider, latitude, longitude) DO UPDATE SET
            fetched_at = excluded.fetched_at, attribution = excluded.attribution, hours = excluded.hours
        WHERE known.fetched_at < excluded.fetched_at OR known.fetched_at > excluded.fetched_at + $7::interval
        """,
        new.provider,
        *place,
        new.fetched_at,
        new.attribution,
        _json(new.hours),
        CLOCK_WAS_AHEAD,
    )
    await connection.execute("DELETE FROM scheduler.forecast WHERE fetched_at < $1", forget_before)


async def pushed(connection: Connection, account_id: str, site_id: str, *, lock: bool = False) -> PushedWeather | None:
    """Return what was pushed for a site, locked until the end of the transaction when asked for."""
    row = await connection.fetchrow(
        f"""
        SELECT pushed_at, source, attribution, hours::text AS hours, wet_spans::text AS wet_spans, raining, sensed_at
        FROM scheduler.pushed_weather WHERE account_id = $1 AND site_id = $2 {"FOR UPDATE" if lock else ""}
        """,  # noqa: S608  # constants
        account_id,
        site_id,
    )
    return None if row is None else _pushed(row)


async def put_pushed(connection: Connection, account_id: str, site_id: str, known: PushedWeather) -> None:
    """Write what is known of a site by what was pushed."""
    await connection.execute(
        """
        INSERT INTO scheduler.pushed_weather (account_id, site_id, pushed_at, source, attribution, hours, wet_spans,
            raining, sensed_at)
        VALUES ($1, $2, $3, $4, $5, $6::text::jsonb, $7::text::jsonb, $8, $9)
        ON CONFLICT (account_id, site_id) DO UPDATE SET
            pushed_at = excluded.pushed_at, source = excluded.source, attribution = excluded.attribution,
            hours = excluded.hours, wet_spans = excluded.wet_spans, raining = excluded.raining,
            sensed_at = excluded.sensed_at
        """,
        account_id,
        site_id,
        known.pushed_at,
        known.source,
        known.attribution,
        _json(known.hours),
        _json(known.wet_spans),
        known.raining,
        known.sensed_at,
    )


async def due_targets(connection: Connection, before: datetime) -> list[DueTarget]:
    """Return the targets with something due before a moment, with a pending run, or with one under way."""
    rows = await connection.fetch(
        """
        SELECT account_id, mower_id, group_id FROM scheduler.schedule WHERE enabled AND next_run_at <= $1
        UNION SELECT account_id, mower_id, CASE WHEN mower_id IS NULL THEN group_id END FROM scheduler.run
            WHERE (outcome IS NULL OR followed) AND num_nonnulls(mower_id, group_id) > 0
        """,
        before,
    )
    return [DueTarget(row["account_id"], row["mower_id"], row["group_id"]) for row in rows]


async def told(connection: Connection, mower_id: str, state: bytes) -> bool:
    """Keep the verdict that is told of a mower; false when it was told already."""
    status = await connection.execute(
        """
        INSERT INTO scheduler.told_rain AS known (mower_id, state) VALUES ($1, $2::text::jsonb)
        ON CONFLICT (mower_id) DO UPDATE SET state = excluded.state WHERE known.state <> excluded.state
        """,
        mower_id,
        state.decode(),
    )
    return status.endswith(" 1")


async def wake_waiting(connection: Connection, waiting_for: str, now: datetime) -> int:
    """Have the firings looked at now that wait for a forecast; return how many."""
    status = await connection.execute(
        """
        UPDATE scheduler.run SET look_again_at = $2
        WHERE outcome IS NULL AND asked_at IS NULL AND waiting_for = $1 AND look_again_at > $2
        """,
        waiting_for,
        now,
    )
    return int(status.rpartition(" ")[2])


def _pushed(row: asyncpg.Record) -> PushedWeather:
    return PushedWeather(
        pushed_at=row["pushed_at"],
        source=row["source"],
        attribution=row["attribution"],
        hours=msgspec.json.decode(row["hours"], type=tuple[ForecastHour, ...]),
        wet_spans=msgspec.json.decode(row["wet_spans"], type=tuple[Span, ...]),
        raining=row["raining"],
        sensed_at=row["sensed_at"],
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
