"""What a mower's calendar shows: occurrences to come, and runs as they were."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta, tzinfo

from homeassistant.components.calendar import CalendarEvent, CalendarEventStatus

from .calendar_rules import rule_of
from .client.occurrences import occurrences
from .client.preview import Preview
from .client.run import Run
from .client.schedule import Schedule

type Texts = Mapping[str, str]
"""What is said in the person's language, by Home Assistant's path of the text."""

OUTCOMES = "component.mowdeck.entity.sensor.last_outcome.state."
REASONS = "component.mowdeck.entity.sensor.last_outcome.state_attributes.reason.state."


def coming(
    schedule: Schedule, zone: tzinfo, since: datetime, until: datetime, wet: frozenset[datetime]
) -> Iterator[CalendarEvent]:
    """Yield the occurrences of a schedule that will run; one that rain may hold back is tentative."""
    if not schedule.enabled:
        return
    rule = rule_of(schedule.recurrence, schedule.ends_on)
    for occurrence in occurrences(schedule, zone, since, until):
        if occurrence.day in schedule.skips:
            continue
        start = occurrence.at.astimezone(zone)
        yield CalendarEvent(
            start=start,
            end=start + timedelta(minutes=schedule.duration_minutes),
            summary=schedule.name,
            uid=schedule.id,
            recurrence_id=None if rule is None else recurrence_id(start),
            rrule=rule,
            status=CalendarEventStatus.TENTATIVE if occurrence.at in wet else CalendarEventStatus.CONFIRMED,
        )


def past_of_group(
    runs: Sequence[Run], schedule: Schedule | None, zone: tzinfo, texts: Texts, names: Mapping[str, str]
) -> CalendarEvent:
    """Return the runs of a group's mowers at one occurrence as one entry that says what each of them did."""
    events = [past(run, schedule, zone, texts) for run in runs]
    first = events[0]
    first.end = max(event.end_datetime_local for event in events)
    if len(events) > 1:
        said = [
            f"{names.get(run.mower_id or '', '')}: {each.description}" for run, each in zip(runs, events, strict=True)
        ]
        first.description = "\n".join(sorted(said))
    return first


def past(run: Run, schedule: Schedule | None, zone: tzinfo, texts: Texts) -> CalendarEvent:
    """Return a run; one of an occurrence keeps its uid and start, so that it is the same entry before and after."""
    start = run.occurrence_at.astimezone(zone)
    end = run.window_ends_at
    if run.run_now and run.ended_at is not None:
        end = run.ended_at
    rule = None if schedule is None else rule_of(schedule.recurrence, schedule.ends_on)
    outcome = texts.get(f"{OUTCOMES}{run.outcome}", run.outcome.value)
    reason = "" if run.reason is None else texts.get(f"{REASONS}{run.reason}", run.reason)
    return CalendarEvent(
        start=start,
        end=max(end.astimezone(zone), start + timedelta(minutes=1)),
        summary=f"{outcome} ({run.schedule_id})" if schedule is None else schedule.name,
        description=outcome if not reason else f"{outcome} ({reason})",
        uid=run.id if run.run_now else run.schedule_id,
        recurrence_id=None if run.run_now or rule is None else recurrence_id(start),
        status=CalendarEventStatus.CONFIRMED,
    )


def wet_occurrences(preview: Preview, mower_ids: AbstractSet[str]) -> frozenset[datetime]:
    """Return the occurrences at which rain would hold one of these mowers back, as far as a forecast reaches."""
    return frozenset(
        item.occurrence_at
        for item in preview.items
        if any(mower.mower_id in mower_ids and mower.known and mower.hold for mower in item.mowers)
    )


def recurrence_id(start: datetime) -> str:
    """Return how an occurrence is named: by its local start."""
    return start.strftime("%Y%m%dT%H%M%S")
