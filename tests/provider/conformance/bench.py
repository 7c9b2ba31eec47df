"""A bench: one provider with one mower on it, and hands that can break things around it."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, override

from edge_gateway.contracts.map import MowerMap
from edge_gateway.device_gateway.provider import (
    Driver,
    DriverAvailability,
    DriverListener,
    DriverState,
    FoundMower,
    Provider,
    ProviderListener,
)

MOWER_ID = "mower-1"
ACCOUNT_ID = "home"


class Bench(Protocol):
    """One provider under test; its mower stands charged in its dock without a job when the bench begins."""

    provider: Provider
    wait_seconds: float
    """How long anything may take to show."""
    setting: tuple[str, Any]
    """A setting that the mower has, and a value for it that it does not have yet."""

    def frames(self) -> int:
        """Return how many motion frames reached the mower so far."""
        ...

    async def break_link(self) -> None:
        """Cut the mower off, so that the provider can know it."""
        ...

    async def mend_link(self) -> None:
        """Undo it."""
        ...

    async def silence(self) -> None:
        """Let the mower hear orders no longer and answer nothing, while the link looks alive."""
        ...

    async def refuse(self) -> None:
        """Let the mower refuse orders."""
        ...


type OpenBench = Callable[[], AbstractAsyncContextManager[Bench]]


class Found(ProviderListener):
    """Hears which mowers a provider finds."""

    def __init__(self) -> None:
        """Begin with none."""
        self.mowers: asyncio.Queue[FoundMower] = asyncio.Queue()

    @override
    async def mower_found(self, found: FoundMower) -> None:
        await self.mowers.put(found)


class Heard(DriverListener):
    """Hears one driver and remembers everything."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.states: list[DriverState] = []
        self.availabilities: list[DriverAvailability] = []
        self.maps: list[MowerMap] = []
        self._news = asyncio.Event()

    @override
    async def state_changed(self, state: DriverState) -> None:
        self.states.append(state)
        self._news.set()

    @override
    async def availability_changed(self, availability: DriverAvailability) -> None:
        self.availabilities.append(availability)
        self._news.set()

    @override
    async def map_changed(self, mower_map: MowerMap) -> None:
        self.maps.append(mower_map)
        self._news.set()

    async def until(self, true: Callable[[], bool], *, seconds: float) -> None:
        """Wait until something is true, looked at after each thing heard; fails after so long."""
        async with asyncio.timeout(seconds):
            while not true():
                self._news.clear()
                await self._news.wait()


class OnBench:
    """A driver on its bench, with who hears it."""

    def __init__(self, bench: Bench, found: FoundMower, heard: Heard) -> None:
        """Make the driver of a mower that was found."""
        self.bench = bench
        self._found = found
        self.driver = self._new_driver()
        self.heard = heard
        self.asked = 0
        """How often a motion frame asked whether it may leave."""

    async def start(self) -> None:
        """Follow the mower."""
        await self.driver.start(self.heard)

    async def start_anew(self) -> None:
        """Follow it with another driver, which knows what was kept, as after a restart; the last one is stopped."""
        self.driver = self._new_driver()
        await self.start()

    def _new_driver(self) -> Driver:
        return self.bench.provider.driver(self._found, mower_id=MOWER_ID, account_id=ACCOUNT_ID)

    async def may_move(self) -> None:
        """Let every frame through."""
        self.asked += 1

    async def seen(self, true: Callable[[DriverState], bool]) -> DriverState:
        """Wait until the last state heard is so; return it."""
        await self.heard.until(
            lambda: bool(self.heard.states) and true(self.heard.states[-1]), seconds=self.bench.wait_seconds
        )
        return self.heard.states[-1]

    async def available(self, *, wanted: bool) -> None:
        """Wait until the mower is told available, or no longer."""
        await self.heard.until(
            lambda: bool(self.heard.availabilities) and self.heard.availabilities[-1].available is wanted,
            seconds=self.bench.wait_seconds,
        )
