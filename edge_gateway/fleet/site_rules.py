"""What a site may say of itself: an IANA zone, both coordinates or none, thresholds of rain. Pure."""

import functools
import math
import zoneinfo

import msgspec

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.fleet import SiteRain, SiteRainChanges

_LATITUDE_LIMIT = 90.0
_LONGITUDE_LIMIT = 180.0

_RAIN_LIMITS = {"probability_percent": 100.0, "precipitation_mm": 100.0}
"""Over 0 and at most this: a threshold of 0 would hold for ever."""
_RAIN_HOURS = 48

_NOT_A_PLACE = frozenset({"Factory", "localtime", "posixrules"})
"""Files of the zone database that are not zones: one says "not set", two are whatever a machine thinks."""


@functools.cache
def _zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones()) - _NOT_A_PLACE


def check_time_zone(name: str, field: str = "time_zone") -> str:
    """Return the zone's name; raises `InvalidError` naming the field unless the zone database knows it."""
    if name not in _zones():
        raise InvalidError(
            "invalid",
            f"{field} must be a zone of the IANA database, such as Europe/Berlin; {name[:64]!r} is none.",
            field=field,
        )
    return name


def check_coordinates(latitude: float | None, longitude: float | None) -> None:
    """Raise `InvalidError` unless both are there and in range (degrees), or both are missing."""
    if (latitude is None) != (longitude is None):
        missing = "latitude" if latitude is None else "longitude"
        raise InvalidError("invalid", f"{missing} is missing: a site has both coordinates or none.", field=missing)
    for field, value, limit in (
        ("latitude", latitude, _LATITUDE_LIMIT),
        ("longitude", longitude, _LONGITUDE_LIMIT),
    ):
        # NaN is in no range, and compares as false with every limit.
        if value is not None and not (math.isfinite(value) and -limit <= value <= limit):
            raise InvalidError(
                "invalid",
                f"{field} must lie from {-limit:g} to {limit:g} degrees.",
                field=field,
                values={"minimum": -limit, "maximum": limit},
            )


def changed_rain(known: SiteRain, changes: SiteRainChanges) -> SiteRain:
    """Return a site's rain settings after a change; raises `InvalidError` naming the field of one out of range."""
    defaults = SiteRain()
    given = {
        name: getattr(defaults, name) if value is None else value
        for name in SiteRainChanges.__struct_fields__
        if (value := getattr(changes, name)) is not msgspec.UNSET
    }
    for name, limit in _RAIN_LIMITS.items():
        # NaN compares as false with every limit.
        if name in given and not 0 < given[name] <= limit:
            raise InvalidError("invalid", f"rain.{name} must be over 0 and at most {limit:g}.", field=f"rain.{name}")
    for name in ("lookahead_hours", "cooldown_hours"):
        if name in given and not 0 <= given[name] <= _RAIN_HOURS:
            raise InvalidError("invalid", f"rain.{name} must lie from 0 to {_RAIN_HOURS}.", field=f"rain.{name}")
    return msgspec.structs.replace(known, **given)
