"""What a site may say of itself: an IANA zone, both coordinates or none. Pure."""

import functools
import math
import zoneinfo

from edge_gateway.contracts.errors import InvalidError

_LATITUDE_LIMIT = 90.0
_LONGITUDE_LIMIT = 180.0

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
