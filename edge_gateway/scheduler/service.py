"""`SchedulerService`: answers for schedules and runs, fires what is due, follows what was started."""

import asyncio
from datetime import datetime

from edge_gateway.bus.outbox import OutboxRelay
from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Health, Nothing
from edge_gateway.database.fitness import health
from edge_gateway.scheduler.creating import Creating
from edge_gateway.scheduler.deciding import Deciding
from edge_gateway.scheduler.editing import Editing
from edge_gateway.scheduler.fleet_questions import FleetQuestions
from edge_gateway.scheduler.mower_watch import MowerWatch
from edge_gateway.scheduler.overriding import Overriding
from edge_gateway.scheduler.owners import Owners
from edge_gateway.scheduler.previewing import Previewing
from edge_gateway.scheduler.reading import Reading
from edge_gateway.scheduler.recording import SCHEMA
from edge_gateway.scheduler.repository.transactions import Pool
from edge_gateway.scheduler.running_now import RunningNow
from edge_gateway.scheduler.settings import SchedulerSettings
from edge_gateway.scheduler.skipping import Skipping
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.ticking import Ticking
from edge_gateway.scheduler.weather.answering import WeatherAnswers
from edge_gateway.scheduler.weather.forecasts import Forecasts
from edge_gateway.scheduler.weather.open_meteo import OpenMeteo
from edge_gateway.scheduler.weather.watch import WeatherWatch
from edge_gateway.scheduler.zones import Zones


class SchedulerService:
    """The Scheduler as one of the services."""

    name = "scheduler"

    def __init__(self, *, bus: EventBus, pool: Pool, clock: Clock, settings: SchedulerSettings) -> None:
        """Put the rooms together."""
        self._surroundings = Surroundings(
            bus=bus,
            pool=pool,
            clock=clock,
            settings=settings,
            fleet=FleetQuestions(bus),
            forecasts=Forecasts(pool, clock, settings),
            wake=self._wake,
        )
        deciding = Deciding(self._surroundings)
        self._ticking = Ticking(self._surroundings, deciding)
        self._creating = Creating(self._surroundings)
        self._editing = Editing(self._surroundings)
        self._skipping = Skipping(self._surroundings)
        self._reading = Reading(self._surroundings)
        self._running_now = RunningNow(self._surroundings, deciding)
        self._watch = MowerWatch(self._surroundings)
        self._zones = Zones(self._surroundings)
        self._owners = Owners(self._surroundings)
        self._overriding = Overriding(self._surroundings)
        self._previewing = Previewing(self._surroundings)
        self._weather_answers = WeatherAnswers(self._surroundings)
        self._weather_watch = WeatherWatch(self._surroundings, OpenMeteo(settings, clock))
        self._relay = OutboxRelay(bus, pool, SCHEMA)
        self._replies: list[Subscription] = []
        self._started_at: datetime | None = None

    async def start(self) -> None:
        """Send what waits, hear of mowers and sites, answer, and begin to tick."""
        await self.open()
        self._weather_watch.start()
        self._ticking.start()

    async def open(self) -> None:
        """Do all of that but for the ticking, which is then the caller's to do."""
        await self._relay.start()
        await self._watch.start()
        await self._zones.start()
        await self._owners.start()
        await self._weather_watch.open()
        bus = self._surroundings.bus
        self._replies = [
            await bus.reply(routes.SCHEDULES_LIST, self._reading.list_schedules),
            await bus.reply(routes.SCHEDULES_GET, self._reading.get),
            await bus.reply(routes.SCHEDULES_OF_GROUP, self._reading.of_group),
            await bus.reply(routes.SCHEDULES_CREATE, self._creating.create),
            await bus.reply(routes.SCHEDULES_UPDATE, self._editing.update),
            await bus.reply(routes.SCHEDULES_DELETE, self._editing.delete),
            await bus.reply(routes.SCHEDULES_RUN_NOW, self._running_now.run_now),
            await bus.reply(routes.SCHEDULES_SKIP_NEXT, self._skipping.skip),
            await bus.reply(routes.SCHEDULES_UNSKIP_NEXT, self._skipping.unskip),
            await bus.reply(routes.SKIPS_PUT, self._skipping.skip_date),
            await bus.reply(routes.SKIPS_DELETE, self._skipping.unskip_date),
            await bus.reply(routes.RUNS_LIST, self._reading.list_runs),
            await bus.reply(routes.OWNERS_GONE, self._owners.gone),
            await bus.reply(routes.SCHEDULES_PREVIEW, self._previewing.preview),
            await bus.reply(routes.WEATHER_GET, self._weather_answers.get),
            await bus.reply(routes.WEATHER_PUSH, self._weather_answers.push),
            await bus.reply(routes.HOLDS_PUT, self._overriding.put_hold),
            await bus.reply(routes.RAIN_OVERRIDES_PUT, self._overriding.put_rain_override),
            await bus.reply(routes.health_route(self.name), self._health),
        ]
        self._started_at = self._surroundings.now()

    async def stop(self) -> None:
        """Stop answering, finish what is in hand, let go."""
        await asyncio.gather(*(reply.unsubscribe() for reply in self._replies))
        self._replies.clear()
        await self._running_now.stop()
        await self._ticking.stop()
        await self._weather_watch.stop()
        await self._owners.stop()
        await self._zones.stop()
        await self._watch.stop()
        await self._relay.stop()

    async def tick(self) -> None:
        """Do everything that is due now, and return when it is done."""
        await self._ticking.tick()

    async def look_at_weather(self) -> None:
        """Fetch the forecasts that are needed, tell what changed, and return when it is done."""
        await self._weather_watch.look()

    def _wake(self) -> None:
        self._ticking.wake()

    async def _health(self, _question: Nothing) -> Health:
        return await health(self.name, self._surroundings.pool, started_at=self._started_at)
