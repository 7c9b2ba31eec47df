"""What a schedule may be. Each refusal names its field."""

import math
import re
from datetime import date
from functools import cache
from typing import Any, Never
from zoneinfo import available_timezones

import msgspec

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.identifiers import is_subject_token
from edge_gateway.contracts.schedules import (
    EveryNDaysRecurrence,
    RainSettings,
    Recurrence,
    ScheduleDraft,
    Target,
    WeeklyRecurrence,
)
from edge_gateway.scheduler.targets import field_of

MAXIMUM_DURATION_MINUTES = 1440
MAXIMUM_INTERVAL_DAYS = 3650
MAXIMUM_NAME_LENGTH = 100
MAXIMUM_PATTERN_BYTES = 4096
MAXIMUM_AREAS = 200
MAXIMUM_ANGLES = 36
MAXIMUM_HOLD_DAYS = 60
MAXIMUM_RAIN_HOURS = 48
MAXIMUM_PRECIPITATION_MM = 100.0
_ALWAYS_PERCENT = 100
_FULL_TURN_DEGREES = 360
_WALL_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
_OF_THE_MACHINE = frozenset({"localtime", "Factory"})
"""Names that stand in some zone databases and mean the process's own zone, or none."""


def check(draft: ScheduleDraft) -> None:
    """Raise `InvalidError` for the first field that is wrong."""
    _check_name(draft.name)
    _check_target(draft.target)
    _check_recurrence(draft.recurrence)
    if not 1 <= draft.duration_minutes <= MAXIMUM_DURATION_MINUTES:
        _refuse("duration_minutes", f"A window lasts 1 to {MAXIMUM_DURATION_MINUTES} minutes.")
    _check_bounds(draft.starts_on, draft.ends_on)
    if draft.time_zone is not None and draft.time_zone not in _zones():
        _refuse(
            "time_zone", "There is no such time zone.", "Give a name such as Europe/Berlin, or null for the site's."
        )
    _check_areas(draft.area_ids)
    if draft.area_ids is not None and draft.target.group_id is not None:
        _refuse("area_ids", "A group mows all enabled areas of each of its mowers.", "Leave the areas out.")
    _check_pattern(draft.pattern)
    _check_angles(draft.angles)
    check_rain(draft.rain)
    if draft.max_hold_days is not None and not 1 <= draft.max_hold_days <= MAXIMUM_HOLD_DAYS:
        _refuse("max_hold_days", f"From 1 to {MAXIMUM_HOLD_DAYS} days, or null to wait for dry weather for ever.")


def check_on_map(area_ids: tuple[str, ...] | None, known: tuple[str, ...] | None) -> None:
    """Raise `InvalidError` when areas are named that are not on the mower's map (`known`: null while there is none)."""
    if area_ids is None:
        return
    if known is None:
        _refuse("area_ids", "The mower's map is not known yet.", "Give no areas to mow all, or wait for the map.")
    if gone := [area_id for area_id in area_ids if area_id not in known]:
        raise InvalidError(
            "invalid",
            "Areas are named that are not on the mower's map.",
            remedy="Name areas of this mower only.",
            field="area_ids",
            values={"unknown_area_ids": gone},
        )


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones() - _OF_THE_MACHINE)


def _refuse(field: str, sentence: str, remedy: str | None = None) -> Never:
    code = "invalid"
    raise InvalidError(code, sentence, field=field, remedy=remedy)


def _check_name(name: str) -> None:
    if not name.strip():
        _refuse("name", "A schedule has a name.")
    if len(name) > MAXIMUM_NAME_LENGTH:
        _refuse("name", f"A name has at most {MAXIMUM_NAME_LENGTH} characters.")
    if not name.isprintable():
        _refuse("name", "A name is one line of printable characters.")


