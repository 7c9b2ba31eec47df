"""What is asked for at the gateway: when an event says that it changed, when the gateway is back, now and then."""

import asyncio
from abc import abstractmethod
from datetime import datetime, timedelta
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval

from .client.errors import ClientError, DeadlineError, UnavailableError
from .const import LOGGER
from .happenings import Happening
from .hub import Hub
from .mirrors import Kind

INTERVAL = timedelta(minutes=10)
"""For what no event tells: how much of a budget is used."""

AGAIN_SECONDS = 20.0
"""After an answer that a part of the gateway does not answer: it may only just have started."""


class Followed:
    """One kind of thing, mirrored in subentries."""

    kind: Kind
    event: str | None = None
    """The type of the event that tells of a change."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Any], hub: Hub) -> None:
        """Ask a gateway."""
        self._hass = hass
        self._entry = entry
        self._hub = hub
        self._wanted = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None

    @callback
    def start(self) -> None:
        """Begin to ask."""
        self._entry.async_on_unload(async_track_time_interval(self._hass, self._again, INTERVAL))
        self._entry.async_on_unload(self._hub.on_back(self.look_soon))
        self._entry.async_on_unload(self._hub.on_happening(self._hear))
        self._hub.mirrors.on_deleted(self._hear_deleted)
        self.look_soon()

    @callback
    def look_soon(self) -> None:
        """Ask; several wishes at once are one request."""
        self._wanted.set()
        if self._worker is None or self._worker.done():
            # Not at once: who wishes it may be in the middle of a change.
            self._worker = self._entry.async_create_background_task(
                self._hass, self._work(), f"mowdeck {self.kind}", eager_start=False
            )

    @abstractmethod
    async def _look(self) -> None:
        """Ask, and show what is answered; raises `ClientError`. The mirrors' turn is held."""

    @callback
    def _again(self, _now: datetime) -> None:
        self.look_soon()

    @callback
    def _hear(self, happening: Happening) -> None:
        if self.event is not None and isinstance(happening, dict) and happening.get("type") == self.event:
            self.look_soon()

    @callback
    def _hear_deleted(self, kind: Kind) -> None:
        if kind is self.kind:
            self.look_soon()

    async def _work(self) -> None:
        while self._wanted.is_set():
            self._wanted.clear()
            try:
                async with self._hub.mirrors.turn:
                    await self._hub.mirrors.settle(self.kind)
                    await self._look()
            except ClientError as error:
                # What is known stays; it is asked again at the next interval or event.
                LOGGER.debug("No answer about %s: %s", self.kind, error)
                if isinstance(error, UnavailableError | DeadlineError):
                    await self._wait_for_a_while()

    async def _wait_for_a_while(self) -> None:
        """Wait for the next wish, or wish it ourselves."""
        try:
            async with asyncio.timeout(AGAIN_SECONDS):
                await self._wanted.wait()
        except TimeoutError:
            self._wanted.set()
