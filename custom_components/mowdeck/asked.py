"""Switches whose truth is at the gateway: they show what it confirmed, and what was asked only until it answers."""

import asyncio
from abc import abstractmethod
from typing import Any, override

from homeassistant.components.switch import SwitchEntity

from .entity import MowDeckEntity
from .hub import Hub
from .roster import Roster, View


class AskedSwitch[V: View](MowDeckEntity[V], SwitchEntity):
    """One switch of a mower or a schedule."""

    def __init__(self, hub: Hub, roster: Roster[V], subject_id: str, key: str) -> None:
        """Show one thing's switch."""
        super().__init__(hub, roster, subject_id, key)
        self._asked: bool | None = None
        self._waiting = 0
        """How many calls have no answer yet."""
        self._turn = asyncio.Lock()
        """One request at a time, or the gateway might hear the first press last."""

    @property
    @abstractmethod
    def _confirmed(self) -> bool:
        """What the gateway says."""

    @abstractmethod
    async def _send(self, *, on: bool) -> None:
        """Ask the gateway for it."""

    @property
    @override
    def is_on(self) -> bool:
        """Whether it is on."""
        return self._confirmed if self._asked is None else self._asked

    @override
    def _shown(self) -> object:
        return self.is_on

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Turn it on."""
        await self._ask(on=True)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn it off."""
        await self._ask(on=False)

    async def _ask(self, *, on: bool) -> None:
        self._asked = on
        self._waiting += 1
        self._look()
        try:
            async with self._turn:
                await self._send(on=on)
        finally:
            self._waiting -= 1
            if self._waiting == 0:
                self._asked = None
            self._look()