def _check_target(target: Target) -> None:
    if target.mower_id is not None and target.group_id is not None:
        _refuse("target.group_id", "A schedule is for one mower or for one group, not for both.")
    if target.mower_id is None and target.group_id is None:
        _refuse("target.mower_id", "A schedule is for one mower or for one group; none is named.")
    if not is_subject_token(target.mower_id or target.group_id or ""):
        _refuse(field_of(target), "This is not an id.")


def _check_recurrence(recurrence: Recurrence) -> None:
    if not _WALL_TIME.fullmatch(recurrence.at):
        _refuse("recurrence.at", "The time of day is written HH:MM, from 00:00 to 23:59.")
    match recurrence:
        case WeeklyRecurrence(days=()):
            _refuse("recurrence.days", "A weekly schedule needs at least one day.")
        case EveryNDaysRecurrence(interval=interval) if not 1 <= interval <= MAXIMUM_INTERVAL_DAYS:
            _refuse("recurrence.interval", f"The interval is 1 to {MAXIMUM_INTERVAL_DAYS} days.")


def _check_bounds(starts_on: date | None, ends_on: date | None) -> None:
    if starts_on is not None and ends_on is not None and ends_on < starts_on:
        _refuse("ends_on", "The last day lies before the first one.")


def _check_areas(area_ids: tuple[str, ...] | None) -> None:
    if area_ids is None:
        return
    if not area_ids:
        _refuse("area_ids", "No area is named.", "Give null to mow all enabled areas.")
    if len(area_ids) > MAXIMUM_AREAS:
        _refuse("area_ids", f"At most {MAXIMUM_AREAS} areas.")
    if len(set(area_ids)) != len(area_ids):
        _refuse("area_ids", "An area is named twice.")


def _check_pattern(pattern: dict[str, Any] | None) -> None:
    if pattern is None:
        return
    if not _all_finite(pattern):
        _refuse("pattern", "A number is not finite.")
    if len(msgspec.json.encode(pattern)) > MAXIMUM_PATTERN_BYTES:
        _refuse("pattern", f"A pattern has at most {MAXIMUM_PATTERN_BYTES} bytes.")
    angle = pattern.get("angle")
    if angle is not None and not _is_angle(angle):
        _refuse("pattern.angle", "An angle is a number of degrees from -360 to 360.")


def _check_angles(angles: tuple[float, ...] | None) -> None:
    if angles is None:
        return
    if not 1 <= len(angles) <= MAXIMUM_ANGLES:
        _refuse("angles", f"1 to {MAXIMUM_ANGLES} angles, or null.")
    for place, angle in enumerate(angles):
        if not _is_angle(angle):
            _refuse(f"angles[{place}]", "An angle is a number of degrees from -360 to 360.")


def _is_angle(value: object) -> bool:
    # NaN compares as false with every limit.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _FULL_TURN_DEGREES


def _all_finite(value: object) -> bool:
    match value:
        case float():
            return math.isfinite(value)
        case dict():
            return all(_all_finite(inner) for inner in value.values())
        case list() | tuple():
            return all(_all_finite(inner) for inner in value)
    return True


def check_rain(rain: RainSettings, prefix: str = "rain") -> None:
    """Raise `InvalidError` for the first field that is wrong, named below `prefix`."""
    if rain.probability_percent is not None and not 0 < rain.probability_percent <= _ALWAYS_PERCENT:
        _refuse(f"{prefix}.probability_percent", "The probability is over 0 and at most 100 percent.")
    if rain.precipitation_mm is not None and not 0 < rain.precipitation_mm <= MAXIMUM_PRECIPITATION_MM:
        _refuse(f"{prefix}.precipitation_mm", f"The amount is over 0 and at most {MAXIMUM_PRECIPITATION_MM:g} mm.")
    for name in ("lookahead_hours", "cooldown_hours"):
        hours = getattr(rain, name)
        if hours is not None and not 0 <= hours <= MAXIMUM_RAIN_HOURS:
            _refuse(f"{prefix}.{name}", f"From 0 to {MAXIMUM_RAIN_HOURS} hours.")
