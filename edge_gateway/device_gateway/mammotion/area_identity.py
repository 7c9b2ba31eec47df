"""Which area is which after the owner edited the map: an area keeps our id while it is recognisably the same. Pure.

The vendor's key of an area follows from its outline, so every edit makes a new one. An area is the same when its key
is, else when name and outline say so, and across restarts, because what is known is kept.
"""

from collections.abc import Sequence

import msgspec

from edge_gateway.contracts.map import Point

SAME_NAME_OVERLAP = 0.2
"""With the same name so much of both outlines together must be common to them."""
OTHER_NAME_OVERLAP = 0.6
"""With another name so much."""
KEPT_RETIRED = 50
"""So many areas that are gone are remembered: a map that was read halfway, or undone, brings them back."""
_GRID = 40


class KnownArea(msgspec.Struct, frozen=True, kw_only=True):
    """An area with our id."""

    id: str
    vendor_key: str
    name: str
    boundary: tuple[Point, ...] = ()


class SeenArea(msgspec.Struct, frozen=True, kw_only=True):
    """An area on the map that the mower sent."""

    vendor_key: str
    name: str
    boundary: tuple[Point, ...] = ()


def identify(known: Sequence[KnownArea], seen: Sequence[SeenArea]) -> tuple[KnownArea, ...]:
    """Return the seen areas with our ids, in their order."""
    by_key = {area.vendor_key: area for area in known}
    ids = {area.vendor_key: by_key[area.vendor_key].id for area in seen if area.vendor_key in by_key}
    taken = set(ids.values())
    strange = [area for area in seen if area.vendor_key not in ids]
    vacant = [area for area in known if area.id not in taken]
    candidates = sorted(
        (
            (likeness, old.id, new.vendor_key)
            for old in vacant
            for new in strange
            if (likeness := _likeness(old, new)) is not None
        ),
        reverse=True,
    )
    for _, area_id, vendor_key in candidates:
        if area_id not in taken and vendor_key not in ids:
            ids[vendor_key] = area_id
            taken.add(area_id)
    for area in strange:
        if area.vendor_key not in ids:
            ids[area.vendor_key] = _new_id(area, taken)
            taken.add(ids[area.vendor_key])
    return tuple(
        KnownArea(id=ids[area.vendor_key], vendor_key=area.vendor_key, name=area.name, boundary=area.boundary)
        for area in seen
    )


def remember(known: Sequence[KnownArea], current: Sequence[KnownArea]) -> tuple[KnownArea, ...]:
    """Return what to keep: the current areas, then those that are gone, newest first."""
    ids = {area.id for area in current}
    retired = [area for area in known if area.id not in ids]
    return (*current, *retired[:KEPT_RETIRED])


def overlap(one: Sequence[Point], other: Sequence[Point]) -> float:
    """Return how much of two outlines is common to both: 0 (nothing) to 1 (the same), sampled on a grid."""
    if not one or not other:
        return 0.0
    both = (*one, *other)
    west, east = min(x for x, _ in both), max(x for x, _ in both)
    south, north = min(y for _, y in both), max(y for _, y in both)
    common = either = 0
    for row in range(_GRID):
        y = south + (row + 0.5) * (north - south) / _GRID
        for column in range(_GRID):
            point = (west + (column + 0.5) * (east - west) / _GRID, y)
            in_one, in_other = _inside(one, point), _inside(other, point)
            common += in_one and in_other
            either += in_one or in_other
    return common / either if either else 0.0


def _likeness(old: KnownArea, new: SeenArea) -> float | None:
    """Return how surely two areas are the same one; null when they are not."""
    same_name = old.name.casefold() == new.name.casefold()
    if not old.boundary or not new.boundary:
        return 1.0 if same_name else None
    common = overlap(old.boundary, new.boundary)
    if common < (SAME_NAME_OVERLAP if same_name else OTHER_NAME_OVERLAP):
        return None
    return common + (1.0 if same_name else 0.0)


def _new_id(area: SeenArea, taken: set[str]) -> str:
    """Return an id that follows from the vendor's key: the same again when nothing was kept."""
    base = f"area-{area.vendor_key}"
    candidate, number = base, 2
    while candidate in taken:
        candidate, number = f"{base}-{number}", number + 1
    return candidate


def _inside(outline: Sequence[Point], point: Point) -> bool:
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside
