"""The areas of mowers as devices of their own: they come and go with the map, and keep their names with it."""

from collections.abc import Callable
from functools import partial

from homeassistant.const import Platform
from homeassistant.core import callback

from .arrivals import Arrivals
from .client.mower import Area, Mower
from .devices import Devices
from .dispatch import Dispatch

type AreaNewcomer = Callable[[str, str], None]
"""Is told the ids of a mower and of an area that entities are wanted for."""


class Areas:
    """The areas of one gateway's mowers."""

    def __init__(self, devices: Devices, arrivals: Arrivals) -> None:
        """Make and remove devices with these, and entities in turns."""
        self._devices = devices
        self._arrivals = arrivals
        self._maps: dict[str, tuple[Area, ...]] = {}
        """As they were put last."""
        self._newcomers: dict[Platform, AreaNewcomer] = {}
        self._known: dict[str, dict[str, Area]] = {}
        self._shown: dict[str, dict[str, Area]] = {}
        """As the mowers' views have them: none while no map is known."""
        self._changes = Dispatch()

    @callback
    def on_new(self, newcomer: AreaNewcomer, platform: Platform) -> None:
        """Have a platform make its entities for each area that will come."""
        self._newcomers[platform] = newcomer

    @callback
    def listen(self, mower_id: str, area_id: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Have a listener told when an area changed or left the map; the answer takes it away again."""
        return self._changes.listen(f"{mower_id}/{area_id}", listener)

    @callback
    def find(self, mower_id: str, area_id: str) -> Area | None:
        """Return an area of a mower's map."""
        return self._shown.get(mower_id, {}).get(area_id)

    @callback
    def follow(self, mower: Mower) -> None:
        """Follow the map of a mower that was put once."""
        if mower.id in self._maps:
            self.put(mower)

    @callback
    def put(self, mower: Mower) -> None:
        """Take a mower's map: its device must be there."""
        if self._maps.get(mower.id) == mower.areas:
            return
        self._maps[mower.id] = mower.areas
        fresh = {area.id: area for area in mower.areas}
        self._show(mower.id, fresh)
        if not mower.areas:
            # No map is known: that says nothing about the areas.
            return
        known = self._known.get(mower.id)
        if known is None:
            # What the registry has from before: an area may have gone while nobody looked.
            known = {}
            for area_id in self._devices.area_ids(mower.id) - {area.id for area in mower.areas}:
                self._devices.remove_area(mower.id, area_id)
        self._known[mower.id] = fresh
        for area_id in known.keys() - fresh.keys():
            self._devices.remove_area(mower.id, area_id)
        for area in fresh.values():
            before = known.get(area.id)
            if before is None:
                self._arrivals.add(partial(self._make, mower.id, area.id))
            elif before.name != area.name:
                self._devices.put_area(mower.id, area)

    def _make(self, mower_id: str, area_id: str) -> None:
        """Make what an area brings, unless it has left the map meanwhile."""
        area = self._known.get(mower_id, {}).get(area_id)
        if area is not None:
            self._devices.put_area(mower_id, area)
            for newcomer in self._newcomers.values():
                newcomer(mower_id, area_id)

    @callback
    def _show(self, mower_id: str, fresh: dict[str, Area]) -> None:
        """Tell of the areas that changed."""
        shown = self._shown.get(mower_id, {})
        self._shown[mower_id] = fresh
        for area_id in shown.keys() | fresh.keys():
            if shown.get(area_id) != fresh.get(area_id):
                self._changes.tell(f"{mower_id}/{area_id}")

    @callback
    def forget(self, mower_id: str) -> None:
        """Forget a mower whose device is gone, and its areas' with it."""
        self._maps.pop(mower_id, None)
        self._known.pop(mower_id, None)
        self._shown.pop(mower_id, None)
