"""The template for new vendors on the bench: what it teaches has to hold."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, override

from edge_gateway.contracts.clock import SystemClock
from tests.provider.conformance.bench import Bench
from tests.provider.template.machine import ExampleMower
from tests.provider.template.provider import ExampleProvider


class TemplateBench(Bench):
    """One mower of the vendor that does not exist."""

    wait_seconds = 5.0
    setting: tuple[str, Any] = ("blade_height", 55)

    def __init__(self, *, has_areas: bool) -> None:
        """Put it on the bench."""
        self._mower = ExampleMower("EX-1", has_areas=has_areas)
        self.provider = ExampleProvider((self._mower,), clock=SystemClock())

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
