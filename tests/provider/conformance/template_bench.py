"""The template for new vendors on the bench: what it teaches has to hold."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, override

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.device_gateway.vendor_memory import MemoryStore
from tests.provider.conformance.bench import Bench
from tests.provider.template.machine import ExampleMower
from tests.provider.template.provider import ExampleProvider


class Shelf(MemoryStore):
    """Keeps what a provider hands over for as long as the bench stands."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._kept: dict[str, bytes] = {}

    @override
    async def load(self, vendor_key: str) -> bytes | None:
        return self._kept.get(vendor_key)

    @override
    async def save(self, vendor_key: str, content: bytes) -> None:
        self._kept[vendor_key] = content


class TemplateBench(Bench):
    """One mower of the vendor that does not exist."""

    wait_seconds = 5.0
    setting: tuple[str, Any] = ("blade_height", 55)

    def __init__(self, *, has_areas: bool) -> None:
        """Put it on the bench."""
        self._mower = ExampleMower("EX-1", has_areas=has_areas)
        self.provider = ExampleProvider((self._mower,), clock=SystemClock(), store=Shelf())

    @override
    def frames(self) -> int:
        return len(self._mower.orders)

    @override
    async def break_link(self) -> None:
        self._mower.online = False
        self._mower.changed()

    @override
    async def mend_link(self) -> None:
        self._mower.online = True
        self._mower.changed()

    @override
    async def silence(self) -> None:
        self._mower.deaf = True

    @override
    async def refuse(self) -> None:
        self._mower.refuses = True


@asynccontextmanager
async def open_template() -> AsyncIterator[Bench]:
    """Open the bench of the template."""
    yield TemplateBench(has_areas=True)


@asynccontextmanager
async def open_template_without_areas() -> AsyncIterator[Bench]:
    """Open the bench of one that keeps no map: it says so, and mows all that lies within its wire."""
    yield TemplateBench(has_areas=False)
