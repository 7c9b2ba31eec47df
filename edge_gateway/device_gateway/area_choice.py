"""Which areas a new job mows: those that the order names, else every enabled one (design, Orders). Pure."""

from collections.abc import Set as AbstractSet

from edge_gateway.contracts.map import MowerMap
from edge_gateway.device_gateway.decisions import Refused


def choose_areas(
    named: tuple[str, ...] | None, *, disabled: AbstractSet[str], mower_map: MowerMap | None
) -> tuple[str, ...] | Refused:
    """Return the areas in the order of the request, else of the map; never a guess.

    `disabled`: those that the owner took out; an area that the fleet has not heard of yet is enabled.
    """
    if mower_map is None or not mower_map.areas:
        return Refused(reason="map_unknown", remedy="wait_for_map")
    mapped = tuple(area.id for area in mower_map.areas)
    if named is None:
        chosen = tuple(area_id for area_id in mapped if area_id not in disabled)
        return chosen or Refused(reason="no_area_enabled", remedy="enable_area")
    gone = [area_id for area_id in named if area_id not in mapped]
    if gone:
        return Refused(reason="areas_gone", remedy="choose_areas", values={"area_ids": gone})
    return named or Refused(reason="no_area_named", remedy="choose_areas")
