"""The ground of an emulated mower: areas, obstacles, the dock, the base station."""

import hashlib
import math
from dataclasses import dataclass, field, replace

from pymammotion.utility.mur_mur_hash import MurMurHashUtil

from tests.emulators.mammotion.geometry import Point, Polygon, contains, rectangle

_NO_ZONE = 0
_EQUATOR_M = 6_378_137.0
"""The earth's radius at the equator (WGS 84)."""
_ECCENTRICITY_SQUARED = 0.00669437999014
"""Of the earth's ellipsoid (WGS 84)."""


@dataclass(frozen=True, kw_only=True)
class EmulatedArea:
    """A mowing zone as the mower stores it: its hash follows its content, so an edit makes a new one."""

    name: str
    boundary: Polygon

    @property
    def hash(self) -> int:
        """The mower's key for it, a positive 63-bit number."""
        return element_hash("area", self.boundary)


@dataclass(frozen=True, kw_only=True)
class Garden:
    """Everything on the mower's map. Positions are metres in the base station's frame (before its rotation)."""

    areas: tuple[EmulatedArea, ...]
    obstacles: tuple[Polygon, ...] = ()
    no_go_zones: tuple[Polygon, ...] = ()
    dock: Point = (0.0, 0.0)
    base_latitude: float = 52.52
    """Degrees."""
    base_longitude: float = 13.405
    base_yaw: float = 0.0
    """Radians; the frame's rotation against east."""
    origin_known: bool = True
    """Whether the mower tells where its base station stands."""

    def area(self, zone_hash: int) -> EmulatedArea | None:
        """Return the area with this hash."""
        return next((area for area in self.areas if area.hash == zone_hash), None)

    def zone_at(self, point: Point) -> int:
        """Return the hash of the area at a point, 0 outside of all."""
        return next((area.hash for area in self.areas if contains(area.boundary, point)), _NO_ZONE)

    def place(self, east: float, north: float) -> tuple[float, float]:
        """Return where a point of the frame lies on the earth: degrees of latitude and longitude (WGS 84)."""
        yaw, latitude = self.base_yaw, math.radians(self.base_latitude)
        turned_east = east * math.cos(yaw) - north * math.sin(yaw)
        turned_north = east * math.sin(yaw) + north * math.cos(yaw)
        shape = 1 - _ECCENTRICITY_SQUARED * math.sin(latitude) ** 2
        along_meridian = _EQUATOR_M * (1 - _ECCENTRICITY_SQUARED) / shape**1.5
        along_parallel = _EQUATOR_M / math.sqrt(shape) * math.cos(latitude)
        return (
            self.base_latitude + math.degrees(turned_north / along_meridian),
            self.base_longitude + math.degrees(turned_east / along_parallel),
        )

    @property
    def element_hashes(self) -> list[int]:
        """The hashes of all elements, in the mower's order."""
        return [
            *(area.hash for area in self.areas),
            *(element_hash("obstacle", obstacle) for obstacle in self.obstacles),
            *(element_hash("no_go_zone", zone) for zone in self.no_go_zones),
        ]

    @property
    def map_hash(self) -> int:
        """The checksum that a report carries (`bol_hash`); 0 without elements."""
        hashes = self.element_hashes
        return int(MurMurHashUtil.hash_unsigned_list(hashes)) if hashes else 0

    def with_area(self, name: str, boundary: Polygon) -> Garden:
        """Return the garden after the owner redrew an area (or drew a new one)."""
        drawn = EmulatedArea(name=name, boundary=boundary)
        if any(area.name == name for area in self.areas):
            return replace(self, areas=tuple(drawn if area.name == name else area for area in self.areas))
        return replace(self, areas=(*self.areas, drawn))

    def without_area(self, name: str) -> Garden:
        """Return the garden after the owner deleted an area."""
        return replace(self, areas=tuple(area for area in self.areas if area.name != name))

    def renamed(self, old_name: str, name: str) -> Garden:
        """Return the garden after the owner gave an area another name (its hash stays)."""
        return replace(
            self, areas=tuple(replace(area, name=name) if area.name == old_name else area for area in self.areas)
        )


def element_hash(kind: str, boundary: Polygon) -> int:
    """Return the mower's key for a map element: follows from its kind and shape."""
    content = f"{kind}:{[(round(x, 3), round(y, 3)) for x, y in boundary]}".encode()
    return int.from_bytes(hashlib.sha256(content).digest()[:8]) >> 1


def default_garden() -> Garden:
    """Return a small garden: two lawns, a flower bed, a pond that is a no-go zone, the dock beside the house."""
    return Garden(
        areas=(
            EmulatedArea(name="Front lawn", boundary=rectangle(2.0, 2.0, 8.0, 6.0)),
            EmulatedArea(name="Back lawn", boundary=rectangle(2.0, 12.0, 10.0, 5.0)),
        ),
        obstacles=(rectangle(5.0, 4.0, 1.0, 1.0),),
        no_go_zones=(rectangle(9.0, 13.0, 2.0, 2.0),),
    )


@dataclass(frozen=True, kw_only=True)
class Model:
    """What kind of mower it is."""

    product_key: str = "ATyVu9QkAdX"
    main_type: str = "LUBA_V"
    sub_type: str = "7"
    """The code from which its limits follow: blades from 25 to 70 mm."""
    firmware: str = "1.30.26.8"
    """From 1.30.25.1 on the cloud has no quota of sends."""
    knife_height_mm: int = 45
    own_settings: dict[str, float] = field(default_factory=lambda: {"speed": 0.4, "channel_width": 25, "toward": 15})
    """What its owner had it mow with last."""
