"""What the gateway knows of a mower and does not push: asked for when something says that it changed, and now and then.

Nothing is asked that no entity shows.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval

from .client.errors import ClientError
from .const import LOGGER
from .dispatch import Dispatch

INTERVAL = timedelta(minutes=10)
"""Totals grow while a mower mows; what matters at once is told by an event."""

AT_A_TIME = 4
"""Requests to one gateway."""


class Lookup[T]:
    """One kind of knowledge, by mower."""

    def __init__(
        self, hass: HomeAssistant, entry: ConfigEntry, name: str, fetch: Callable[[str], Awaitable[T]]
    ) -> None:
        """Take what asks the gateway."""
        self.values: dict[str, T] = {}
        self._hass = hass
        self._entry = entry
        self._name = name
        self._fetch = fetch
        self._dispatch = Dispatch()
        self._shown: set[str] = set()
        self._stale: set[str] = set()
        self._worker: asyncio.Task[None] | None = None

    @callback
    def start(self) -> None:
        """Ask anew now and then, for as long as the entry is loaded."""
        self._entry.async_on_unload(async_track_time_interval(self._hass, self._refresh_all, INTERVAL))

    @callback
    def listen(self, mower_id: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Have a listener told when the knowledge of a mower changed; asks for it when nobody has."""
        if mower_id not in self._shown:
            self._shown.add(mower_id)
            self.refresh(mower_id)
        return self._dispatch.listen(mower_id, listener)

    @callback
    def put(self, mower_id: str, value: T) -> None:
        """Take what a request was answered with."""
        self.values[mower_id] = value
        self._dispatch.tell(mower_id)

    @callback
    def refresh(self, mower_id: str) -> None:
        """Ask for a mower's anew, if anybody shows it; several wishes at once are one request."""
        if mower_id not in self._shown:
            return
        self._stale.add(mower_id)
        if self._worker is None or self._worker.done():
            self._worker = self._entry.async_create_background_task(self._hass, self._work(), f"mowdeck {self._name}")

    @callback
    def forget(self, mower_id: str) -> None:
        """Forget a mower that is gone."""
        self.values.pop(mower_id, None)
        self._shown.discard(mower_id)
        self._stale.discard(mower_id)

    @callback
    def refresh_all(self) -> None:
        """Ask for everything that is shown."""
        for mower_id in tuple(self._shown):
            self.refresh(mower_id)

    @callback
    def _refresh_all(self, _now: datetime) -> None:
        self.refresh_all()

    async def _work(self) -> None:
        """Ask for what is stale, a few at a time, until nothing is."""
        while self._stale:
            some = [self._stale.pop() for _ in range(min(AT_A_TIME, len(self._stale)))]
            await asyncio.gather(*(self._ask(mower_id) for mower_id in some))

    async def _ask(self, mower_id: str) -> None:
        try:
            value = await self._fetch(mower_id)
        except ClientError as error:
            # What is known stays; it is asked again at the next interval or event.
            LOGGER.debug("No %s of %s: %s", self._name, mower_id, error)
            return
        if mower_id in self._shown:
            self.put(mower_id, value)
