"""The device gateway: runs providers, follows their mowers, answers about maps and settings."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime

import asyncpg
import structlog

from edge_gateway.bus.protocol import EventBus, Lease, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Health, MapReply, MowerRequest, Nothing, SettingsReply
from edge_gateway.contracts.problems import ProblemsReply
from edge_gateway.database.fitness import health
from edge_gateway.device_gateway.absent_mowers import AbsentMowers
from edge_gateway.device_gateway.actor import Actor
from edge_gateway.device_gateway.link_desk import LinkDesk
from edge_gateway.device_gateway.link_repository import LinkRepository
from edge_gateway.device_gateway.local_providers import LocalProviders
from edge_gateway.device_gateway.problem_words import problems_of
from edge_gateway.device_gateway.provider import FoundMower, Provider
from edge_gateway.device_gateway.provider_host import Bridges, Lending, ProviderHost, VendorAccounts
from edge_gateway.device_gateway.repository import KnownMower, Repository
from edge_gateway.device_gateway.rights import check_mower
from edge_gateway.device_gateway.roster import Roster
from edge_gateway.device_gateway.settings import DeviceGatewaySettings, SimulatorSettings
from edge_gateway.device_gateway.simulator.provider import SimulatorProvider
from edge_gateway.device_gateway.supervisor import Supervisor

_log = structlog.get_logger(__name__)

type MakeVendorAccounts = Callable[[ProviderHost], VendorAccounts]


class DeviceGatewayService:
    """The service that drives mowers."""

    name = "device_gateway"

    def __init__(  # noqa: PLR0913  # what the service is put together with, each by its name
        self,
        *,
        bus: EventBus,
        pool: asyncpg.Pool[asyncpg.Record],
        clock: Clock,
        settings: DeviceGatewaySettings,
        simulator: SimulatorSettings,
        instance_id: str,
        providers: Sequence[Provider] = (),
        make_vendor_accounts: MakeVendorAccounts | None = None,
        bluetooth: Sequence[Bridges | Lending] = (),
    ) -> None:
        """Put the service together.

        `instance_id` is the holder of the mowers' leases; `providers` are those of vendors without logins;
        `make_vendor_accounts` makes the room of logins at vendors (null: none); `bluetooth` are the room of bridges
        and the desk at which Home Assistant lends its own.
        """
        self._bus = bus
        self._pool = pool
        self._clock = clock
        self._settings = settings
        self._simulator = simulator
        self._instance_id = instance_id
        self._repository = Repository(pool)
        self.roster = Roster(
            self._supervisor, bus=bus, repository=self._repository, retry_seconds=settings.retry_seconds
        )
        self._local = LocalProviders(self.roster, providers, retry_seconds=settings.retry_seconds)
        self._vendor_accounts = None if make_vendor_accounts is None else make_vendor_accounts(self.roster)
        self._bluetooth = tuple(bluetooth)
        self._links = LinkRepository(pool)
        self._link_desk = LinkDesk(self.roster, bus=bus, repository=self._links, clock=clock)
        self._replies: list[Subscription] = []
        self._absent: asyncio.Task[None] | None = None
        self._started_at: datetime | None = None

    async def start(self) -> None:
        """Answer questions, follow simulated mowers, let vendor accounts log in."""
        self.roster.remember(await self._repository.mowers())
        self._replies = [
            await self._bus.reply(routes.MAPS_GET, self._map),
            await self._bus.reply(routes.SETTINGS_LIST, self._list_settings),
            await self._bus.reply(routes.PROBLEMS_GET, self._problems),
            await self._bus.reply(routes.health_route(self.name), self._health),
        ]
        await self._link_desk.start()
        for room in self._bluetooth:
            await room.start()
        if self._simulator.mowers:
            await self.roster.run(SimulatorProvider(self._simulator, store=self._repository, clock=self._clock))
        self._local.start()
        if self._vendor_accounts is not None:
            await self._vendor_accounts.start()
        absent = AbsentMowers(self.roster, bus=self._bus, clock=self._clock, instance_id=self._instance_id)
        self._absent = asyncio.create_task(absent.look(), name="absent mowers")
        self._started_at = self._clock.now()

    async def stop(self) -> None:
        """Stop answering, let go of the mowers, stop the providers."""
        for reply in self._replies:
            await reply.unsubscribe()
        if self._absent is not None:
            self._absent.cancel()
            await asyncio.gather(self._absent, return_exceptions=True)
        if self._vendor_accounts is not None:
            await self._vendor_accounts.stop()
        await self._local.stop()
        await self.roster.stop()
        # Last: the mowers' drivers say goodbye over them.
        for room in reversed(self._bluetooth):
            await room.stop()
        await self._link_desk.stop()

    def _supervisor(self, mower: KnownMower, provider: Provider, found: FoundMower) -> Supervisor:
        def make_actor(lease: Lease) -> Actor:
            return Actor(
                mower,
                provider.driver(found, mower_id=mower.mower_id, account_id=mower.account_id),
                lease,
                bus=self._bus,
                repository=self._repository,
                clock=self._clock,
                settings=self._settings,
                links=self._links,
            )

        return Supervisor(
            mower.mower_id,
            make_actor,
            bus=self._bus,
            instance_id=self._instance_id,
            retry_seconds=self._settings.retry_seconds,
        )

    async def _map(self, question: MowerRequest) -> MapReply:
        await check_mower(self._bus, question)
        actor = self.roster.actor(question.mower_id)
        driven = None if actor is None else actor.driver.map
        return MapReply(map=driven or await self._repository.map(question.mower_id))

    async def _list_settings(self, question: MowerRequest) -> SettingsReply:
        await check_mower(self._bus, question)
        actor = self.roster.actor(question.mower_id)
        driven = None if actor is None else actor.driver.settings
        return SettingsReply(items=driven or await self._repository.settings(question.mower_id) or ())

    async def _problems(self, question: MowerRequest) -> ProblemsReply:
        await check_mower(self._bus, question)
        actor = self.roster.actor(question.mower_id)
        return ProblemsReply(current=None, log=()) if actor is None else problems_of(actor.driver)

    async def _health(self, _question: Nothing) -> Health:
        return await health(self.name, self._pool, started_at=self._started_at)
