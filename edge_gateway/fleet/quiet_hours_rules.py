"""What quiet hours may be. Pure."""

import re

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.quiet_hours import QuietHours, QuietTime

MAXIMUM_OFFSET_MINUTES = 180
_WALL_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)


def check_quiet_hours(quiet_hours: QuietHours | None) -> QuietHours | None:
    """Return the quiet hours; raises `InvalidError` naming the field of what cannot be."""
    if quiet_hours is None:
        return None
    _check_time(quiet_hours.begin, "quiet_hours.begin")
    _check_time(quiet_hours.end, "quiet_hours.end")
    if quiet_hours.begin.at == quiet_hours.end.at:
        raise InvalidError(
            "invalid",
            "quiet_hours.end.at is the same as the beginning.",
            field="quiet_hours.end.at",
            remedy="Give null for no quiet hours; to keep a garden quiet for good, disable its schedules.",
        )
    if quiet_hours.begin.sun is not None and quiet_hours.begin.sun == quiet_hours.end.sun:
        raise InvalidError(
            "invalid", "Quiet hours do not begin and end at the same time of the sun.", field="quiet_hours.end.sun"
        )
    return quiet_hours


def _check_time(time: QuietTime, field: str) -> None:
    if not _WALL_TIME.fullmatch(time.at):
        raise InvalidError("invalid", f"{field}.at must be a time of day HH:MM.", field=f"{field}.at")
    if time.sun is None and time.offset_minutes:
        raise InvalidError(
            "invalid", f"{field}.offset_minutes belongs to a time of the sun.", field=f"{field}.offset_minutes"
        )
    if abs(time.offset_minutes) > MAXIMUM_OFFSET_MINUTES:
        raise InvalidError(
            "invalid",
            f"{field}.offset_minutes must lie from {-MAXIMUM_OFFSET_MINUTES} to {MAXIMUM_OFFSET_MINUTES}.",
            field=f"{field}.offset_minutes",
            values={"minimum": -MAXIMUM_OFFSET_MINUTES, "maximum": MAXIMUM_OFFSET_MINUTES},
        )
