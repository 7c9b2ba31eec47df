"""The map of one mower: read from the library, its areas identified and remembered."""

import asyncio

from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.map import MowerMap
from edge_gateway.device_gateway.mammotion.area_identity import identify, remember
from edge_gateway.device_gateway.mammotion.map_mapping import mower_map, seen_areas
from edge_gateway.device_gateway.mammotion.memory import Memory
from edge_gateway.device_gateway.mammotion.mower_link import MowerLink
from edge_gateway.device_gateway.mammotion.reading import Reading
from edge_gateway.device_gateway.mammotion.vendor_words import base_is_placed, known_zone_hashes, map_is_stale, read_map

MAP_SECONDS = 20.0
"""How long an order waits for a map that was just edited."""


class MapKeeper:
    """Keeps the last complete map."""

    def __init__(self, memory: Memory, clock: Clock, *, mower_id: str, account_id: str) -> None:
        """Know no map yet."""
        self.current: MowerMap | None = None
        self._memory = memory
        self._clock = clock
        self._mower_id = mower_id
        self._account_id = account_id
        self._updated = asyncio.Event()

    @property
    def area_ids(self) -> dict[int, str]:
        """Our ids by the vendor's hashes, of areas that are gone as well (a job may still name them)."""
        return {int(area.vendor_key): area.id for area in reversed(self._memory.content.areas)}

    def lacks_origin(self, link: MowerLink) -> bool:
        """Tell whether the base station's place became known after the map."""
        known = self.current is not None and self.current.origin_latitude is not None
        return self.current is not None and not known and base_is_placed(link.device)

    def update(self, link: MowerLink) -> MowerMap | None:
        """Take what the library has now; return the map when it changed."""
        self._updated.set()
        vendor_map = read_map(link.device)
        halfway = self.current is not None or link.reading_map or not vendor_map.areas
        if not vendor_map.complete and halfway:
            # The rest comes, or the old one is better.
            return None
        known = self._memory.content.areas
        areas = identify(known, seen_areas(vendor_map))
        if vendor_map.complete:
            self._memory.change(areas=remember(known, areas))
        fresh = mower_map(
            vendor_map,
            areas,
            mower_id=self._mower_id,
            account_id=self._account_id,
            observed_at=self._clock.now(),
        )
        if self.current is not None and _same(fresh, self.current):
            return None
        self.current = fresh
        return fresh

    async def zone_hashes(self, link: MowerLink, area_ids: tuple[str, ...], reading: Reading) -> tuple[int, ...]:
        """Return the vendor's hashes of areas, from the map that the mower has now.

        Raises `InvalidError` (`areas_gone`) naming those that are not on it.
        """
        if map_is_stale(link.device, reading):
            await self._read_again(link, reading)
        on_map = known_zone_hashes(link.device.map)
        hashes = {area.id: int(area.vendor_key) for area in reversed(self._memory.content.areas)}
        gone = [area_id for area_id in area_ids if hashes.get(area_id) not in on_map]
        if gone or not area_ids:
            raise InvalidError(
                "areas_gone",
                "The mower's map has not all of the areas any more.",
                remedy="Choose from the areas of the present map.",
                field="area_ids",
                values={"area_ids": gone},
            )
        return tuple(hashes[area_id] for area_id in area_ids)

    async def _read_again(self, link: MowerLink, reading: Reading) -> None:
        if not link.reading_map:
            await link.read_map()
        try:
            async with asyncio.timeout(MAP_SECONDS):
                while map_is_stale(link.device, reading) or link.reading_map:
                    self._updated.clear()
                    await self._updated.wait()
        except TimeoutError:
            # What is known is checked all the same: an area that is still there can be mowed.
            return


def _same(one: MowerMap, other: MowerMap) -> bool:
    return (one.complete, one.areas, one.obstacles, one.no_go_zones, one.dock, one.origin_latitude) == (
        other.complete,
        other.areas,
        other.obstacles,
        other.no_go_zones,
        other.dock,
        other.origin_latitude,
    )
