"""What Open-Meteo answers, read as hours. Pure.

Its value at the time T is the sum (or the greatest probability) of the hour before: it covers [T - 1 h, T). Units are
checked: a value in another unit, a value that is missing or that is no sensible number is unknown, never 0. Source:
open-meteo.com/en/docs, "Hourly Parameter Definition".
"""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from edge_gateway.scheduler.forecast import ForecastHour

VARIABLES = ("precipitation", "precipitation_probability", "rain")
_UNITS = {"precipitation": "mm", "precipitation_probability": "%", "rain": "mm"}
_ONE_HOUR = timedelta(hours=1)
_MOST_HOURS = 24 * 32
_LONGEST_MM = 1000.0
"""More than ever fell in an hour: such a number is a mistake."""
_CERTAIN_PERCENT = 100.0
_EARLIEST = 0
_LATEST = 4_102_444_800
"""The year 2100, in seconds."""


class UnreadableAnswerError(Exception):
    """The answer is not a forecast."""


class _Answer(msgspec.Struct, frozen=True):
    hourly: dict[str, list[Any]]
    hourly_units: dict[str, Any]


def read(body: bytes) -> tuple[ForecastHour, ...]:
    """Return the hours of an answer; raises `UnreadableAnswerError`."""
    try:
        answer = msgspec.json.decode(body, type=_Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableAnswerError(str(error)) from error
    if answer.hourly_units.get("time") != "unixtime" or "time" not in answer.hourly:
        message = "its times are not in seconds"
        raise UnreadableAnswerError(message)
    columns = {name: _column(answer, name) for name in VARIABLES}
    hours = []
    for number, seconds in enumerate(answer.hourly["time"][:_MOST_HOURS]):
        if isinstance(seconds, bool) or not isinstance(seconds, int) or not _EARLIEST <= seconds < _LATEST:
            continue
        ends_at = datetime.fromtimestamp(seconds, UTC)
        hours.append(
            ForecastHour(
                ends_at - _ONE_HOUR,
                ends_at,
                _number(columns["precipitation"], number, _LONGEST_MM),
                _number(columns["precipitation_probability"], number, _CERTAIN_PERCENT),
                _number(columns["rain"], number, _LONGEST_MM),
            )
        )
    if not hours:
        message = "it has no hours"
        raise UnreadableAnswerError(message)
    return tuple(hours)


def wrong_units(body: bytes) -> Mapping[str, Any]:
    """Return the units of a readable answer that are not those that were asked for, by variable."""
    units = msgspec.json.decode(body, type=_Answer).hourly_units
    return {name: units.get(name) for name, unit in _UNITS.items() if units.get(name) != unit}


def _column(answer: _Answer, name: str) -> Sequence[Any]:
    return answer.hourly.get(name, ()) if answer.hourly_units.get(name) == _UNITS[name] else ()


def _number(column: Sequence[Any], place: int, most: float) -> float | None:
    value = column[place] if place < len(column) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value) if 0 <= value <= most else None
