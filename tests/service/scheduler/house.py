"""The Scheduler on a real database and a real bus, with a clock that a test sets and a Fleet that it plays."""

import time
from datetime import UTC, date, datetime, timedelta
from typing import Any, override

import msgspec

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.commands import CommandOutcome, CommandStatus
from edge_gateway.contracts.envelope import Envelope, wrap
from edge_gateway.contracts.fleet import SiteChanged
from edge_gateway.contracts.groups import GroupChanged
from edge_gateway.contracts.identifiers import new_id, outcome_event_id, state_event_id
from edge_gateway.contracts.map import MowerMap
from edge_gateway.contracts.mower import Activity, Job, MowerAvailability, MowerState
from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.schedules import (
    CreateScheduleRequest,
    ListRunsRequest,
    Run,
    RunNowReply,
    RunNowRequest,
    Schedule,
    ScheduleDraft,
    ScheduleRequest,
    SkipRequest,
    Target,
    UpdateScheduleRequest,
    WeeklyRecurrence,
)
from edge_gateway.database.pools import Pool
from edge_gateway.scheduler.service import SchedulerService
from edge_gateway.scheduler.settings import SchedulerSettings
from tests.eventually import eventually
from tests.service.scheduler.stand_in_fleet import StandInFleet

NINE = datetime(2026, 5, 4, 7, tzinfo=UTC)
"""Monday, 09:00 in Berlin."""
MONDAY = date(2026, 5, 4)
DAILY = WeeklyRecurrence(days=("mon", "tue", "wed", "thu", "fri", "sat", "sun"), at="09:00")
MOWER = "mower-1"


class SetClock:
    """Shows what it was set to."""

    def __init__(self, moment: datetime) -> None:
        """Begin at this moment."""
        self.moment = moment

    def now(self) -> datetime:
        """Return the moment."""
        return self.moment


class RunningClock(SetClock):
    """Goes on from what it was set to."""

    def __init__(self, moment: datetime) -> None:
        """Begin at this moment."""
        super().__init__(moment)
        self._begun_at = time.monotonic()

    @override
    def now(self) -> datetime:
        """Return the moment and what has passed since."""
        return self.moment + timedelta(seconds=time.monotonic() - self._begun_at)


