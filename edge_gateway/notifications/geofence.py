"""Where a mower belongs: polygons with a margin, and whether a position lies inside. Pure."""

from collections.abc import Sequence
from math import cos, hypot, radians

import msgspec

from edge_gateway.contracts.map import MowerMap, Point
from edge_gateway.contracts.mower import Position
from edge_gateway.contracts.notifications import Corner

METRES_PER_DEGREE = 111_320.0
_LEAST_CORNERS = 3


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A geofence as the owner drew it, and as it is stored."""

    boundary: tuple[Corner, ...]
    margin_metres: float = 0.0


class Geofence(msgspec.Struct, frozen=True, kw_only=True):
    """Polygons in metres east and north of an origin, ready to be asked."""

    origin_latitude: float
    origin_longitude: float
    polygons: tuple[tuple[Point, ...], ...]
    margin_metres: float

    def metres_outside(self, position: Position) -> float:
        """Return how far beyond the margin a position lies; 0 inside."""
        east_degrees = _wrapped(position.longitude - self.origin_longitude)
        point = (
            east_degrees * METRES_PER_DEGREE * cos(radians(self.origin_latitude)),
            (position.latitude - self.origin_latitude) * METRES_PER_DEGREE,
        )
        if any(_is_inside(polygon, point) for polygon in self.polygons):
            return 0.0
        nearest = min(_metres_to_edge(start, end, point) for polygon in self.polygons for start, end in _edges(polygon))
        return max(0.0, nearest - self.margin_metres)


def of_map(mower_map: MowerMap, margin_metres: float) -> Geofence | None:
    """Return the geofence of a map's areas and dock; null when it does not tell all of where the mower belongs."""
    latitude, longitude = mower_map.origin_latitude, mower_map.origin_longitude
    polygons = tuple(area.boundary for area in mower_map.areas)
    if not mower_map.complete or latitude is None or longitude is None or not polygons:
        return None
    if any(len(polygon) < _LEAST_CORNERS for polygon in polygons):
        # An area of which the outline is not known: the mower may well be in it.
        return None
    dock = () if mower_map.dock is None else ((mower_map.dock,),)
    return Geofence(
        origin_latitude=latitude, origin_longitude=longitude, polygons=(*polygons, *dock), margin_metres=margin_metres
    )


def of_drawn(drawn: Drawn) -> Geofence:
    """Return the geofence of what the owner drew."""
    first = drawn.boundary[0]
    east = METRES_PER_DEGREE * cos(radians(first.latitude))
    polygon = tuple(
        (
            _wrapped(corner.longitude - first.longitude) * east,
            (corner.latitude - first.latitude) * METRES_PER_DEGREE,
        )
        for corner in drawn.boundary
    )
    return Geofence(
        origin_latitude=first.latitude,
        origin_longitude=first.longitude,
        polygons=(polygon,),
        margin_metres=drawn.margin_metres,
    )


def metres_between(one: Position, other: Position) -> float:
    """Return the distance of two positions in one garden."""
    east = _wrapped(other.longitude - one.longitude) * METRES_PER_DEGREE * cos(radians(one.latitude))
    return hypot(east, (other.latitude - one.latitude) * METRES_PER_DEGREE)


def _wrapped(degrees: float) -> float:
    """Return a difference of longitudes the short way round."""
    return (degrees + 180.0) % 360.0 - 180.0


def _edges(polygon: Sequence[Point]) -> zip[tuple[Point, Point]]:
    return zip(polygon, (*polygon[1:], polygon[0]), strict=True)


def _is_inside(polygon: Sequence[Point], point: Point) -> bool:
    """Count how often a ray to the east crosses the outline."""
    east, north = point
    inside = False
    for (east_a, north_a), (east_b, north_b) in _edges(polygon):
        if (north_a > north) != (north_b > north):
            crossing = east_a + (north - north_a) / (north_b - north_a) * (east_b - east_a)
            inside ^= east < crossing
    return inside


def _metres_to_edge(start: Point, end: Point, point: Point) -> float:
    along_east, along_north = end[0] - start[0], end[1] - start[1]
    length_squared = along_east**2 + along_north**2
    east, north = point[0] - start[0], point[1] - start[1]
    share = 0.0
    if length_squared:
        share = min(1.0, max(0.0, (east * along_east + north * along_north) / length_squared))
    return hypot(east - share * along_east, north - share * along_north)
