"""The hours in which a mower may not work, as a person writes them and as the mower does. Pure.

The mower counts minutes from midnight, each as a number in a text (`1320` is 22:00), in its own local time.
"""

import re
from datetime import time
from typing import Any

from edge_gateway.contracts.errors import InvalidError

OFF = "off"
_CLOCK = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_RANGE = re.compile(rf"({_CLOCK.pattern})-({_CLOCK.pattern})")
_DAY_MINUTES = 24 * 60

type Hours = tuple[time, time]
"""From and to; to before from goes over midnight."""


def parse(value: Any) -> Hours | None:  # noqa: ANN401  # a setting's value is JSON
    """Return what a person wrote (`22:00-06:00`), null for `off`; raises `InvalidError` naming `setting_value`."""
    if value == OFF:
        return None
    found = _RANGE.fullmatch(value) if isinstance(value, str) else None
    if found is None or found[1] == found[4]:
        raise InvalidError(
            "invalid_value", "Hours without work are off, or from and to like 22:00-06:00.", field="setting_value"
        )
    return time.fromisoformat(found[1]), time.fromisoformat(found[4])


def wire(hours: Hours) -> tuple[str, str]:
    """Return from and to as the mower counts them."""
    begin, end = (str(one.hour * 60 + one.minute) for one in hours)
    return begin, end


def read(begin: str, end: str) -> str | None:
    """Return what the mower told as a person writes it; null when it is neither minutes nor a clock's time."""
    first, last = _clock(begin), _clock(end)
    return None if first is None or last is None else f"{first}-{last}"


def _clock(told: str) -> str | None:
    if _CLOCK.fullmatch(told):
        return told
    if told.isascii() and told.isdecimal() and int(told) < _DAY_MINUTES:
        return "{:02}:{:02}".format(*divmod(int(told), 60))
    return None
