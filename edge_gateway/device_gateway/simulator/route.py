"""The way over an area, to and fro in parallel lines, and over several areas one after the other. Pure."""

import bisect
import itertools
import math

import msgspec

from edge_gateway.contracts.map import Point
from edge_gateway.device_gateway.simulator.gardens import Garden, Ground

_NEAR_M = 1e-6


class Place(msgspec.Struct, frozen=True):
    """Where a machine is on its route."""

    east: float
    north: float
    heading_degrees: float
    """Clockwise from north."""
    ground: str | None
    """The key of the area, null on the way from one to the next."""


class Route(msgspec.Struct, frozen=True):
    """Points to drive to one after the other."""

    points: tuple[Point, ...]
    ends_m: tuple[float, ...]
    """How far it is from the first point to the end of each leg."""
    grounds: tuple[str | None, ...]
    """The area that each leg lies in."""

    @property
    def length_m(self) -> float:
        """Return the length of the whole way."""
        return self.ends_m[-1]

    def place(self, distance_m: float) -> Place:
        """Return where it is after so many metres; past the end it is the end."""
        leg = self._leg(distance_m)
        (east, north), (to_east, to_north) = self.points[leg], self.points[leg + 1]
        begin = self.ends_m[leg - 1] if leg else 0.0
        length = self.ends_m[leg] - begin
        share = min(max((distance_m - begin) / length, 0.0), 1.0) if length > _NEAR_M else 1.0
        return Place(
            east + (to_east - east) * share,
            north + (to_north - north) * share,
            heading((east, north), (to_east, to_north)),
            self.grounds[leg],
        )

    def next_ground_m(self, distance_m: float) -> float | None:
        """Return after how many metres from the start the area changes next; null when it does not any more."""
        leg = self._leg(distance_m)
        for following in range(leg + 1, len(self.grounds)):
            if self.grounds[following] != self.grounds[leg]:
                return self.ends_m[following - 1]
        return None

    def _leg(self, distance_m: float) -> int:
        return min(bisect.bisect_right(self.ends_m, distance_m + _NEAR_M), len(self.ends_m) - 1)


def heading(begin: Point, end: Point) -> float:
    """Return the direction from one point to another in degrees clockwise from north."""
    return math.degrees(math.atan2(end[0] - begin[0], end[1] - begin[1])) % 360


def plan_route(garden: Garden, keys: tuple[str, ...], *, spacing_m: float, angle_degrees: float) -> Route:
    """Return the way over these areas in this order; `angle_degrees` turns the lines clockwise from north.

    Raises `ValueError` for an area that the garden does not have, and for none.
    """
    by_key = {ground.key: ground for ground in garden.grounds}
    unknown = [key for key in keys if key not in by_key]
    if unknown or not keys:
        message = f"the garden has no area {unknown}"
        raise ValueError(message)
    points: list[Point] = []
    grounds: list[str | None] = []
    for key in keys:
        lines = parallel_lines(by_key[key], spacing_m=spacing_m, angle_degrees=angle_degrees)
        if points:
            grounds.append(None)
        points += lines
        grounds += [key] * (len(lines) - 1)
    lengths = (math.dist(begin, end) for begin, end in itertools.pairwise(points))
    return Route(tuple(points), tuple(itertools.accumulate(lengths)), tuple(grounds))


def parallel_lines(ground: Ground, *, spacing_m: float, angle_degrees: float) -> list[Point]:
    """Return the corners of the way to and fro over one area: at least one line, from edge to edge."""
    turned = [_turn(point, angle_degrees) for point in ground.boundary]
    west = min(east for east, _ in turned)
    width = max(east for east, _ in turned) - west
    count = max(int(width / spacing_m), 1)
    corners: list[Point] = []
    for number in range(count):
        east = west + (number + 0.5) * width / count
        crossings = _crossings(turned, east)
        ends = crossings if number % 2 == 0 else crossings[::-1]
        corners += [_turn((east, north), -angle_degrees) for north in ends]
    return corners


def area_m2(boundary: tuple[Point, ...]) -> float:
    """Return the area that a boundary encloses."""
    pairs = itertools.pairwise((*boundary, boundary[0]))
    return abs(sum(begin[0] * end[1] - end[0] * begin[1] for begin, end in pairs)) / 2


def _crossings(boundary: list[Point], east: float) -> list[float]:
    """Return where the line at `east` crosses the boundary, from south to north: an even number."""
    norths = []
    for begin, end in itertools.pairwise((*boundary, boundary[0])):
        if (begin[0] <= east) != (end[0] <= east):
            norths.append(begin[1] + (east - begin[0]) * (end[1] - begin[1]) / (end[0] - begin[0]))
    return sorted(norths)


def _turn(point: Point, degrees: float) -> Point:
    """Turn a point counter-clockwise about the origin, so that lines at `degrees` clockwise from north run north."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return point[0] * cosine - point[1] * sine, point[0] * sine + point[1] * cosine
