"""Readings for tests."""

from datetime import UTC, datetime
from typing import Any

from edge_gateway.device_gateway.mammotion.reading import Reading

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def reading(**told: Any) -> Reading:  # noqa: ANN401  # any field of a reading
    """Return a reading with these values, everything else as a ready mower off its dock tells it."""
    values: dict[str, Any] = {"observed_at": NOON, "mode": 11, "charge_state": 0, "breakpoint": 0, "path_hash": 0}
    return Reading(**{**values, **told})
