"""Brings entities piece by piece, with turns for other work between: a mower with a large map has dozens."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback

from .client.turns import Turns


class Arrivals:
    """What is still to be made, in order. A piece looks itself whether it is still wanted when its turn comes."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
        """Start with nothing to be made."""
        self._hass = hass
        self._entry = entry
        self._pieces: deque[Callable[[], None]] = deque()
        self._working = False
        self._worker: asyncio.Task[None] | None = None

    @callback
    def add(self, *pieces: Callable[[], None]) -> None:
        """Have pieces made: at once as far as they are short, and else in turns."""
        self._pieces.extend(pieces)
        if not self._working:
            self._working = True
            self._worker = self._entry.async_create_background_task(self._hass, self._work(), "mowdeck arrivals")

    @callback
    def stop(self) -> None:
        """Make no more."""
        self._pieces.clear()

    async def settled(self) -> None:
        """Wait until everything is there."""
        if self._working and self._worker is not None:
            await self._worker

    async def _work(self) -> None:
        turns = Turns()
        try:
            while self._pieces:
                self._pieces.popleft()()
                await turns.give()
        finally:
            self._working = False
