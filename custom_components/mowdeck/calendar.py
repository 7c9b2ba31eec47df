"""A mower's calendar: what is planned and what became of it; schedules are made and changed in it."""

import asyncio
from datetime import datetime, timedelta, tzinfo
from typing import Any, override

from homeassistant.components.calendar import CalendarEntity, CalendarEntityFeature, CalendarEvent
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util import dt as dt_util

from .acting import CALL_CONTEXT
from .calendar_changes import CalendarChanges
from .calendar_events import coming, past, wet_occurrences
from .client.caller import Caller, Origin
from .client.errors import ClientError
from .client.run import Run
from .client.schedule import Schedule
from .const import DOMAIN, LOGGER
from .entity import MowerEntity
from .failures import translated
from .hub import Hub, MowDeckConfigEntry

PARALLEL_UPDATES = 0

THIS_AND_FUTURE = "THISANDFUTURE"

MOST_PAGES = 20
"""Of runs for one look at the calendar: 2000 runs, years of most gardens."""

AHEAD = timedelta(days=15)
"""How far the forecast of a preview reaches, and a day more."""


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the calendar of each mower."""
    hub = entry.runtime_data
    hub.mowers.on_new(lambda mower_id: async_add_entities([PlanCalendar(hub, mower_id)]))


class PlanCalendar(MowerEntity, CalendarEntity):
    """The plan of one mower."""

    _attr_initial_color = "#3f8f46"
    _attr_supported_features = (
        CalendarEntityFeature.CREATE_EVENT | CalendarEntityFeature.DELETE_EVENT | CalendarEntityFeature.UPDATE_EVENT
    )

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Show a mower's plan."""
        super().__init__(hub, mower_id, "plan")
        self._zone: tzinfo = dt_util.UTC
        self._planned: tuple[Schedule, ...] = ()
        """What is planned: looked up when a plan changes, not with each of the mower's reports."""

    @override
    async def async_added_to_hass(self) -> None:
        """Begin to listen to the mower's schedules."""
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
        events: list[CalendarEvent] = []
        seen: set[tuple[str, datetime]] = set()
        if start_date < now:
            texts = await async_get_translations(hass, hass.config.language, "entity", {DOMAIN})
            for run in await self._runs(start_date, end_date):
                events.append(past(run, self.hub.schedules.views.get(run.schedule_id), zone, texts))
                seen.add((run.schedule_id, run.occurrence_at))
        schedules = list(self._planned)
        for schedule, wet in zip(schedules, await self._wet(schedules, now, start_date, end_date), strict=True):
            # An occurrence that is past and has no run was not there at the time.
            since = max(start_date - timedelta(minutes=schedule.duration_minutes), schedule.next_run_at or now)
            # Each schedule keeps its own zone; mostly it is the site's.
            own_zone = await dt_util.async_get_time_zone(schedule.effective_time_zone) or zone
            events += [
                event
                for event in coming(schedule, own_zone, since, end_date, wet)
                if (schedule.id, event.start_datetime_local.astimezone(dt_util.UTC)) not in seen
            ]
        return sorted(events, key=lambda event: event.start_datetime_local)

    @override
    async def async_create_event(self, **kwargs: Any) -> None:
        """Make a schedule."""
        await self._changes.create(kwargs)

    @override
    async def async_delete_event(
        self, uid: str, recurrence_id: str | None = None, recurrence_range: str | None = None
    ) -> None:
        """Delete a schedule, or a part of it."""
        await self._changes.delete(uid, recurrence_id, and_future=recurrence_range == THIS_AND_FUTURE)

    @override
    async def async_update_event(
        self,
        uid: str,
        event: dict[str, Any],
        recurrence_id: str | None = None,
        recurrence_range: str | None = None,
    ) -> None:
        """Change a schedule, or a part of it."""
        await self._changes.update(uid, event, recurrence_id, and_future=recurrence_range == THIS_AND_FUTURE)

    @property
    def _changes(self) -> CalendarChanges:
        # The calendar's panel hands no context over; an action does.
        caller = Caller(origin=Origin.CALENDAR) if CALL_CONTEXT.get() is None else self._caller
        return CalendarChanges(self.hub, self._subject_id, caller)

    def _find_schedules(self) -> tuple[Schedule, ...]:
        return tuple(each for each in self.hub.schedules.views.values() if each.target.mower_id == self._subject_id)

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

    async def _runs(self, since: datetime, until: datetime) -> list[Run]:
        found: list[Run] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            with translated(self.hub):
                page = await self.hub.client.get_runs(mower_id=self._subject_id, cursor=cursor)
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
        return wet_occurrences(preview, self._subject_id)

    async def _site_zone(self) -> tzinfo:
        return await dt_util.async_get_time_zone(self.hub.time_zone_of(self._subject_id)) or dt_util.UTC
