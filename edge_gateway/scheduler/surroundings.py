"""What the rooms of the Scheduler work with."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.clock import Clock
from edge_gateway.scheduler.fleet_questions import FleetQuestions
from edge_gateway.scheduler.repository.transactions import Pool
from edge_gateway.scheduler.settings import SchedulerSettings
from edge_gateway.scheduler.weather.forecasts import Forecasts


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Bus, database, clock, settings, and who is asked."""

    bus: EventBus
    pool: Pool
    clock: Clock
    settings: SchedulerSettings
    fleet: FleetQuestions
    forecasts: Forecasts
    wake: Callable[[], None]
    """Have the tick look at once: something has become due, or may have."""

    @property
    def tick(self) -> timedelta:
        """How often everything is looked at."""
        return timedelta(seconds=self.settings.tick_seconds)

    def now(self) -> datetime:
        """Return the present moment: aware, in UTC."""
        return self.clock.now()
