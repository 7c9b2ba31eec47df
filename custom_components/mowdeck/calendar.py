"""The calendar of a mower or a group: what is planned and what became of it; schedules are made and changed in it."""

import asyncio
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import Any, override

from homeassistant.components.calendar import CalendarEntity, CalendarEntityFeature, CalendarEvent
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.exceptions import Unauthorized
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util import dt as dt_util

from .acting import CALL_CONTEXT
from .calendar_changes import CalendarChanges
from .calendar_events import Texts, coming, past, past_of_group, wet_occurrences
from .client.caller import Origin
from .client.errors import ClientError
from .client.group import Group
from .client.mower import Mower
from .client.run import Run
from .client.schedule import Schedule, Target
from .const import DOMAIN, LOGGER
from .entity import NOTHING, GroupEntity, MowDeckEntity
from .failures import translated
from .hub import Hub, MowDeckConfigEntry
from .rights import Right, check
from .roster import View
from .told_errors import Whose, not_allowed

PARALLEL_UPDATES = 0

THIS_AND_FUTURE = "THISANDFUTURE"

MOST_PAGES = 20
"""Of runs for one look at the calendar: 2000 runs, years of most gardens."""

type Occurred = tuple[str, datetime]
"""A schedule's id and the moment when it was due."""

AHEAD = timedelta(days=15)
"""How far the forecast of a preview reaches, and a day more."""


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the calendar of each mower and each group."""
    hub = entry.runtime_data
    hub.mowers.on_new(lambda mower_id: async_add_entities([MowerPlan(hub, mower_id)]))
    hub.groups.on_new(lambda group_id: async_add_entities([GroupPlan(hub, group_id)]))


class PlanCalendar[V: View](MowDeckEntity[V], CalendarEntity):
    """The plan of one mower or one group."""

    _attr_initial_color = "#3f8f46"
    _attr_supported_features = (
        CalendarEntityFeature.CREATE_EVENT | CalendarEntityFeature.DELETE_EVENT | CalendarEntityFeature.UPDATE_EVENT
    )
    _zone: tzinfo = dt_util.UTC
    _planned: tuple[Schedule, ...] = ()
    """What is planned: looked up when a plan changes, not with each of the mower's reports."""

    @property
    @abstractmethod
    def _target(self) -> Target:
        """For what a schedule is made here."""

    @property
    @abstractmethod
    def _mower_ids(self) -> frozenset[str]:
        """The mowers whose rain counts."""

    @abstractmethod
    def _find_schedules(self) -> tuple[Schedule, ...]:
        """Return the schedules that are shown."""

    @abstractmethod
    async def _past(self, since: datetime, until: datetime, texts: Texts) -> Mapping[Occurred, CalendarEvent]:
        """Return what happened in a span, by schedule and the moment when it was due."""

    @override
    async def async_added_to_hass(self) -> None:
        """Begin to listen to the schedules."""
        self._zone = await self._site_zone()
        self.async_on_remove(self.hub.plans.listen(self._subject_id, self._look_at_plans))
        self._planned = self._find_schedules()
        await super().async_added_to_hass()

    @callback
    def _look_at_plans(self) -> None:
        self._planned = self._find_schedules()
        self._look()

    @property
    @override
    def event(self) -> CalendarEvent | None:
        """The run that is on, else the next one to come."""
        now = dt_util.utcnow()
        found = [event for schedule in self._planned if (event := self._current_or_next(schedule, now))]
        return min(found, key=lambda event: event.start_datetime_local, default=None)

    @override
    def _shown(self) -> object:
        # What of them is next, is known when they are; Home Assistant itself wakes up when it begins and ends.
        return self._planned

    @override
    async def async_get_events(
        self, hass: HomeAssistant, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        """Return what happened and what is to come in a span."""
        now = dt_util.utcnow()
        zone = self._zone = await self._site_zone()
        happened: Mapping[Occurred, CalendarEvent] = {}
        if start_date < now:
            texts = await async_get_translations(hass, hass.config.language, "entity", {DOMAIN})
            happened = await self._past(start_date, end_date, texts)
        events = list(happened.values())
        schedules = list(self._planned)
        for schedule, wet in zip(schedules, await self._wet(schedules, now, start_date, end_date), strict=True):
            # An occurrence that is past and has no run was not there at the time.
            since = max(start_date - timedelta(minutes=schedule.duration_minutes), schedule.next_run_at or now)
            # Each schedule keeps its own zone; mostly it is the site's.
            own_zone = await dt_util.async_get_time_zone(schedule.effective_time_zone) or zone
            events += [
                event
                for event in coming(schedule, own_zone, since, end_date, wet)
                if (schedule.id, event.start_datetime_local.astimezone(dt_util.UTC)) not in happened
            ]
        return sorted(events, key=lambda event: event.start_datetime_local)

    @override
    async def async_create_event(self, **kwargs: Any) -> None:
        """Make a schedule."""
        await (await self._changes()).create(kwargs)

    @override
    async def async_delete_event(
        self, uid: str, recurrence_id: str | None = None, recurrence_range: str | None = None
    ) -> None:
        """Delete a schedule, or a part of it."""
        await (await self._changes()).delete(uid, recurrence_id, and_future=recurrence_range == THIS_AND_FUTURE)

    @override
    async def async_update_event(
        self,
        uid: str,
        event: dict[str, Any],
        recurrence_id: str | None = None,
        recurrence_range: str | None = None,
    ) -> None:
        """Change a schedule, or a part of it."""
        await (await self._changes()).update(uid, event, recurrence_id, and_future=recurrence_range == THIS_AND_FUTURE)

    async def _changes(self) -> CalendarChanges:
        """Return what changes plans for who asks for it; raises when they may not, as nobody asked before."""
        caller = self._caller
        if CALL_CONTEXT.get() is None:
            # The calendar's panel hands no context over; an action does.
            caller = replace(caller, origin=Origin.CALENDAR)
        try:
            await check(self.hass, Context(user_id=caller.person), self._mower_ids, Right.CONTROL, Right.PLAN)
        except Unauthorized as error:
            raise not_allowed(Whose.of(self._target)) from error
        return CalendarChanges(self.hub, self._target, caller)

    def _current_or_next(self, schedule: Schedule, now: datetime) -> CalendarEvent | None:
        run = schedule.last_run
        if run is not None and run.occurrence_at <= now < run.window_ends_at and run.ended_at is None:
            return past(run, schedule, self._zone, {})
        start = schedule.next_start_at
        if start is None:
            return None
        local = start.astimezone(self._zone)
        end = local + timedelta(minutes=schedule.duration_minutes)
        return CalendarEvent(start=local, end=end, summary=schedule.name, uid=schedule.id)

    async def _runs(
        self, since: datetime, until: datetime, *, mower_id: str | None = None, schedule_id: str | None = None
    ) -> list[Run]:
        found: list[Run] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            with translated(self.hub):
                page = await self.hub.client.get_runs(mower_id=mower_id, schedule_id=schedule_id, cursor=cursor)
            found += [run for run in page.items if run.occurrence_at < until and run.window_ends_at > since]
            cursor = page.next
            if cursor is None or any(run.window_ends_at < since for run in page.items):
                break
        return found

    async def _wet(
        self, schedules: list[Schedule], now: datetime, since: datetime, until: datetime
    ) -> list[frozenset[datetime]]:
        """Return at which occurrences rain is to be expected; without an answer, none is known."""
        if until < now or since > now + AHEAD:
            return [frozenset() for _ in schedules]
        return list(await asyncio.gather(*(self._wet_of(schedule) for schedule in schedules)))

    async def _wet_of(self, schedule: Schedule) -> frozenset[datetime]:
        try:
            preview = await self.hub.client.preview(schedule.id)
        except ClientError as error:
            LOGGER.debug("No preview of %s: %s", schedule.name, error)
            return frozenset()
        return wet_occurrences(preview, self._mower_ids)

    async def _site_zone(self) -> tzinfo:
        return await dt_util.async_get_time_zone(self.hub.time_zone_of(self._subject_id)) or dt_util.UTC


class MowerPlan(PlanCalendar[Mower]):
    """The plan of one mower: its own schedules, and those of its groups, which are changed in the groups' calendars."""

    _parts = NOTHING

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Show a mower's plan."""
        super().__init__(hub, hub.mowers, mower_id, "plan")

    @property
    @override
    def _target(self) -> Target:
        return Target(mower_id=self._subject_id)

    @property
    @override
    def _mower_ids(self) -> frozenset[str]:
        return frozenset({self._subject_id})

    @override
    def _find_schedules(self) -> tuple[Schedule, ...]:
        schedules = self.hub.schedules.views.values()
        return tuple(each for each in schedules if self._subject_id in self.hub.mowers_of(each))

    @override
    async def _past(self, since: datetime, until: datetime, texts: Texts) -> Mapping[Occurred, CalendarEvent]:
        schedules = self.hub.schedules.views
        runs = await self._runs(since, until, mower_id=self._subject_id)
        return {
            (run.schedule_id, run.occurrence_at): past(run, schedules.get(run.schedule_id), self._zone, texts)
            for run in runs
        }


class GroupPlan(GroupEntity, PlanCalendar[Group]):
    """The plan of one group."""

    def __init__(self, hub: Hub, group_id: str) -> None:
        """Show a group's plan."""
        super().__init__(hub, group_id, "plan")

    @property
    @override
    def _target(self) -> Target:
        return Target(group_id=self._subject_id)

    @property
    @override
    def _mower_ids(self) -> frozenset[str]:
        return frozenset(self._view.mower_ids)

    @override
    def _find_schedules(self) -> tuple[Schedule, ...]:
        return tuple(each for each in self.hub.schedules.views.values() if each.target == self._target)

    @override
    async def _past(self, since: datetime, until: datetime, texts: Texts) -> Mapping[Occurred, CalendarEvent]:
        names = {mower.id: mower.name for mower in self.hub.mowers.views.values()}
        events: dict[Occurred, CalendarEvent] = {}
        for schedule in self._planned:
            together: dict[datetime, list[Run]] = {}
            for run in await self._runs(since, until, schedule_id=schedule.id):
                together.setdefault(run.occurrence_at, []).append(run)
            for at, runs in together.items():
                events[schedule.id, at] = past_of_group(runs, schedule, self._zone, texts, names)
        return events
