"""The provider of simulated mowers."""

import math
from typing import override

from edge_gateway.contracts.clock import Clock
from edge_gateway.device_gateway.provider import FoundMower, Provider, ProviderListener
from edge_gateway.device_gateway.settings import SimulatorSettings
from edge_gateway.device_gateway.simulator.driver import SimulatedDriver
from edge_gateway.device_gateway.simulator.gardens import KINDS, mower_name
from edge_gateway.device_gateway.simulator.machine import Body
from edge_gateway.device_gateway.simulator.report import Site
from edge_gateway.device_gateway.simulator.store import MachineStore

_GARDENS_IN_A_ROW = 20
_GARDEN_DEGREES = 0.001
"""About 100 m: the gardens lie side by side."""
_FIRMWARE = "1.0.0"
"""There is no other: a simulated mower has the newest."""


class SimulatorProvider(Provider):
    """As many mowers as the settings say, the same ones at every start."""

    name = "simulator"

    def __init__(self, settings: SimulatorSettings, *, store: MachineStore, clock: Clock) -> None:
        """Keep the machines in this store."""
        self.drivers: dict[str, SimulatedDriver] = {}
        """The newest handle on each mower, by vendor key."""
        self._settings = settings
        self._store = store
        self._clock = clock

    @override
    async def start(self, listener: ProviderListener) -> None:
        for number in range(1, self._settings.mowers + 1):
            await listener.mower_found(found_mower(number))

    @override
    async def stop(self) -> None:
        self.drivers.clear()

    @override
    def driver(self, found: FoundMower, *, mower_id: str, account_id: str) -> SimulatedDriver:
        number = int(found.vendor_key.removeprefix("SIM-"))
        model, garden = KINDS[(number - 1) % len(KINDS)]
        row, place = divmod(number - 1, _GARDENS_IN_A_ROW)
        latitude = self._settings.latitude + row * _GARDEN_DEGREES
        longitude = self._settings.longitude + place * _GARDEN_DEGREES / math.cos(math.radians(latitude))
        driver = SimulatedDriver(
            found.vendor_key,
            Body(model=model, garden=garden),
            Site(found.vendor_key, latitude=latitude, longitude=longitude),
            self._settings,
            mower_id=mower_id,
            account_id=account_id,
            store=self._store,
            clock=self._clock,
        )
        self.drivers[found.vendor_key] = driver
        return driver


def found_mower(number: int) -> FoundMower:
    """Return the `number`-th (from 1) simulated mower as it is found."""
    model, _ = KINDS[(number - 1) % len(KINDS)]
    vendor_key = f"SIM-{number:04d}"
    return FoundMower(
        vendor_key=vendor_key,
        name=mower_name(number),
        model=model.name,
        firmware_version=_FIRMWARE,
        newest_firmware_version=_FIRMWARE,
        serial_number=vendor_key,
    )
