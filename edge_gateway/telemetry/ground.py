"""Distances on the ground and places in polygons, over the few hundred metres of a garden. Pure."""

import math
from collections.abc import Sequence

METRES_PER_DEGREE = 111_320.0
"""Of latitude; of longitude times the cosine of the latitude."""

type Coordinates = tuple[float, float]
"""Latitude and longitude in degrees, WGS 84."""


def distance_metres(one: Coordinates, other: Coordinates) -> float:
    """Return how far two places are apart."""
    north = other[0] - one[0]
    east = (other[1] - one[1]) * math.cos(math.radians(one[0]))
    return math.hypot(north, east) * METRES_PER_DEGREE


def is_inside(place: Coordinates, boundary: Sequence[Coordinates]) -> bool:
    """Tell whether a place lies in a polygon (an even number of crossings to the east is outside)."""
    latitude, longitude = place
    inside = False
    before = boundary[-1]
    for corner in boundary:
        if (corner[0] > latitude) != (before[0] > latitude):
            share = (latitude - corner[0]) / (before[0] - corner[0])
            if longitude < corner[1] + share * (before[1] - corner[1]):
                inside = not inside
        before = corner
    return inside
