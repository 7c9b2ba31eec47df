"""`TelemetryService`: takes states in under leases, answers for what is stored, keeps house."""

import asyncio
from datetime import datetime

from edge_gateway.bus.outbox import OutboxRelay
from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Health, Nothing
from edge_gateway.database.fitness import health
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry.directory_keeper import DirectoryKeeper
from edge_gateway.telemetry.housekeeping import Housekeeping
from edge_gateway.telemetry.intake import Intake, durable_name
from edge_gateway.telemetry.questions import Questions
from edge_gateway.telemetry.repository import SCHEMA
from edge_gateway.telemetry.settings import TelemetrySettings
from edge_gateway.telemetry.sharing import Share, Sharing


class TelemetryService:
    """The service that stores what mowers report."""

    name = "telemetry"

    def __init__(
        self, *, bus: EventBus, pool: Pool, clock: Clock, settings: TelemetrySettings, instance_id: str
    ) -> None:
        """Put the service together; `instance_id` is the holder of its leases."""
        self._bus = bus
        self._pool = pool
        self._clock = clock
        self._directory = DirectoryKeeper(bus, pool)
        self._questions = Questions(bus, pool, clock, settings)
        self._housekeeping = Housekeeping(pool, clock, settings)
        self._relay = OutboxRelay(bus, pool, SCHEMA)
        self._partitions = settings.partitions
        share = Share(self._partitions)
        self._share = share
        self._sharing = Sharing(pool, share, instance_id=instance_id)
        self._intakes = [
            Intake(
                bus,
                pool,
                settings,
                self._directory.ask_mower,
                clock,
                partition=number,
                holder=instance_id,
                share=share,
            )
            for number in range(self._partitions)
        ]
        self._standing: list[Subscription] = []
        self._started_at: datetime | None = None

    @property
    def partitions_held(self) -> frozenset[int]:
        """The partitions that this copy takes in now."""
        return frozenset(self._share.held)

    async def start(self) -> None:
        """Make the partitions, hear, answer; returns when states are taken in, by this copy or by another."""
        await self._bus.divide_states(self._partitions, undivided=durable_name(0))
        await self._housekeeping.start()
        await self._relay.start()
        self._standing = [
            *await self._directory.start(),
            *await self._questions.start(),
            await self._bus.reply(routes.health_route(self.name), self._health),
        ]
        self._started_at = self._clock.now()
        await asyncio.gather(*(intake.start() for intake in self._intakes))
        await self._sharing.start()

    async def stop(self) -> None:
        """Settle what was fetched, give the leases back, stop answering."""
        await self._sharing.stop()
        await asyncio.gather(*(intake.stop() for intake in self._intakes))
        for subscription in self._standing:
            await subscription.unsubscribe()
        self._standing.clear()
        await self._housekeeping.stop()
        await self._relay.stop()

    async def _health(self, _question: Nothing) -> Health:
        return await health(self.name, self._pool, started_at=self._started_at)
