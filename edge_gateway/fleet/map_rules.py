"""What a new map does to the areas that the fleet keeps. Pure."""

from collections.abc import Mapping, Sequence

import msgspec

from edge_gateway.contracts.fleet import MowerArea
from edge_gateway.contracts.map import MowerMap


class KeptArea(msgspec.Struct, frozen=True, kw_only=True):
    """An area as it is kept."""

    id: str
    map_name: str
    given_name: str | None = None
    """What the owner calls it."""
    enabled: bool = True
    size_m2: float | None = None
    place: int
    """Its place in the map."""

    def shown(self) -> MowerArea:
        """Return the area as others see it: by its owner's name where there is one."""
        return MowerArea(id=self.id, name=self.given_name or self.map_name, enabled=self.enabled, size_m2=self.size_m2)


class AreaChanges(msgspec.Struct, frozen=True):
    """What is to be written."""

    put: Sequence[KeptArea]
    """New ones and those that changed."""
    removed: Sequence[str]

    def __bool__(self) -> bool:
        """Tell whether anything changes."""
        return bool(self.put or self.removed)


def follow_map(kept: Mapping[str, KeptArea], new_map: MowerMap) -> AreaChanges:
    """Return the changes that a map brings.

    An area is the same when its id of ours is. Names and sizes of the map are followed; what the owner named or
    disabled stays. Only a complete map removes what it lacks.
    """
    put = []
    for place, area in enumerate(new_map.areas):
        known = kept.get(area.id)
        new = KeptArea(
            id=area.id,
            map_name=area.name,
            given_name=None if known is None else known.given_name,
            enabled=True if known is None else known.enabled,
            # A map may come without sizes; absent is not gone.
            size_m2=known.size_m2 if known is not None and area.size_m2 is None else area.size_m2,
            place=place,
        )
        if new != known:
            put.append(new)
    mapped = {area.id for area in new_map.areas}
    removed = [area_id for area_id in kept if area_id not in mapped] if new_map.complete else []
    return AreaChanges(put, removed)
