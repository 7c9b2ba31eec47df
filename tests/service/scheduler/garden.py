"""A mower with a running job, and what is told of it and ordered of it."""

from datetime import timedelta
from typing import Any

from edge_gateway.contracts.commands import Command, CommandStatus
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.contracts.schedules import Run, Schedule
from tests.service.scheduler.house import MOWER, NINE, SchedulerHouse

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
OTHER = "user:other"


class Garden:
    """A Scheduler with one mower that mows for a schedule."""

    def __init__(self, house: SchedulerHouse) -> None:
        """Begin with a mower that stays where it was sent."""
        self.house = house
        house.fleet.change_mower(MOWER, provider="simulator")

    async def mow(self, **changes: Any) -> Schedule:  # noqa: ANN401  # any field
        """Start a run in dry weather and see it moving."""
        self.made = await self.house.create(**{"duration_minutes": 240} | changes)
        await self.house.tick_at(NINE)
        await self.report(Activity.MOWING, 1)
        await self.tick(2)
        return self.made

    async def report(self, activity: Activity, minute: int, *, resumable: bool = True, progress: float = 40.0) -> None:
        """Have the mower report, on the run's own job."""
        job = Job(id="job", command_id=self.house.fleet.starts[0].id, resumable=resumable)
        await self.house.report(activity, NINE + minute * MINUTE, job=job, progress_percent=progress)

    async def tick(self, minute: float) -> None:
        """Do what is due so many minutes after nine."""
        await self.house.tick_at(NINE + minute * MINUTE)

    async def rain(self, weather: str = "rain") -> None:
        """Let it rain from now on, or be dry."""
        await self.house.restart(static_weather=weather)

    async def go_home(self, minute: int) -> None:
        """Let the return that was ordered be confirmed, and the mower reach its dock a minute later."""
        self.house.fleet.end_command(CommandStatus.CONFIRMED)
        await self.tick(minute)
        await self.report(Activity.DOCKED, minute + 1)
        await self.tick(minute + 1)

    @property
    def orders(self) -> list[tuple[str, str]]:
        """Return the orders that followed the start: kind, and key without the run."""
        return [(order.body.kind, order.key.partition(":")[2]) for order in self.house.fleet.follow_ups]

    @property
    def last(self) -> Command:
        """Return the newest of them."""
        return self.house.fleet.follow_ups[-1]

    async def run(self) -> Run:
        """Return the first run."""
        return (await self.house.runs(self.made.id))[0]
