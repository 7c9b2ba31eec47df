"""The elements of a garden as the mower sends them: each with its hash, type and points."""

from dataclasses import dataclass

from pymammotion.data.model.hash_list import PathType

from tests.emulators.mammotion.garden import Garden, element_hash
from tests.emulators.mammotion.geometry import Polygon


@dataclass(frozen=True, kw_only=True)
class MapElement:
    """One element of the map."""

    hash: int
    type: int
    points: Polygon


def map_elements(garden: Garden) -> dict[int, MapElement]:
    """Return all elements by their hash."""
    kinds = [
        *((area.hash, PathType.AREA, area.boundary) for area in garden.areas),
        *((element_hash("obstacle", points), PathType.OBSTACLE, points) for points in garden.obstacles),
        *((element_hash("no_go_zone", points), PathType.NO_GO_ZONE, points) for points in garden.no_go_zones),
    ]
    return {key: MapElement(hash=key, type=int(kind), points=points) for key, kind, points in kinds}
