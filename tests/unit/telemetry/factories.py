"""Mowers, states and books as the tests of the rules need them."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from edge_gateway.contracts.mower import Activity, MowerState, Position
from edge_gateway.telemetry.book import Book, KnownMower
from edge_gateway.telemetry.rows import Health

BEGIN = datetime(2026, 5, 4, 9, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
HOUR_MICROSECONDS = 3_600_000_000


def known(**changes: Any) -> KnownMower:  # noqa: ANN401  # fields by name
    """Return a mower in Berlin."""
    mower = KnownMower(
        mower_id="m1",
        number=1,
        account_id="home",
        zone=ZoneInfo("Europe/Berlin"),
        interval_cap=timedelta(seconds=60),
        blade_life_microseconds=100 * HOUR_MICROSECONDS,
    )
    return msgspec.structs.replace(mower, **changes)


def book(**changes: Any) -> Book:  # noqa: ANN401  # fields by name
    """Return the empty book of a mower."""
    return Book(known(**changes), latest=None, health=Health())


def state(seconds: float = 0, *, begin: datetime = BEGIN, **changes: Any) -> MowerState:  # noqa: ANN401  # fields by name
    """Return a report of a mowing mower, some seconds after the beginning."""
    report = MowerState(
        mower_id="m1", account_id="home", observed_at=begin + timedelta(seconds=seconds), activity=Activity.MOWING
    )
    return msgspec.structs.replace(report, **changes)


def at(north_metres: float) -> Position:
    """Return a place so far north of the dock."""
    return Position(latitude=52.5 + north_metres / 111_320, longitude=13.4)


def take(opened: Book, *states: MowerState) -> Book:
    """Let a book take states; return it."""
    for each in states:
        opened.take(each, NOW)
    return opened
