"""The owner's zones: entered and left by where the mower is; its areas when the vendor draws no map. Pure."""

from collections.abc import Sequence

import msgspec

from edge_gateway.contracts.telemetry import Zone
from edge_gateway.telemetry.ground import Coordinates, is_inside


class Crossing(msgspec.Struct, frozen=True):
    """A mower entered or left a zone."""

    zone_id: str
    name: str | None
    """Null when the zone was deleted while the mower was in it."""
    entered: bool


def zones_at(place: Coordinates, zones: Sequence[Zone]) -> tuple[str, ...]:
    """Return the zones in which a place lies, in the owner's order."""
    return tuple(zone.id for zone in zones if is_inside(place, zone.boundary))


def crossings(before: Sequence[str], now: Sequence[str], zones: Sequence[Zone]) -> list[Crossing]:
    """Return what was left, then what was entered."""
    names = {zone.id: zone.name for zone in zones}
    left = [Crossing(zone_id, names.get(zone_id), entered=False) for zone_id in before if zone_id not in now]
    return left + [Crossing(zone_id, names[zone_id], entered=True) for zone_id in now if zone_id not in before]
