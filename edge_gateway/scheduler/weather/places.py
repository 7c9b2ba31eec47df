"""The place whose weather counts for a mower. Pure."""

from typing import NamedTuple

from edge_gateway.contracts.fleet import Site
from edge_gateway.scheduler.records import MowerRecord


class Place(NamedTuple):
    """Degrees, rounded to hundredths (about a kilometre): mowers of one garden share a forecast."""

    latitude: float
    longitude: float


def rounded(latitude: float, longitude: float) -> Place:
    """Return the place that stands for some coordinates."""
    # Adding zero makes one place of 0 and -0.
    return Place(round(latitude, 2) + 0.0, round(longitude, 2) + 0.0)


def place_of(site: Site, mower: MowerRecord) -> Place | None:
    """Return the site's place, else the map's origin, else where the mower was last; null when none is known."""
    for latitude, longitude in (
        (site.latitude, site.longitude),
        (mower.origin_latitude, mower.origin_longitude),
        (mower.latitude, mower.longitude),
    ):
        if latitude is not None and longitude is not None:
            return rounded(latitude, longitude)
    return None