class SchedulerHouse:
    """The Scheduler, and what happens around it."""

    def __init__(self, bus: EventBus, pool: Pool, clock: SetClock | None = None) -> None:
        """Begin an hour before nine, with one mower and weather that is always dry."""
        self.bus = bus
        self.pool = pool
        self.clock = clock or SetClock(NINE - timedelta(hours=1))
        self.fleet = StandInFleet(self.clock)
        self.fleet.add_mower(MOWER)
        self.service = self.make_service()
        self.events: list[Envelope] = []

    def make_service(self, bus: EventBus | None = None, pool: Pool | None = None, **settings: Any) -> SchedulerService:  # noqa: ANN401  # any setting
        """Return another Scheduler on the same database."""
        values = {"weather_provider": "static", "static_weather": "dry"} | settings
        return SchedulerService(
            bus=bus or self.bus, pool=pool or self.pool, clock=self.clock, settings=SchedulerSettings(**values)
        )

    async def start(self) -> None:
        """Start the Fleet and the Scheduler; the ticks are the test's."""
        await self.fleet.start(self.bus)
        await self.bus.subscribe("scheduler.*.*", self.take_event, acknowledge=False)
        await self.service.open()

    async def stop(self) -> None:
        """Stop both."""
        await self.service.stop()
        await self.fleet.stop()

    async def restart(self, **settings: Any) -> None:  # noqa: ANN401  # any setting
        """Stop the Scheduler and start another one."""
        await self.service.stop()
        self.service = self.make_service(**settings)
        await self.service.open()

    async def tick_at(self, moment: datetime) -> None:
        """Set the clock and do what is due."""
        self.clock.moment = moment
        await self.service.tick()

    def draft(self, **changes: Any) -> ScheduleDraft:  # noqa: ANN401  # any field
        """Return a schedule for every day at nine, for an hour."""
        values: dict[str, Any] = {
            "name": "Lawn",
            "target": Target(mower_id=MOWER),
            "recurrence": DAILY,
            "duration_minutes": 60,
        }
        return ScheduleDraft(**values | changes)

    async def create(self, *, principal: str = OWNER, key: str | None = None, **changes: Any) -> Schedule:  # noqa: ANN401  # any field
        """Make a schedule."""
        request = CreateScheduleRequest(on_behalf_of=principal, account_id="home", draft=self.draft(**changes), key=key)
        return await self.bus.request(routes.SCHEDULES_CREATE, request)

    async def get(self, schedule_id: str, principal: str = OWNER) -> Schedule:
        """Return a schedule."""
        request = ScheduleRequest(on_behalf_of=principal, account_id="home", schedule_id=schedule_id)
        return await self.bus.request(routes.SCHEDULES_GET, request)

    async def update(self, schedule_id: str, principal: str = OWNER, **changes: Any) -> Schedule:  # noqa: ANN401  # any field
        """Change a schedule."""
        request = UpdateScheduleRequest(
            on_behalf_of=principal, account_id="home", schedule_id=schedule_id, changes=changes
        )
        return await self.bus.request(routes.SCHEDULES_UPDATE, request)

    async def delete(self, schedule_id: str, principal: str = OWNER) -> None:
        """Delete a schedule."""
        request = ScheduleRequest(on_behalf_of=principal, account_id="home", schedule_id=schedule_id)
        await self.bus.request(routes.SCHEDULES_DELETE, request)

    async def skip(self, schedule_id: str, occurrence: datetime | None = None) -> Schedule:
        """Leave an occurrence out."""
        request = SkipRequest(on_behalf_of=OWNER, account_id="home", schedule_id=schedule_id, occurrence=occurrence)
        return await self.bus.request(routes.SCHEDULES_SKIP_NEXT, request)

    async def unskip(self, schedule_id: str, occurrence: datetime | None = None) -> Schedule:
        """Take that back."""
        request = SkipRequest(on_behalf_of=OWNER, account_id="home", schedule_id=schedule_id, occurrence=occurrence)
        return await self.bus.request(routes.SCHEDULES_UNSKIP_NEXT, request)

    async def run_now(
        self, schedule_id: str, key: str = "key-1", principal: str = OWNER, *, override_quiet_hours: bool = False
    ) -> RunNowReply:
        """Run a schedule now."""
        request = RunNowRequest(
            on_behalf_of=principal,
            account_id="home",
            schedule_id=schedule_id,
            key=key,
            override_quiet_hours=override_quiet_hours,
        )
        return await self.bus.request(routes.SCHEDULES_RUN_NOW, request, timeout_seconds=10)

    async def runs(self, schedule_id: str | None = None) -> list[Run]:
        """Return the runs, oldest first."""
        request = ListRunsRequest(on_behalf_of=OWNER, account_id="home", schedule_id=schedule_id, limit=500)
        return list((await self.bus.request(routes.RUNS_LIST, request)).items)[::-1]

    async def run(self, schedule_id: str | None = None) -> Run:
        """Return the only run."""
        [run] = await self.runs(schedule_id)
        return run

    async def report(
        self,
        activity: Activity,
        at: datetime | None = None,
        *,
        mower_id: str = MOWER,
        job: Job | None = None,
        **more: Any,  # noqa: ANN401  # any field
    ) -> None:
        """Have a mower report, as its actor does."""
        moment = at or self.clock.now()
        state = MowerState(mower_id=mower_id, account_id="home", observed_at=moment, activity=activity, job=job, **more)
        await self._publish(
            subjects.state_subject(mower_id), state, state_event_id(mower_id, moment), subjects.STATE_TYPE, mower_id
        )

    async def until_seen(self, activity: Activity, mower_id: str = MOWER) -> None:
        """Wait until the Scheduler has heard that a mower does this: a tick reads back only the newest report."""

        async def is_seen() -> bool:
            row = await self.pool.fetchval("SELECT activity FROM scheduler.mower WHERE id = $1", mower_id)
            return bool(row == activity)

        await eventually(is_seen)

    async def tell_availability(self, *, available: bool, mower_id: str = MOWER) -> None:
        """Tell whether a mower is reached."""
        availability = MowerAvailability(
            mower_id=mower_id, account_id="home", available=available, changed_at=self.clock.now()
        )
        await self._publish(
            subjects.availability_subject(mower_id), availability, new_id(), subjects.AVAILABILITY_TYPE, mower_id
        )

    async def tell_map(self, *, origin: tuple[float, float], mower_id: str = MOWER) -> None:
        """Tell a map without areas, by where it begins (latitude and longitude)."""
        mower_map = MowerMap(
            mower_id=mower_id,
            account_id="home",
            observed_at=self.clock.now(),
            complete=False,
            origin_latitude=origin[0],
            origin_longitude=origin[1],
        )
        await self._publish(subjects.map_subject(mower_id), mower_map, new_id(), subjects.MAP_TYPE, mower_id)

    async def end_order(self, status: CommandStatus, reason: str) -> None:
        """End the last order, and tell it as a mower's actor does."""
        self.fleet.end_command(status, reason)
        command = self.fleet.starts[-1]
        outcome = CommandOutcome(
            command_id=command.id,
            account_id="home",
            mower_id=command.mower_id,
            status=status,
            reason=reason,
            at=self.clock.now(),
        )
        await self._publish(
            subjects.outcome_subject(command.mower_id, command.id),
            outcome,
            outcome_event_id(command.id, status),
            subjects.OUTCOME_TYPE,
            command.id,
        )

    async def tell_site_changed(self) -> None:
        """Tell that the site was changed."""
        await self._publish(subjects.SITE_CHANGED, SiteChanged(site_id="home"), new_id(), subjects.SITE_CHANGED, "home")

    async def tell_group_changed(self, group_id: str) -> None:
        """Tell that a group was changed."""
        await self._publish(
            subjects.GROUP_CHANGED, GroupChanged(group_id=group_id), new_id(), subjects.GROUP_CHANGED, group_id
        )

    async def until_zone(self, schedule_id: str, time_zone: str) -> None:
        """Wait until a schedule follows another wall clock."""

        async def look() -> bool:
            return (await self.get(schedule_id)).effective_time_zone == time_zone

        await eventually(look)

    async def until_told(self, subject: str, count: int) -> list[Envelope]:
        """Wait until so many events of a subject came; return them."""

        async def look() -> list[Envelope] | None:
            found = [envelope for envelope in self.events if envelope.type == subject]
            return found if len(found) >= count else None

        found = await eventually(look)
        assert found is not None
        return found

    async def _publish(
        self, subject: str, payload: msgspec.Struct, event_id: str, event_type: str, subject_id: str
    ) -> None:
        envelope = wrap(
            payload,
            id=event_id,
            type=event_type,
            occurred_at=self.clock.now(),
            account_id="home",
            subject_id=subject_id,
        )
        await self.bus.publish(subject, envelope)

    async def take_event(self, envelope: Envelope) -> None:
        """Write down what the Scheduler tells."""
        self.events.append(envelope)
