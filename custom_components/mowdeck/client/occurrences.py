"""When a schedule is due, by the gateway's own rule, for spans that its preview does not reach. Pure.

Local dates are walked and each wall time is converted with fold 0: one in the spring gap takes the offset from before
the change, one that comes twice is due at its first time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from .recurrence import EveryNDays, Once, Recurrence, Weekday, Weekly
from .schedule import Schedule

ONE_DAY = timedelta(days=1)
WEEKDAYS = tuple(Weekday)


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """One time that a schedule is due."""

    at: datetime
    """The instant, in UTC."""
    day: date
    """The local date that the rule walked."""


def falls_on(recurrence: Recurrence, day: date) -> bool:
    """Tell whether the rule names a local date."""
    match recurrence:
        case Weekly():
            return WEEKDAYS[day.weekday()] in recurrence.days
        case EveryNDays():
            return day >= recurrence.anchor and (day - recurrence.anchor).days % recurrence.interval == 0
        case Once():
            return day == recurrence.day


def instant_of(day: date, at: str, zone: tzinfo) -> datetime:
    """Return the instant of a wall time (`HH:MM`) on a date, in UTC."""
    return datetime.combine(day, time.fromisoformat(at), tzinfo=zone).astimezone(UTC)


def occurrences(schedule: Schedule, zone: tzinfo, since: datetime, until: datetime) -> Iterator[Occurrence]:
    """Yield the occurrences in [since, until), also skipped ones, in order; none of a rule that is not known here."""
    if schedule.recurrence is None:
        return
    latest = None
    day = since.astimezone(zone).date() - ONE_DAY
    last = until.astimezone(zone).date() + ONE_DAY
    while day <= last:
        if _belongs(schedule, day) and falls_on(schedule.recurrence, day):
            at = instant_of(day, schedule.recurrence.at, zone)
            if since <= at < until and at != latest:
                latest = at
                yield Occurrence(at=at, day=day)
        day += ONE_DAY


def _belongs(schedule: Schedule, day: date) -> bool:
    if schedule.starts_on is not None and day < schedule.starts_on:
        return False
    return schedule.ends_on is None or day <= schedule.ends_on
