"""What may be said about how a job mows, whoever says it: opaque to all but the provider, but for `angle`. Pure."""

import math
from typing import Any

import msgspec

from edge_gateway.contracts.errors import InvalidError

LONGEST_BYTES = 4096
"""Of a pattern, as JSON."""
_FULL_TURN_DEGREES = 360


def check_pattern(pattern: dict[str, Any] | None) -> None:
    """Raise `InvalidError` naming `pattern` when it is too long, `pattern.angle` when that is no angle in degrees."""
    if pattern is None:
        return
    length = len(msgspec.json.encode(pattern))
    if length > LONGEST_BYTES:
        raise InvalidError(
            "invalid",
            f"A pattern has at most {LONGEST_BYTES} bytes.",
            field="pattern",
            values={"bytes": length, "maximum": LONGEST_BYTES},
        )
    angle = pattern.get("angle")
    if angle is not None and not _is_angle(angle):
        raise InvalidError(
            "invalid",
            f"An angle is a number of degrees from -{_FULL_TURN_DEGREES} to {_FULL_TURN_DEGREES}.",
            field="pattern.angle",
        )


def _is_angle(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    # NaN is in no range; a whole number may be longer than any float.
    return (isinstance(value, int) or math.isfinite(value)) and abs(value) <= _FULL_TURN_DEGREES
