"""`FleetService`: answers for mowers, sites, rights and commands, and follows what the device gateway tells."""

import asyncio
from datetime import datetime

from edge_gateway.bus.outbox import OutboxRelay
from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Health, Nothing
from edge_gateway.database.fitness import health
from edge_gateway.database.pools import Pool
from edge_gateway.fleet.command_desk import SCHEMA, CommandDesk
from edge_gateway.fleet.group_directory import GroupDirectory
from edge_gateway.fleet.listening import Listening
from edge_gateway.fleet.mower_directory import MowerDirectory
from edge_gateway.fleet.principal_directory import PrincipalDirectory
from edge_gateway.fleet.questions import Questions
from edge_gateway.fleet.rights import Rights
from edge_gateway.fleet.settings import FleetSettings
from edge_gateway.fleet.site_directory import SiteDirectory
from edge_gateway.fleet.sweep import Sweep


class FleetService:
    """The Fleet as one of the services."""

    name = "fleet"

    def __init__(self, *, bus: EventBus, pool: Pool, clock: Clock, settings: FleetSettings) -> None:
        """Put the rooms together."""
        self._bus = bus
        self._pool = pool
        self._clock = clock
        rights = Rights(clock)
        self._desk = CommandDesk(bus, pool, clock, rights, publish_timeout_seconds=settings.publish_timeout_seconds)
        self._mowers = MowerDirectory(pool, clock, rights)
        self._sites = SiteDirectory(pool, clock, rights)
        self._groups = GroupDirectory(bus, pool, clock, rights)
        self._principals = PrincipalDirectory(bus, pool, clock, rights)
        self._questions = Questions(pool, rights)
        self._listening = Listening(bus, pool, clock, self._desk)
        self._sweep = Sweep(
            bus,
            pool,
            clock,
            self._desk,
            grace_seconds=settings.grace_seconds,
            every_seconds=settings.sweep_seconds,
        )
        self._relay = OutboxRelay(bus, pool, SCHEMA)
        self._replies: list[Subscription] = []
        self._started_at: datetime | None = None

    async def start(self) -> None:
        """Send what waits, hear what was told, settle what was left open, then answer."""
        await self._relay.start()
        await self._listening.start()
        await self._principals.start()
        await self._sweep.start()
        bus = self._bus
        self._replies = [
            await bus.reply(routes.COMMANDS_ISSUE, self._desk.issue),
            await bus.reply(routes.COMMANDS_GET, self._desk.get),
            await bus.reply(routes.COMMANDS_SINCE, self._questions.commands_since),
            await bus.reply(routes.TARGETS_RESOLVE, self._questions.resolve),
            await bus.reply(routes.PERMISSIONS_CHECK, self._questions.check),
            await bus.reply(routes.PRINCIPALS_PUT, self._principals.put),
            await bus.reply(routes.PRINCIPALS_GONE, self._principals.gone),
            await bus.reply(routes.MOWERS_REGISTER, self._mowers.register),
            await bus.reply(routes.MOWERS_LIST, self._mowers.list),
            await bus.reply(routes.MOWERS_UPDATE, self._mowers.update),
            await bus.reply(routes.AREAS_UPDATE, self._mowers.update_area),
            await bus.reply(routes.SITES_LIST, self._sites.list),
            await bus.reply(routes.SITES_CREATE, self._sites.create),
            await bus.reply(routes.SITES_UPDATE, self._sites.update),
            await bus.reply(routes.SITES_DELETE, self._sites.delete),
            await bus.reply(routes.GROUPS_LIST, self._groups.list),
            await bus.reply(routes.GROUPS_CREATE, self._groups.create),
            await bus.reply(routes.GROUPS_UPDATE, self._groups.update),
            await bus.reply(routes.GROUPS_DELETE, self._groups.delete),
            await bus.reply(routes.health_route(self.name), self._health),
        ]
        self._started_at = self._clock.now()

    async def stop(self) -> None:
        """Stop answering, settle what is in hand, let go."""
        await asyncio.gather(*(reply.unsubscribe() for reply in self._replies))
        self._replies.clear()
        await self._sweep.stop()
        await self._principals.stop()
        await self._listening.stop()
        await self._relay.stop()

    async def _health(self, _question: Nothing) -> Health:
        return await health(self.name, self._pool, started_at=self._started_at)
