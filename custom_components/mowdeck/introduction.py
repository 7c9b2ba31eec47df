"""Makes the people of this Home Assistant and what they may do known to a gateway, and keeps it so."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any, override

from homeassistant.auth import EVENT_USER_ADDED, EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.const import Platform
from homeassistant.core import CALLBACK_TYPE, Event, HassJob, HomeAssistant, callback
from homeassistant.helpers.device_registry import EVENT_DEVICE_REGISTRY_UPDATED
from homeassistant.helpers.entity_registry import EVENT_ENTITY_REGISTRY_UPDATED
from homeassistant.helpers.event import async_call_later

from .client.caller import People
from .client.errors import ClientError, RefusedError
from .client.person import House
from .const import LOGGER
from .hub import Hub, MowDeckConfigEntry
from .people import house_of

DEBOUNCE_SECONDS = 1.0
"""Several changes in a row are told once (design)."""

AGAIN_SECONDS = 30.0
"""When a gateway could not take it; one that is not reached is told when it is back."""

_PLATFORMS = (f"{Platform.LAWN_MOWER}.", f"{Platform.CALENDAR}.")
_NOT_NEWER = "revision_not_newer"
_OLDER_GATEWAY = frozenset({"no_such_path", "no_such_method"})


class Introduction(People):
    """What one gateway was told of this house."""

    def __init__(self, hass: HomeAssistant, entry: MowDeckConfigEntry, hub: Hub) -> None:
        """Tell this gateway."""
        self._hass = hass
        self._entry = entry
        self._hub = hub
        self._turn = asyncio.Lock()
        self._introducing: asyncio.Task[Any] | None = None
        self._told: House | None = None
        self._revision = 0
        self._cancel: CALLBACK_TYPE | None = None
        self._when_due = HassJob(self._due, "mowdeck introduction", cancel_on_shutdown=True)

    @callback
    def start(self) -> None:
        """Tell it now, when somebody or something of it changes, and each time that the gateway is back."""
        self._hub.client.people = self
        listen, unload = self._hass.bus.async_listen, self._entry.async_on_unload
        for event_type in (EVENT_USER_ADDED, EVENT_USER_UPDATED, EVENT_USER_REMOVED):
            unload(listen(event_type, self._changed))
        unload(listen(EVENT_ENTITY_REGISTRY_UPDATED, self._changed, event_filter=_is_of_a_mower))
        unload(listen(EVENT_DEVICE_REGISTRY_UPDATED, self._changed, event_filter=_is_in_another_area))
        unload(self._hub.on_back(self._is_back))
        unload(self._stop)
        # At once: what somebody plans before it is known would be the gateway's own.
        self._due(None)

    @override
    async def introduce(self) -> bool:
        if self._introducing is asyncio.current_task():
            # Not even its own owner does it know: it is no gateway that could be told anything.
            return False
        async with self._turn:
            self._introducing = asyncio.current_task()
            try:
                return await self._introduce()
            finally:
                self._introducing = None

    async def _introduce(self) -> bool:
        house = await house_of(self._hass, self._entry.entry_id)
        if house is None:
            return False
        try:
            await self._put(house)
        except RefusedError as error:
            self._told = None
            if error.code in _OLDER_GATEWAY:
                # It asks nobody who they are; everything is done in the name of its own owner, as ever.
                self.owner = None
            else:
                LOGGER.warning("The gateway does not take who lives here: %s", error.sentence)
            return False
        self._told, self.owner = house, house.owner
        return True

    async def _put(self, house: House) -> None:
        """Send it with a revision above all before, also those of a life of which nothing is remembered here."""
        self._revision = max(self._revision + 1, int(time.time() * 1000))
        try:
            await self._hub.client.put_house(house, self._revision)
        except RefusedError as error:
            known = error.values.get("known")
            if error.code != _NOT_NEWER or not isinstance(known, int):
                raise
            self._revision = known + 1
            await self._hub.client.put_house(house, self._revision)

    async def _tell(self) -> None:
        """Tell it unless it was told already."""
        if self._told is not None and self._told == await house_of(self._hass, self._entry.entry_id):
            return
        try:
            await self.introduce()
        except ClientError as error:
            LOGGER.debug("The gateway was not told who lives here: %s", error)
            self._schedule(AGAIN_SECONDS)

    @callback
    def _is_back(self) -> None:
        # It may have been restored to a time at which it knew somebody else.
        self._told = None
        self._schedule(DEBOUNCE_SECONDS)

    @callback
    def _changed(self, _event: Event[Any]) -> None:
        self._schedule(DEBOUNCE_SECONDS)

    @callback
    def _schedule(self, seconds: float) -> None:
        self._stop()
        self._cancel = async_call_later(self._hass, seconds, self._when_due)

    @callback
    def _due(self, _now: object) -> None:
        self._cancel = None
        self._entry.async_create_background_task(self._hass, self._tell(), "mowdeck introduction")

    @callback
    def _stop(self) -> None:
        if self._cancel is not None:
            self._cancel()
            self._cancel = None


@callback
def _is_of_a_mower(data: Mapping[str, Any]) -> bool:
    return str(data["entity_id"]).startswith(_PLATFORMS)


@callback
def _is_in_another_area(data: Mapping[str, Any]) -> bool:
    return "area_id" in data.get("changes", ())
