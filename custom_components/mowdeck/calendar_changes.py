"""What a person changes in the calendar of a mower or a group, done at the gateway."""

from datetime import datetime, tzinfo
from typing import Any
from uuid import uuid4

from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.util import dt as dt_util

from .calendar_events import recurrence_id
from .calendar_rules import CalendarRuleError, Entry, read_entry
from .client.caller import Caller
from .client.occurrences import ONE_DAY, Occurrence, occurrences
from .client.recurrence import EveryNDays, Weekly
from .client.schedule import Schedule, ScheduleDraft, Target
from .const import DOMAIN
from .failures import translated
from .hub import Hub
from .told_errors import Whose

LONGEST_NAME = 100


class CalendarChanges:
    """Creates, changes and deletes the schedules of one mower, or of one group, for one caller."""

    def __init__(self, hub: Hub, target: Target, caller: Caller) -> None:
        """Act at a gateway for a caller."""
        self._hub = hub
        self._target = target
        self._caller = caller

    async def create(self, event: dict[str, Any]) -> Schedule:
        """Make a schedule of an entry; a rule that no schedule can follow is refused with the reason."""
        entry = self._entry(event, await self._site_zone())
        return await self._create(event["summary"], entry)

    async def delete(self, uid: str, named: str | None, *, and_future: bool) -> None:
        """Delete a schedule, leave one occurrence out, or end it before an occurrence."""
        schedule = self._schedule(uid)
        occurrence = await self._occurrence(schedule, named)
        if occurrence is None or (and_future and _is_first(schedule, occurrence)):
            with translated(self._hub, Whose.of(self._target)):
                await self._hub.client.delete_schedule(schedule.id, caller=self._caller)
            self._hub.schedules.remove(schedule.id)
        elif and_future:
            await self._patch(schedule, {"ends_on": (occurrence.day - ONE_DAY).isoformat()})
        else:
            await self._skip(schedule, occurrence)

    async def update(self, uid: str, event: dict[str, Any], named: str | None, *, and_future: bool) -> None:
        """Change a schedule, one occurrence of it (left out and made anew), or all from one on (split)."""
        schedule = self._schedule(uid)
        zone = await self._zone(schedule.effective_time_zone)
        occurrence = await self._occurrence(schedule, named)
        if occurrence is None or (and_future and _is_first(schedule, occurrence)):
            await self._change(schedule, event, zone)
        elif and_future:
            entry = self._entry(event, zone)
            await self._patch(schedule, {"ends_on": (occurrence.day - ONE_DAY).isoformat()})
            await self._create(event["summary"], entry, schedule)
        else:
            entry = self._entry(event | {"rrule": None}, zone)
            await self._skip(schedule, occurrence)
            try:
                await self._create(event["summary"], entry, schedule)
            except HomeAssistantError:
                await self._unskip(schedule, occurrence)
                raise

    async def _change(self, schedule: Schedule, event: dict[str, Any], zone: tzinfo) -> None:
        entry = self._entry(event, zone)
        changes = {
            "name": _name(event["summary"]),
            "recurrence": entry.recurrence.json(),
            "duration_minutes": entry.duration_minutes,
            "ends_on": None if entry.ends_on is None else entry.ends_on.isoformat(),
        }
        if schedule.starts_on is not None and entry.starts_on < schedule.starts_on:
            changes["starts_on"] = entry.starts_on.isoformat()
        await self._patch(schedule, changes)

    async def _create(self, name: str, entry: Entry, like: Schedule | None = None) -> Schedule:
        draft = ScheduleDraft(
            name=_name(name),
            target=self._target,
            recurrence=entry.recurrence,
            duration_minutes=entry.duration_minutes,
            starts_on=entry.starts_on if isinstance(entry.recurrence, Weekly) else None,
            ends_on=entry.ends_on if isinstance(entry.recurrence, Weekly | EveryNDays) else None,
            options={} if like is None else like.options,
        )
        with translated(self._hub, Whose.of(self._target)):
            schedule = await self._hub.client.create_schedule(draft, key=uuid4().hex, caller=self._caller)
        self._hub.put_answered(schedule)
        return schedule

    async def _patch(self, schedule: Schedule, changes: dict[str, Any]) -> None:
        with translated(self._hub, Whose.of(self._target)):
            changed = await self._hub.client.update_schedule(schedule.id, changes, caller=self._caller)
        self._hub.put_answered(changed)

    async def _skip(self, schedule: Schedule, occurrence: Occurrence) -> None:
        with translated(self._hub, Whose.of(self._target)):
            changed = await self._hub.client.skip(schedule.id, occurrence.at, caller=self._caller)
        self._hub.put_answered(changed)

    async def _unskip(self, schedule: Schedule, occurrence: Occurrence) -> None:
        with translated(self._hub, Whose.of(self._target)):
            changed = await self._hub.client.unskip(schedule.id, occurrence.at, caller=self._caller)
        self._hub.put_answered(changed)

    def _schedule(self, uid: str) -> Schedule:
        """Return the schedule of an entry; a run of the past has none to change."""
        schedule = self._hub.schedules.views.get(uid)
        if schedule is None:
            raise _refused("calendar_past")
        if schedule.target != self._target:
            raise _refused("calendar_group")
        return schedule

    async def _occurrence(self, schedule: Schedule, named: str | None) -> Occurrence | None:
        """Return the occurrence that is named by its local start; None is the whole schedule."""
        if named is None:
            return None
        zone = await self._zone(schedule.effective_time_zone)
        try:
            at = datetime.fromisoformat(named).replace(tzinfo=zone)
        except ValueError as error:
            raise _refused("calendar_past") from error
        for occurrence in occurrences(schedule, zone, at - ONE_DAY, at + ONE_DAY):
            if recurrence_id(occurrence.at.astimezone(zone)) == named:
                if occurrence.at <= dt_util.utcnow():
                    break
                return occurrence
        raise _refused("calendar_past")

    def _entry(self, event: dict[str, Any], zone: tzinfo) -> Entry:
        try:
            return read_entry(event["dtstart"], event["dtend"], event.get("rrule"), zone)
        except CalendarRuleError as error:
            raise _refused(error.key) from error

    async def _site_zone(self) -> tzinfo:
        return await self._zone(self._hub.time_zone_of(self._target.group_id or self._target.mower_id))

    @staticmethod
    async def _zone(name: str) -> tzinfo:
        return await dt_util.async_get_time_zone(name) or dt_util.UTC


def _is_first(schedule: Schedule, occurrence: Occurrence) -> bool:
    """Tell whether nothing of a schedule is left before an occurrence."""
    return schedule.next_run_at is not None and occurrence.at <= schedule.next_run_at


def _name(summary: str) -> str:
    return summary.strip()[:LONGEST_NAME] or "MowDeck"


def _refused(key: str) -> ServiceValidationError:
    return ServiceValidationError(translation_domain=DOMAIN, translation_key=key)
