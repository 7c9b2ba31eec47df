"""A mower's map as SVG. Pure; every text that comes from elsewhere is escaped."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from .client.map import Map, Point, Ring
from .client.mower import Area

WIDTH = 1000.0
"""Of the drawing; the height follows the ground."""

MARGIN = 40.0

ENABLED, DISABLED, CURRENT = "#8bc34a", "#cfd8dc", "#4caf50"


def draw(ground: Map, areas: Iterable[Area], current_area_id: str | None) -> bytes:
    """Return the map; areas that are switched off are grey, and the one that is mowed is darker."""
    points = [point for ring in _rings(ground) for point in ring]
    if ground.dock is not None:
        points.append(ground.dock)
    if not points:
        points = [(0.0, 0.0)]
    place = _Placing(points)
    known = {area.id: area for area in areas}
    parts: list[str] = []
    for area in ground.areas:
        if not area.boundary:
            continue
        fleet = known.get(area.id)
        name = area.name if fleet is None else fleet.name
        colour = DISABLED if fleet is not None and not fleet.enabled else ENABLED
        parts.append(place.polygon(area.boundary, CURRENT if area.id == current_area_id else colour, name))
        parts.append(place.label(area.boundary, name))
    parts += [place.polygon(ring, "#8d6e63", None) for ring in ground.obstacles if ring]
    parts += [place.polygon(ring, "#ef9a9a", None) for ring in ground.no_go_zones if ring]
    if ground.dock is not None:
        east, north = place.point(ground.dock)
        parts.append(f'<circle cx="{east:.1f}" cy="{north:.1f}" r="12" fill="#37474f"/>')
    size = f'viewBox="0 0 {WIDTH:.0f} {place.height:.0f}" width="{WIDTH:.0f}" height="{place.height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'.encode()


def _rings(ground: Map) -> Iterable[Ring]:
    yield from (area.boundary for area in ground.areas)
    yield from ground.obstacles
    yield from ground.no_go_zones


class _Placing:
    """From metres on the ground to the drawing: north is up."""

    def __init__(self, points: list[Point]) -> None:
        self._west = min(east for east, _ in points)
        self._north = max(north for _, north in points)
        span = max(max(east for east, _ in points) - self._west, 1.0)
        self._scale = (WIDTH - 2 * MARGIN) / span
        self.height = (self._north - min(north for _, north in points)) * self._scale + 2 * MARGIN

    def point(self, point: Point) -> Point:
        """Return a place on the drawing."""
        east, north = point
        return (east - self._west) * self._scale + MARGIN, (self._north - north) * self._scale + MARGIN

    def polygon(self, ring: Ring, colour: str, name: str | None) -> str:
        """Return an area of a colour."""
        corners = " ".join(f"{east:.1f},{north:.1f}" for east, north in map(self.point, ring))
        title = "" if name is None else f"<title>{escape(name)}</title>"
        label = "" if name is None else f" aria-label={quoteattr(name)}"
        return f'<polygon points="{corners}" fill="{colour}" stroke="#455a64" stroke-width="2"{label}>{title}</polygon>'

    def label(self, ring: Ring, name: str) -> str:
        """Return a name in the middle of an area."""
        placed = [self.point(point) for point in ring]
        east = sum(point[0] for point in placed) / len(placed)
        north = sum(point[1] for point in placed) / len(placed)
        style = 'text-anchor="middle" font-family="sans-serif" font-size="24" fill="#263238"'
        return f'<text x="{east:.1f}" y="{north:.1f}" {style}>{escape(name)}</text>'
