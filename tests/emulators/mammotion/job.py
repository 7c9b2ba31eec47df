"""A mowing job of an emulated mower: the route that was ordered and how much of it is mowed."""

from dataclasses import dataclass
from itertools import chain

from pymammotion.proto import NavReqCoverPath

from tests.emulators.mammotion.garden import Garden, element_hash
from tests.emulators.mammotion.geometry import Point, Track, area_m2, stripes

_CENTIMETRES = 100.0


@dataclass(kw_only=True)
class EmulatedJob:
    """One job, from its first metre to its last."""

    route: NavReqCoverPath
    path_hash: int
    track: Track
    size_m2: float
    mowed_metres: float = 0.0

    @property
    def percent(self) -> int:
        """How much is mowed, 0 to 100."""
        return min(100, int(100 * self.mowed_metres / self.track.length))

    @property
    def position(self) -> Point:
        """Where it mows now, or goes on."""
        return self.track.at(self.mowed_metres)

    @property
    def done(self) -> bool:
        """Whether all is mowed."""
        return self.mowed_metres >= self.track.length


def plan(route: NavReqCoverPath, garden: Garden) -> EmulatedJob | None:
    """Plan a job for a route; null when one of its areas is not on the map, or none is named."""
    areas = [garden.area(zone_hash) for zone_hash in route.zone_hashs]
    known = [area for area in areas if area is not None]
    if not known or len(known) != len(areas):
        return None
    spacing = max(route.channel_width, 5) / _CENTIMETRES
    points = tuple(chain.from_iterable(stripes(area.boundary, spacing) for area in known))
    settings = (route.job_mode, route.speed, route.channel_width, route.toward, route.knife_height)
    return EmulatedJob(
        route=route,
        path_hash=element_hash(f"path:{settings}", points),
        track=Track(points),
        size_m2=sum(area_m2(area.boundary) for area in known),
    )
