"""The requests about one mower: what it did, its rain, its map, its areas."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .caller import SELF, Caller
from .health import Health, MowedArea
from .links import Links
from .map import Map
from .mower import Mower
from .transport import Transport
from .weather import MowerWeather, Overrides


class MowerRequests(Transport):
    """What a gateway can be asked about a mower."""

    async def get_health(self, mower_id: str) -> Health:
        """Return what a mower did in its life."""
        return Health.read(await self._ask("GET", f"mowers/{mower_id}/health"))

    async def reset_blades(self, mower_id: str, *, caller: Caller) -> Health:
        """Tell that the blades were changed."""
        return Health.read(await self._ask("POST", f"mowers/{mower_id}/blades/reset", caller=caller))

    async def get_mowed_areas(self, mower_id: str) -> tuple[MowedArea, ...]:
        """Return how long each area was mowed in the last 30 days."""
        return (await self._ask("GET", f"mowers/{mower_id}/areas/mowed")).objects("items", MowedArea.read)

    async def get_weather(self, mower_id: str) -> MowerWeather:
        """Return what the rain rule says at a mower."""
        return MowerWeather.read(await self._ask("GET", f"weather/{mower_id}"))

    async def hold(self, mower_id: str, until: datetime | None, *, caller: Caller) -> Overrides:
        """Have no plan start a mower until a moment; None lets plans start it again."""
        return await self._override(f"mowers/{mower_id}/hold", until, caller)

    async def override_rain(self, mower_id: str, until: datetime | None, *, caller: Caller) -> Overrides:
        """Let a mower mow whatever the rain rule says until a moment; None has it obey again."""
        return await self._override(f"mowers/{mower_id}/rain-override", until, caller)

    async def update_mower(self, mower_id: str, changes: Mapping[str, Any], *, caller: Caller) -> Mower:
        """Change the named fields of a mower."""
        return Mower.read(await self._ask("PATCH", f"mowers/{mower_id}", changes, caller=caller))

    async def update_area(self, mower_id: str, area_id: str, changes: Mapping[str, Any], *, caller: Caller) -> Mower:
        """Change the named fields of an area."""
        return Mower.read(await self._ask("PATCH", f"mowers/{mower_id}/areas/{area_id}", changes, caller=caller))

    async def get_map(self, mower_id: str) -> Map | None:
        """Return a mower's map; None while none is known."""
        return (await self._ask("GET", f"mowers/{mower_id}/map")).object_or_none("map", Map.read)

    async def get_links(self, mower_id: str) -> Links:
        """Return in which order a mower's links are used."""
        return Links.read(await self._ask("GET", f"mowers/{mower_id}/links"))

    async def put_links(self, mower_id: str, links: Links, *, caller: Caller) -> Links:
        """Use a mower's links in another order."""
        return Links.read(await self._ask("PUT", f"mowers/{mower_id}/links", links.json(), caller=caller))

    async def export(self, what: str, query: Mapping[str, str], *, caller: Caller = SELF) -> bytes:
        """Return what is known of a mower's past as a file."""
        return await self._download(f"export/{what}", query, caller)

    async def _override(self, path: str, until: datetime | None, caller: Caller) -> Overrides:
        if until is None:
            return Overrides.read(await self._ask("DELETE", path, caller=caller))
        return Overrides.read(await self._ask("PUT", path, {"until": until.isoformat()}, caller=caller))
