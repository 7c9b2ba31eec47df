"""Whole services of the device gateway with simulated mowers, and what stands around them."""

from collections.abc import Awaitable, Callable, Sequence

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.mower import Activity, MowerState
from edge_gateway.database.pools import open_pool
from edge_gateway.device_gateway.actor import Actor
from edge_gateway.device_gateway.provider import Provider
from edge_gateway.device_gateway.service import DeviceGatewayService
from edge_gateway.device_gateway.settings import DeviceGatewaySettings, SimulatorSettings
from edge_gateway.device_gateway.simulator.driver import SimulatedDriver
from edge_gateway.device_gateway.vendor_memory import VendorMemory
from tests.eventually import eventually
from tests.service.device_gateway.outside import Outside
from tests.service.device_gateway.stand_in_fleet import StandInFleet
from tests.service.device_gateway.yard import Connect

DAISY = "fleet-SIM-0001"
CLOVER = "fleet-SIM-0002"
FAST = 600.0
"""A small lawn in some seconds."""


class Town(Outside):
    """Bus, database, fleet and, one after the other or at once, whole services."""

    def __init__(self, connect: Connect, database_url: str, clock: SystemClock) -> None:
        """Put it together."""
        super().__init__(clock)
        self.fleet = StandInFleet()
        self.fleet_bus: EventBus
        self._connect = connect
        self._database_url = database_url
        self._ends: list[Callable[[], Awaitable[None]]] = []

    async def open(self) -> None:
        """Connect and listen; the fleet answers when it is told to."""
        self.fleet_bus = await self._connect()
        await self.listen(await self._connect())

    async def service(
        self,
        *,
        mowers: int = 1,
        speed: float = FAST,
        instance_id: str = "instance-1",
        providers: Sequence[Provider] = (),
    ) -> DeviceGatewayService:
        """Start a service."""
        pool = await open_pool(self._database_url, application_name="test")
        service = DeviceGatewayService(
            bus=await self._connect(),
            pool=pool,
            clock=self.clock,
            settings=DeviceGatewaySettings(retry_seconds=0.05),
            simulator=SimulatorSettings(mowers=mowers, speed=speed),
            instance_id=instance_id,
            providers=providers,
        )
        await service.start()
        self._ends += [service.stop, pool.close]
        return service

    async def memory(self, provider: str) -> VendorMemory:
        """Return where a provider keeps what it knows about its mowers."""
        pool = await open_pool(self._database_url, application_name="test")
        self._ends.append(pool.close)
        return VendorMemory(pool, provider)

    async def driver(self, service: DeviceGatewayService, mower_id: str = DAISY) -> SimulatedDriver:
        """Return the handle on a simulated mower, as soon as it is followed."""

        async def followed() -> Actor | None:
            return service.roster.actor(mower_id)

        driver = (await eventually(followed)).driver
        assert isinstance(driver, SimulatedDriver)
        return driver

    def last(self, mower_id: str = DAISY) -> MowerState | None:
        """Return the last state heard of a mower."""
        return next((state for state in reversed(self.states) if state.mower_id == mower_id), None)

    async def seen(self, activity: Activity, mower_id: str = DAISY, *, seconds: float = 15) -> MowerState:
        """Wait until a mower is in this state."""
        await self.until(
            lambda: (last := self.last(mower_id)) is not None and last.activity is activity, seconds=seconds
        )
        last = self.last(mower_id)
        assert last is not None
        return last

    async def close(self) -> None:
        """End every service."""
        for end in self._ends:
            await end()
