"""The settings of a new job: what the user named, else the mower's own, within its limits. Pure.

The vendor's protocol takes all settings with every job, so what the user does not name has to be sent as the mower
has it. A blade height is never guessed and never 0: that is the lowest, and scalps the lawn.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import InvalidError, UnsafeError

PATTERNS = ("parallel", "crossed", "segmented", "edges_only")
"""By the vendor's number."""
MAXIMUM_LAPS = 4
DEFAULT_SPEED = 0.3
DEFAULT_SPACING_CM = 25
ANGLE_MODES = ("relative", "absolute", "random")
"""By the vendor's number: from the longest edge of each area, from north, another one each time."""
RELATIVE_ANGLE = ANGLE_MODES.index("relative")
ABSOLUTE_ANGLE = ANGLE_MODES.index("absolute")
SPEEDS = (0.2, 1.2)
PATH_SPACINGS_CM = (5, 35)
"""What any model takes at the most."""
_HALF_TURN = 180
_UNITS = {"angle": "°", "crossing_angle": "°", "path_spacing": "cm"}


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What the model can do, from and to; null when it is not known."""

    blade_height_mm: tuple[int, int] | None = None
    speed: tuple[float, float] | None = None
    """Metres per second."""
    path_spacing_cm: tuple[int, int] | None = None
    detections: Mapping[str, int] = {}
    """The vendor's numbers of the ways to treat obstacles that the model has, by their names."""


class RouteSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a job."""

    blade_height_mm: int | None = None
    """Null for a model whose blades are not set by the job."""
    speed: float = DEFAULT_SPEED
    path_spacing_cm: int = DEFAULT_SPACING_CM
    pattern: int = 0
    angle: int = 0
    """Degrees."""
    angle_mode: int = RELATIVE_ANGLE
    crossing_angle: int = 90
    border_laps: int = 1
    obstacle_laps: int = 1
    grid_first: bool = False
    detection: int | None = None
    """How it treats obstacles, the vendor's number; null leaves the model's default."""


def choose(
    wish: dict[str, Any] | None,
    *,
    own: RouteSettings | None,
    limits: Limits,
    current_blade_height_mm: int | None,
    sets_blade_height: bool,
) -> RouteSettings:
    """Return the settings of a new job.

    `wish`: what the user named, with the keys of `job_settings`. `own`: what the mower had last. `sets_blade_height`:
    the model's blades are set by the job.
    Raises `InvalidError` naming the field (`pattern.speed`); `UnsafeError` (`blade_height_unknown`).
    """
    wish = wish or {}
    chosen = own or RouteSettings()
    if "angle" in wish:
        # Whoever names degrees means them from north, unless they say otherwise.
        chosen = msgspec.structs.replace(chosen, angle_mode=ABSOLUTE_ANGLE)
    for key, value in wish.items():
        if key != "blade_height":
            chosen = _with_wish(chosen, key, value, limits)
    return msgspec.structs.replace(
        chosen,
        speed=_clamped(chosen.speed, limits.speed),
        path_spacing_cm=int(_clamped(chosen.path_spacing_cm, limits.path_spacing_cm)),
        blade_height_mm=_blade_height(wish, own, limits, current_blade_height_mm, sets_blade_height=sets_blade_height),
    )


def job_settings(limits: Limits, *, sets_blade_height: bool) -> tuple[Setting, ...]:
    """Return what can be named with a start, within the model's limits; the values are null."""
    low, high = limits.speed or SPEEDS
    settings = [
        *(Setting(key=key, value=None, allowed=tuple(words)) for key, (_, words) in _choices(limits).items() if words),
        Setting(key="speed", value=None, minimum=low, maximum=high, unit="m/s"),
        Setting(key="grid_first", value=None, allowed=("true", "false")),
    ]
    if sets_blade_height and limits.blade_height_mm is not None:
        low, high = limits.blade_height_mm
        settings.append(Setting(key="blade_height", value=None, minimum=low, maximum=high, unit="mm"))
    for key, (_, (low, high)) in _ranges(limits).items():
        settings.append(Setting(key=key, value=None, minimum=low, maximum=high, unit=_UNITS.get(key)))
    return tuple(settings)


def _choices(limits: Limits) -> dict[str, tuple[str, Mapping[str, int]]]:
    """Return the settings named in words: the field of `RouteSettings`, and the vendor's number of each word."""
    return {
        "pattern": ("pattern", {word: number for number, word in enumerate(PATTERNS)}),
        "angle_mode": ("angle_mode", {word: number for number, word in enumerate(ANGLE_MODES)}),
        "obstacle_detection": ("detection", limits.detections),
    }


def _ranges(limits: Limits) -> dict[str, tuple[str, tuple[int, int]]]:
    """Return the whole numbers by key: the field of `RouteSettings`, from and to."""
    return {
        "angle": ("angle", (-_HALF_TURN, _HALF_TURN)),
        "crossing_angle": ("crossing_angle", (0, _HALF_TURN)),
        "path_spacing": ("path_spacing_cm", limits.path_spacing_cm or PATH_SPACINGS_CM),
        "border_laps": ("border_laps", (0, MAXIMUM_LAPS)),
        "obstacle_laps": ("obstacle_laps", (0, MAXIMUM_LAPS)),
    }


def _with_wish(chosen: RouteSettings, key: str, value: Any, limits: Limits) -> RouteSettings:  # noqa: ANN401  # JSON
    choices = _choices(limits)
    if key in choices:
        field, allowed = choices[key]
        if not isinstance(value, str) or value not in allowed:
            raise _invalid(key, f"is one of {', '.join(allowed)}")
        return msgspec.structs.replace(chosen, **{field: allowed[value]})
    if key == "grid_first":
        if not isinstance(value, bool):
            raise _invalid(key, "is true or false")
        return msgspec.structs.replace(chosen, grid_first=value)
    if key == "speed":
        return msgspec.structs.replace(chosen, speed=_number(key, value, limits.speed or SPEEDS))
    ranges = _ranges(limits)
    if key not in ranges:
        raise _invalid(key, "is not a setting of this mower's jobs")
    field, between = ranges[key]
    return msgspec.structs.replace(chosen, **{field: int(_number(key, value, between))})


def _blade_height(
    wish: dict[str, Any],
    own: RouteSettings | None,
    limits: Limits,
    current_mm: int | None,
    *,
    sets_blade_height: bool,
) -> int | None:
    if not sets_blade_height:
        if "blade_height" in wish:
            raise _invalid("blade_height", "is set by hand on this model")
        return None
    if "blade_height" in wish:
        if limits.blade_height_mm is None:
            raise _invalid("blade_height", "cannot be checked: the limits of this model are not known yet")
        return int(_number("blade_height", wish["blade_height"], limits.blade_height_mm))
    known = current_mm or (own.blade_height_mm if own else None)
    if known is None or known <= 0:
        raise UnsafeError(
            "blade_height_unknown",
            "The mower has not told how high its blades stand, and a guess could scalp the lawn.",
            remedy="Name a blade height, or wait until the mower has reported.",
        )
    return int(_clamped(known, limits.blade_height_mm))


def _number(key: str, value: Any, limits: tuple[float, float]) -> float:  # noqa: ANN401  # JSON
    low, high = limits
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise _invalid(key, f"is a number from {low:g} to {high:g}")
    return float(value)


def _invalid(key: str, what: str) -> InvalidError:
    return InvalidError("invalid_pattern", f"The setting {key} {what}.", field=f"pattern.{key}")


def _clamped(value: float, limits: tuple[float, float] | None) -> float:
    if limits is None:
        return value
    return min(max(value, limits[0]), limits[1])
