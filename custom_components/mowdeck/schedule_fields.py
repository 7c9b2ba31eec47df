"""What an action gives of a schedule: its fields, and the rule by which it is due."""

from collections.abc import Mapping
from datetime import date, time
from typing import Any

import probatio
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv

from .client.recurrence import EveryNDays, Once, Recurrence, Weekday, Weekly
from .const import DOMAIN

SHORTEST_MINUTES = 1
LONGEST_MINUTES = 1440
LONGEST_INTERVAL_DAYS = 365

RULES = ("days", "interval_days", "day")
"""Which of them is given says what kind of rule it is; the start belongs to all."""


def _full_minute(value: time) -> time:
    """Refuse a time with seconds: a schedule has none, and the time picker sends zero."""
    if value.second or value.microsecond:
        raise probatio.Invalid("a schedule starts at a full minute")
    return value


def _whole_number(value: float) -> int:
    """Take a number without a fraction: a number picker may send 120.0 for 120."""
    if isinstance(value, bool) or value != int(value):
        raise probatio.Invalid("a whole number is needed")
    return int(value)


def whole_number(lowest: int, highest: int) -> probatio.All[Any]:
    """Return the check of a whole number in a range."""
    return probatio.All(probatio.Coerce(float), _whole_number, probatio.Range(min=lowest, max=highest))


AREA_IDS = probatio.All(cv.ensure_list, probatio.Length(min=1), [cv.string])

FIELDS = {
    "name": probatio.All(cv.string, probatio.Length(min=1, max=100)),
    "days": probatio.All(cv.ensure_list, probatio.Length(min=1), [probatio.Coerce(Weekday)], probatio.Unique()),
    "interval_days": whole_number(1, LONGEST_INTERVAL_DAYS),
    "first_day": cv.date,
    "day": cv.date,
    "at": probatio.All(cv.time, _full_minute),
    "duration_minutes": whole_number(SHORTEST_MINUTES, LONGEST_MINUTES),
    "starts_on": cv.date,
    "ends_on": cv.date,
    "area_ids": AREA_IDS,
    "rain_enabled": cv.boolean,
    "enabled": cv.boolean,
}
"""What can be given of a schedule."""


def says_when(data: Mapping[str, Any]) -> bool:
    """Tell whether a call says anything of when a schedule is due."""
    return any(name in data for name in (*RULES, "first_day", "at"))


def recurrence_of(data: Mapping[str, Any], *, today: date, known: Recurrence | None = None) -> Recurrence:
    """Return when a schedule is due by a call; what the call leaves open stays as it is `known`.

    Days come in the order of the week, whatever the order of the call. Without a first day, an interval counts from
    `today` at the site. Raises `ServiceValidationError` for more than one rule, and for one without a start.
    """
    given = [name for name in RULES if name in data]
    if len(given) > 1 or ("first_day" in data and given not in (["interval_days"], [])):
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="one_rule")
    at = data["at"].strftime("%H:%M") if "at" in data else None if known is None else known.at
    if at is None:
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="rule_and_start")
    match given:
        case ["days"]:
            return Weekly(days=tuple(day for day in Weekday if day in data["days"]), at=at)
        case ["day"]:
            return Once(day=data["day"], at=at)
        case ["interval_days"]:
            anchor = known.anchor if isinstance(known, EveryNDays) else today
            return EveryNDays(interval=data["interval_days"], anchor=data.get("first_day", anchor), at=at)
    match known:
        case Weekly() if "first_day" not in data:
            return Weekly(days=known.days, at=at)
        case EveryNDays():
            return EveryNDays(interval=known.interval, anchor=data.get("first_day", known.anchor), at=at)
        case Once() if "first_day" not in data:
            return Once(day=known.day, at=at)
    raise ServiceValidationError(translation_domain=DOMAIN, translation_key="rule_and_start")
