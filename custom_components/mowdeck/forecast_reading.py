"""Reads what a weather entity and a rain sensor say; what is missing or makes no sense is unknown. Pure."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from homeassistant.const import STATE_OFF, STATE_ON, STATE_UNAVAILABLE, STATE_UNKNOWN

from .client.pushed_weather import PushedHour

MOST_HOURS = 240
UNITS = frozenset({"mm", "cm", "in"})


def read_hours(forecast: object) -> tuple[PushedHour, ...]:
    """Return the hours of an hourly forecast, in their order; an hour without a moment is left out."""
    if not isinstance(forecast, list):
        return ()
    hours = {hour.starts_at: hour for each in forecast if (hour := _hour(each)) is not None}
    return tuple(hours[moment] for moment in sorted(hours))[:MOST_HOURS]


def read_unit(attributes: Mapping[str, Any]) -> str | None:
    """Return the unit of amounts; None is one in which the gateway cannot count."""
    unit = attributes.get("precipitation_unit")
    return unit if unit in UNITS else None


def read_raining(state: str | None) -> bool | None:
    """Return what a rain sensor says: on or off, or an amount or a rate over zero; None is unknown."""
    if state in (None, STATE_UNAVAILABLE, STATE_UNKNOWN):
        return None
    if state in (STATE_ON, STATE_OFF):
        return state == STATE_ON
    amount = _number(state)
    return None if amount is None else amount > 0


def _hour(each: object) -> PushedHour | None:
    if not isinstance(each, dict):
        return None
    try:
        moment = datetime.fromisoformat(str(each.get("datetime")))
    except ValueError:
        return None
    return PushedHour(
        starts_at=(moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).astimezone(UTC),
        precipitation=_number(each.get("precipitation")),
        probability_percent=_number(each.get("precipitation_probability")),
    )


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
