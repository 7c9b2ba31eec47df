"""Plane geometry of an emulated garden: metres east and north of the base station."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

type Point = tuple[float, float]
type Polygon = tuple[Point, ...]


def rectangle(west: float, south: float, width: float, height: float, *, spacing: float = 0.5) -> Polygon:
    """Return the boundary of a rectangle as a mower records it: a closed walk with a point every `spacing` metres."""
    corners = [
        (west, south),
        (west + width, south),
        (west + width, south + height),
        (west, south + height),
        (west, south),
    ]
    walk: list[Point] = []
    for start, end in pairwise(corners):
        steps = max(1, round(math.dist(start, end) / spacing))
        walk += [_between(start, end, step / steps) for step in range(steps)]
    return (*walk, corners[0])


def area_m2(polygon: Polygon) -> float:
    """Return the area inside a polygon, in square metres."""
    doubled = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(polygon, _rotated(polygon), strict=True))
    return abs(doubled) / 2


def contains(polygon: Polygon, point: Point) -> bool:
    """Tell whether a point lies inside a polygon."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(polygon, _rotated(polygon), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def stripes(polygon: Polygon, spacing: float) -> Polygon:
    """Return a path that mows a convex polygon in parallel stripes, `spacing` metres apart."""
    southern, northern = min(y for _, y in polygon), max(y for _, y in polygon)
    rows = max(1, math.floor((northern - southern) / spacing))
    path: list[Point] = []
    for row in range(rows):
        y = southern + (row + 0.5) * (northern - southern) / rows
        crossings = sorted(_crossings(polygon, y))
        if not crossings:
            continue
        ends = [(crossings[0], y), (crossings[-1], y)]
        path += ends if row % 2 == 0 else list(reversed(ends))
    return tuple(path)


class Track:
    """A path with its length, walked by distance."""

    def __init__(self, points: Sequence[Point]) -> None:
        """Start with at least one point."""
        self._points = tuple(points)
        self._marks = [0.0]
        for start, end in pairwise(self._points):
            self._marks.append(self._marks[-1] + math.dist(start, end))

    @property
    def length(self) -> float:
        """The whole way, in metres."""
        return self._marks[-1]

    def at(self, distance: float) -> Point:
        """Return the point after so many metres (the ends beyond the ends)."""
        if distance <= 0:
            return self._points[0]
        if distance >= self.length:
            return self._points[-1]
        leg = bisect_right(self._marks, distance) - 1
        share = (distance - self._marks[leg]) / (self._marks[leg + 1] - self._marks[leg])
        return _between(self._points[leg], self._points[leg + 1], share)


def _between(start: Point, end: Point, share: float) -> Point:
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def _rotated(polygon: Polygon) -> Polygon:
    return polygon[1:] + polygon[:1]


def _crossings(polygon: Polygon, y: float) -> list[float]:
    return [
        (x2 - x1) * (y - y1) / (y2 - y1) + x1
        for (x1, y1), (x2, y2) in zip(polygon, _rotated(polygon), strict=True)
        if (y1 > y) != (y2 > y)
    ]
