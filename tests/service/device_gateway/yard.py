"""One mower, one database, one bus server: gateways come and go, the mower and the servers stay."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar

from edge_gateway.bus.protocol import EventBus, Lease
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.commands import CommandOutcome
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.device_gateway.actor import Actor
from edge_gateway.device_gateway.repository import KnownMower, Repository
from edge_gateway.device_gateway.settings import DeviceGatewaySettings
from edge_gateway.device_gateway.supervisor import Supervisor
from tests.eventually import eventually
from tests.service.device_gateway.fate import Fate, fated_bus, fated_repository
from tests.service.device_gateway.outside import MOWER_ID, Outside
from tests.service.device_gateway.scripted_mower import ScriptedDriver, ScriptedMower
from tests.service.device_gateway.stand_in_fleet import StandInFleet

SETTINGS = DeviceGatewaySettings(confirm_seconds=5.0, retry_seconds=0.05)

_LIFE: ContextVar[Life] = ContextVar("life")
"""The life that a task belongs to: tasks hand it on to those that they begin."""

type Connect = Callable[[], Awaitable[EventBus]]
"""Connects one more client to the yard's bus server."""

ALL_STATUSES = ["accepted", "sent", "acknowledged", "confirmed"]
"""Of an order that went well."""


class Life:
    """One gateway that drives the yard's mower, from its start to its stop or death."""

    def __init__(
        self, yard: Yard, bus: EventBus, pool: Pool, fate: Fate, settings: DeviceGatewaySettings, holder: str
    ) -> None:
        """Prepare; the pool is this life's own and ends with it."""
        self._pool = pool
        self.fate = fate
        self.ended = False
        self.leases: list[Lease] = []
        self.drivers: list[ScriptedDriver] = []
        self._bus = fated_bus(bus, fate)
        self._repository = fated_repository(Repository(pool), fate)
        self._yard = yard
        self._settings = settings
        self.supervisor = Supervisor(MOWER_ID, self._make_actor, bus=self._bus, instance_id=holder, retry_seconds=0.05)

    @property
    def driver(self) -> ScriptedDriver:
        """The newest handle on the mower."""
        return self.drivers[-1]

    async def start(self) -> None:
        """Begin, and wait until the mower is followed."""
        token = _LIFE.set(self)
        self.supervisor.start()
        _LIFE.reset(token)
        await eventually(self._actor, seconds=10)
        # What is told at the start is told in order, availability last.
        await eventually(self._has_told_availability, seconds=10)
        self.fate.counting = True

    async def stop(self) -> None:
        """End cleanly."""
        self.ended = True
        await self.supervisor.stop()
        await self._pool.close()

    async def kill(self) -> None:
        """End as a killed process does: every task of this life stops where it is."""
        self.ended = True
        self.fate.died.set()
        self._pool.terminate()
        while True:
            left = {task for task in asyncio.all_tasks() if task.get_context().get(_LIFE) is self}
            if not left:
                return
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=0.1)

    async def _has_told_availability(self) -> bool:
        return any(envelope.type == subjects.AVAILABILITY_TYPE for envelope in self.fate.published)

    async def _actor(self) -> Actor | None:
        return self.supervisor.actor

    def _make_actor(self, lease: Lease) -> Actor:
        self.leases.append(lease)
        driver = ScriptedDriver(self._yard.mower, mower_id=MOWER_ID, step=self.fate.step)
        self.drivers.append(driver)
        known = KnownMower(
            mower_id=MOWER_ID,
            account_id=ACCOUNT_ID,
            provider="scripted",
            vendor_key="M1",
            vendor_account_id=None,
        )
        return Actor(
            known,
            driver,
            lease,
            bus=self._bus,
            repository=self._repository,
            clock=self._yard.clock,
            settings=self._settings,
        )


class Yard(Outside):
    """The mower, the servers, and the lives of the gateway."""

    def __init__(self, connect: Connect, database_url: str, clock: SystemClock) -> None:
        """Put it together; `open` begins to listen."""
        super().__init__(clock)
        self.mower = ScriptedMower(clock)
        self.fleet = StandInFleet()
        self._connect = connect
        self._database_url = database_url
        self._lives: list[Life] = []

    async def open(self) -> None:
        """Connect, answer for the fleet, and listen."""
        bus = await self._connect()
        await self.fleet.answer(bus)
        await self.listen(bus)

    async def life(
        self, *, fate: Fate | None = None, holder: str = "instance-1", settings: DeviceGatewaySettings = SETTINGS
    ) -> Life:
        """Begin a life of the gateway."""
        life = await self.unborn(fate=fate, holder=holder, settings=settings)
        await life.start()
        return life

    async def unborn(
        self, *, fate: Fate | None = None, holder: str = "instance-1", settings: DeviceGatewaySettings = SETTINGS
    ) -> Life:
        """Prepare a life that is not started yet."""
        pool = await open_pool(self._database_url, application_name="test", maximum=2)
        life = Life(self, await self._connect(), pool, fate or Fate(), settings, holder)
        self._lives.append(life)
        return life

    def statuses(self, command_id: str) -> list[str]:
        """Return every status of an order that was published so far; a reader may see only the newest ones."""
        return [
            str(envelope.decode(CommandOutcome).status)
            for life in self._lives
            for envelope in life.fate.published
            if envelope.type == subjects.OUTCOME_TYPE and envelope.subject_id == command_id
        ]

    async def close(self) -> None:
        """End what still lives."""
        for life in self._lives:
            if not life.ended:
                await life.stop()
