"""A mower's map: areas with ids of ours that survive map edits."""

from datetime import datetime

import msgspec

type Point = tuple[float, float]
"""Metres east and north of the map's origin."""


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """A mowing zone."""

    id: str
    """Ours; stays when the vendor's own id changes."""
    vendor_key: str
    name: str
    boundary: tuple[Point, ...] = ()
    size_m2: float | None = None


class MowerMap(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a mower's ground."""

    mower_id: str
    account_id: str
    observed_at: datetime
    complete: bool
    """Every frame arrived: only a complete map may remove an area."""
    areas: tuple[Area, ...] = ()
    obstacles: tuple[tuple[Point, ...], ...] = ()
    no_go_zones: tuple[tuple[Point, ...], ...] = ()
    dock: Point | None = None
    origin_latitude: float | None = None
    """Degrees; null until the mower knows where its base stands."""
    origin_longitude: float | None = None
