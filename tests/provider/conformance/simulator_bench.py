"""The simulator on the bench."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, override

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.device_gateway.settings import SimulatorSettings
from edge_gateway.device_gateway.simulator.driver import SimulatedDriver
from edge_gateway.device_gateway.simulator.faults import Fault
from edge_gateway.device_gateway.simulator.provider import SimulatorProvider
from edge_gateway.device_gateway.simulator.store import MemoryStore
from tests.provider.conformance.bench import Bench

# Slow enough that a job does not end within a test, fast enough that nobody waits for the machine's own seconds.
_SPEED = 100


class SimulatorBench(Bench):
    """One simulated mower."""

    wait_seconds = 5.0
    setting: tuple[str, Any] = ("cutting_height_mm", 55)

    def __init__(self, model_number: int) -> None:
        """Put the n-th simulated mower on it."""
        settings = SimulatorSettings(mowers=model_number, speed=_SPEED)
        self.provider = SimulatorProvider(settings, store=MemoryStore(), clock=SystemClock())
        self._vendor_key = f"SIM-{model_number:04d}"
        self._drivers: list[SimulatedDriver] = []

    @override
    def frames(self) -> int:
        # What the drivers before a restart sent counts too.
        driver = self.provider.drivers[self._vendor_key]
        if driver not in self._drivers:
            self._drivers.append(driver)
        return sum(len(each.frames) for each in self._drivers)

    @override
    async def break_link(self) -> None:
        await self.provider.drivers[self._vendor_key].set_fault(Fault.OFFLINE)

    @override
    async def mend_link(self) -> None:
        await self.provider.drivers[self._vendor_key].set_fault(Fault.NONE)

    @override
    async def silence(self) -> None:
        await self.provider.drivers[self._vendor_key].set_fault(Fault.SILENT)

    @override
    async def refuse(self) -> None:
        await self.provider.drivers[self._vendor_key].set_fault(Fault.REFUSE)


@asynccontextmanager
async def open_small() -> AsyncIterator[Bench]:
    """Open the bench of a mower that cannot turn back on its way home."""
    yield SimulatorBench(1)


@asynccontextmanager
async def open_large() -> AsyncIterator[Bench]:
    """Open the bench of a mower that can."""
    yield SimulatorBench(3)
