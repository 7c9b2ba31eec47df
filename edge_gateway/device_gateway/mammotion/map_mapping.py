"""The mower's map as ours: outlines turned to east and north, areas with our ids. Pure."""

import math
from collections.abc import Sequence
from datetime import datetime

import msgspec

from edge_gateway.contracts.map import Area, MowerMap, Point
from edge_gateway.device_gateway.mammotion.area_identity import KnownArea, SeenArea

DECIMALS = 3
"""Of a metre."""


class VendorArea(msgspec.Struct, frozen=True, kw_only=True):
    """An area as the vendor has it: its hash, the name that the owner gave it, its outline in the base's frame."""

    hash: int
    name: str = ""
    outline: tuple[Point, ...] = ()


class VendorMap(msgspec.Struct, frozen=True, kw_only=True):
    """The vendor's map."""

    complete: bool
    """Every frame of it arrived, and it is the one that the mower has now."""
    areas: tuple[VendorArea, ...] = ()
    obstacles: tuple[tuple[Point, ...], ...] = ()
    no_go_zones: tuple[tuple[Point, ...], ...] = ()
    dock: Point | None = None
    base_yaw: float = 0.0
    """Radians; how far the base's frame is turned against east, counter-clockwise."""
    base_latitude: float | None = None
    """Degrees."""
    base_longitude: float | None = None


def seen_areas(vendor_map: VendorMap) -> tuple[SeenArea, ...]:
    """Return the areas to identify; one without a name gets the lowest free number."""
    taken = {area.name.casefold() for area in vendor_map.areas}
    seen = []
    for area in vendor_map.areas:
        name = area.name.strip() or _free_name(taken)
        seen.append(SeenArea(vendor_key=str(area.hash), name=name, boundary=_turned(area.outline, vendor_map.base_yaw)))
    return tuple(seen)


def mower_map(
    vendor_map: VendorMap,
    areas: Sequence[KnownArea],
    *,
    mower_id: str,
    account_id: str,
    observed_at: datetime,
) -> MowerMap:
    """Return the map with the areas that were identified."""
    yaw = vendor_map.base_yaw
    dock = None if vendor_map.dock is None else _turned((vendor_map.dock,), yaw)[0]
    return MowerMap(
        mower_id=mower_id,
        account_id=account_id,
        observed_at=observed_at,
        complete=vendor_map.complete,
        areas=tuple(_area(area) for area in areas),
        obstacles=tuple(_turned(outline, yaw) for outline in vendor_map.obstacles),
        no_go_zones=tuple(_turned(outline, yaw) for outline in vendor_map.no_go_zones),
        dock=dock,
        origin_latitude=vendor_map.base_latitude,
        origin_longitude=vendor_map.base_longitude,
    )


def _area(area: KnownArea) -> Area:
    return Area(
        id=area.id,
        vendor_key=area.vendor_key,
        name=area.name,
        boundary=area.boundary,
        size_m2=_size_m2(area.boundary),
    )


def _size_m2(outline: Sequence[Point]) -> float | None:
    if len(outline) < 3:  # noqa: PLR2004  # two points enclose nothing
        return None
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return round(abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2, 1)


def _turned(outline: Sequence[Point], yaw: float) -> tuple[Point, ...]:
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return tuple((round(cosine * x - sine * y, DECIMALS), round(sine * x + cosine * y, DECIMALS)) for x, y in outline)


def _free_name(taken: set[str]) -> str:
    number = 1
    while f"area {number}" in taken:
        number += 1
    taken.add(f"area {number}")
    return f"Area {number}"
