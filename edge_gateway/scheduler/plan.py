"""A schedule's plan: its recurrence within its bounds, in its zone, and what of it is due."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import dropwhile
from zoneinfo import ZoneInfo

from edge_gateway.contracts.schedules import (
    WEEKDAYS,
    EveryNDaysRecurrence,
    OnceRecurrence,
    ScheduleDraft,
    WeeklyRecurrence,
)
from edge_gateway.contracts.schedules import Recurrence as GivenRecurrence
from edge_gateway.scheduler.recurrence import (
    EveryNDays,
    Occurrence,
    Once,
    Recurrence,
    Weekly,
    dated_occurrences,
    falls_on,
)

_INSTANT = timedelta(microseconds=1)
_ONE_DAY = timedelta(days=1)
_EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Plan:
    """When a schedule is due."""

    recurrence: Recurrence
    zone: ZoneInfo
    starts_on: date | None = None
    ends_on: date | None = None

    def after(self, moment: datetime) -> Iterator[Occurrence]:
        """Yield the occurrences strictly after a moment, ascending."""
        return dated_occurrences(self.recurrence, self.zone, moment, starts_on=self.starts_on, ends_on=self.ends_on)

    def at(self, moment: datetime) -> Occurrence | None:
        """Return the occurrence of exactly this moment; None when there is none."""
        found = next(self.after(moment - _INSTANT), None)
        return found if found is not None and found.at == moment else None

    def on(self, day: date) -> Occurrence | None:
        """Return the occurrence of a local date; None when there is none."""
        if not self.names(day):
            return None
        found = next(dated_occurrences(self.recurrence, self.zone, _EARLIEST, starts_on=day, ends_on=day), None)
        # Of two dates that fall on one instant the first one stands for both.
        return None if found is None or self.at(found.at) != found else found

    def names(self, day: date) -> bool:
        """Tell whether a local date is one of the plan's."""
        if (self.starts_on is not None and day < self.starts_on) or (self.ends_on is not None and day > self.ends_on):
            return False
        return falls_on(self.recurrence, day)


@dataclass(frozen=True, slots=True)
class Due:
    """What a claim takes: the latest occurrence that is due; there is no catch-up for those before it."""

    latest: Occurrence
    missed: int
    """How many occurrences were passed over."""


def plan_of(draft: ScheduleDraft, time_zone: str) -> Plan:
    """Return the plan of a valid draft in a zone."""
    return Plan(rule_of(draft.recurrence), ZoneInfo(time_zone), draft.starts_on, draft.ends_on)


def rule_of(given: GivenRecurrence) -> Recurrence:
    """Return the rule of a recurrence as it is given; raises `ValueError` for an impossible one."""
    at = time.fromisoformat(given.at)
    match given:
        case WeeklyRecurrence(days=days):
            return Weekly(frozenset(WEEKDAYS.index(day) for day in days), at)
        case EveryNDaysRecurrence(interval=interval, anchor=anchor):
            return EveryNDays(interval, anchor, at)
        case OnceRecurrence(day=day):
            return Once(day, at)


def due(plan: Plan, next_run_at: datetime, now: datetime) -> Due | None:
    """Return the latest occurrence from the stored `next_run_at` up to `now`, and how many it passes over."""
    latest: Occurrence | None = None
    count = 0
    for occurrence in plan.after(next_run_at - _INSTANT):
        if occurrence.at > now:
            break
        latest = occurrence
        count += 1
    return None if latest is None else Due(latest, count - 1)


def next_run(plan: Plan, after: datetime, *, fired_on: date | None = None) -> Occurrence | None:
    """Return the next occurrence; None when there is none left.

    `fired_on` is the local date of the last firing, given when the zone has changed since: that date does not fire
    again in the new zone, nor the one before it (zones lie up to 26 hours apart).
    """
    fired = frozenset() if fired_on is None else frozenset({fired_on, fired_on - _ONE_DAY})
    return next(dropwhile(lambda occurrence: occurrence.day in fired, plan.after(after)), None)


def next_not_skipped(plan: Plan, first: Occurrence, skips: frozenset[date]) -> Occurrence | None:
    """Return the first occurrence from `first` on whose date is not skipped; None when there is none left."""
    return next(
        dropwhile(lambda occurrence: occurrence.day in skips, plan.after(first.at - _INSTANT)),
        None,
    )


def still_skipped(plan: Plan, skips: frozenset[date]) -> frozenset[date]:
    """Return the skips that stay when a schedule was changed: those whose date the plan still names."""
    return frozenset(day for day in skips if plan.names(day))
