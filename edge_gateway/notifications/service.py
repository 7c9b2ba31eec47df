"""`NotificationsService`: judges what mowers report and answers for what is wrong now."""

import asyncio
from datetime import datetime, timedelta

from edge_gateway.bus.outbox import OutboxRelay
from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Health, Nothing
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.notifications import NotificationCode
from edge_gateway.database.fitness import health
from edge_gateway.database.pools import Pool
from edge_gateway.notifications import repository
from edge_gateway.notifications.blades import Blades
from edge_gateway.notifications.directory import Directory
from edge_gateway.notifications.geofences import Geofences
from edge_gateway.notifications.hysteresis import Holds
from edge_gateway.notifications.intake import Intake
from edge_gateway.notifications.judging_loop import JudgingLoop
from edge_gateway.notifications.orders import Orders
from edge_gateway.notifications.questions import Questions
from edge_gateway.notifications.repository import SCHEMA
from edge_gateway.notifications.rules import Thresholds
from edge_gateway.notifications.settings import NotificationsSettings


class NotificationsService:
    """Notifications as one of the services."""

    name = "notifications"

    def __init__(
        self, *, bus: EventBus, pool: Pool, clock: Clock, settings: NotificationsSettings, instance_id: str
    ) -> None:
        """Put the rooms together; `instance_id` is the holder of its lease."""
        self._bus = bus
        self._pool = pool
        self._clock = clock
        self._directory = Directory(bus, pool)
        self.intake = intake = Intake(
            pool,
            clock,
            self._directory,
            Orders(bus),
            geofences=Geofences(margin_metres=settings.geofence_margin_metres),
            thresholds=thresholds_of(settings),
        )
        blades = Blades(bus, pool, intake)
        self._loop = JudgingLoop(bus, clock, intake, blades, settings=settings, instance_id=instance_id)
        self._questions = Questions(bus, pool)
        self._relay = OutboxRelay(bus, pool, SCHEMA)
        self._subscriptions: list[Subscription] = []
        self._started_at: datetime | None = None

    async def start(self) -> None:
        """Send what waits, hear of mowers and maps, answer; returns when reports are judged."""
        await self._relay.start()
        bus, questions = self._bus, self._questions
        self._subscriptions = [
            await bus.subscribe(
                subjects.MOWER_CHANGED, self._directory.follow, durable="notifications-mowers", queue=self.name
            ),
            await bus.subscribe(subjects.ALL_MAPS, self._map, durable="notifications-maps", queue=self.name),
            await bus.reply(routes.FINDINGS_LIST, questions.list_findings),
            await bus.reply(routes.GEOFENCES_GET, questions.get_geofence),
            await bus.reply(routes.GEOFENCES_PUT, questions.put_geofence),
            await bus.reply(routes.GEOFENCES_DELETE, questions.delete_geofence),
            await bus.reply(routes.health_route(self.name), self._health),
        ]
        self._started_at = self._clock.now()
        await self._loop.start()

    async def stop(self) -> None:
        """Settle what was fetched, give the lease back, stop answering."""
        await self._loop.stop()
        await asyncio.gather(*(subscription.unsubscribe() for subscription in self._subscriptions))
        self._subscriptions.clear()
        await self._relay.stop()

    async def _map(self, envelope: Envelope) -> None:
        mower_map = envelope.decode(MowerMap)
        if not mower_map.complete:
            # Where an area is missing a mower in it would seem to be outside: the last complete map still counts.
            return
        async with self._pool.acquire() as connection:
            await repository.put_map(connection, mower_map)

    async def _health(self, _question: Nothing) -> Health:
        return await health(self.name, self._pool, started_at=self._started_at)


def thresholds_of(settings: NotificationsSettings) -> Thresholds:
    """Return what the rules go by; a blade's end is told by a person and needs no confirmation."""
    clear = timedelta(seconds=settings.clear_seconds)
    return Thresholds(
        low_battery_percent=settings.low_battery_percent,
        standstill=timedelta(seconds=settings.standstill_seconds),
        holds={
            NotificationCode.ERROR: Holds(end=clear),
            NotificationCode.STUCK: Holds(end=clear),
            NotificationCode.BATTERY_LOW: Holds(end=clear),
            NotificationCode.OFFLINE: Holds(begin=timedelta(seconds=settings.offline_seconds), end=clear),
            NotificationCode.LEFT_GEOFENCE: Holds(begin=timedelta(seconds=settings.geofence_seconds), end=clear),
            NotificationCode.RESUMED_BY_ITSELF: Holds(begin=timedelta(seconds=settings.resumed_seconds)),
        },
    )
