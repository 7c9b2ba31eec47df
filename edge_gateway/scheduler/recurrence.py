"""When a plan is due: weekly, every N days or once, by the wall clock of a zone.

Hand-written on zoneinfo: cron cannot say "every N days", rrule leaves gaps and folds to its caller.
Local calendar dates are walked and each date's wall time is converted with fold=0. So a time in the spring gap takes
the offset before the change (02:30 is 03:30 that morning) and an ambiguous time is due once, at its first occurrence.
Nothing here reads the process's own zone or clock.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_ONE_DAY = timedelta(days=1)
_DAYS_OF_A_WEEK = range(7)


def _check_time(at: time) -> None:
    if at.tzinfo is not None:
        msg = "at: a wall time has no zone of its own"
        raise ValueError(msg)
    if at.second or at.microsecond:
        msg = "at: a plan's time is a whole minute"
        raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Weekly:
    """On days of the week; Monday is 0."""

    days: frozenset[int]
    at: time

    def __post_init__(self) -> None:
        """Refuse no days, days that no week has, and times that are not whole minutes (`ValueError`)."""
        if not self.days or not self.days.issubset(_DAYS_OF_A_WEEK):
            msg = "days: one to seven of 0 (Monday) to 6 (Sunday)"
            raise ValueError(msg)
        _check_time(self.at)


@dataclass(frozen=True, slots=True)
class EveryNDays:
    """Every `interval` calendar days, counted from `anchor`, which is the first; never before it."""

    interval: int
    anchor: date
    at: time

    def __post_init__(self) -> None:
        """Refuse intervals under one day and times that are not whole minutes (`ValueError`)."""
        if self.interval < 1:
            msg = "interval: at least 1 day"
            raise ValueError(msg)
        _check_time(self.at)


@dataclass(frozen=True, slots=True)
class Once:
    """On one day."""

    day: date
    at: time

    def __post_init__(self) -> None:
        """Refuse times that are not whole minutes (`ValueError`)."""
        _check_time(self.at)


type Recurrence = Weekly | EveryNDays | Once


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time that a plan is due."""

    at: datetime
    """The instant, in UTC."""
    day: date
    """The local date that the rule walked; not always the instant's own (a gap may cross midnight)."""


def next_occurrence(recurrence: Recurrence, zone: ZoneInfo, after: datetime) -> datetime | None:
    """Return the first instant strictly after `after` (aware) in UTC; None when there is none left."""
    return next(occurrences(recurrence, zone, after), None)


def occurrences(recurrence: Recurrence, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    """Yield the instants strictly after `after` (aware), ascending, in UTC."""
    return (occurrence.at for occurrence in dated_occurrences(recurrence, zone, after))


def dated_occurrences(
    recurrence: Recurrence,
    zone: ZoneInfo,
    after: datetime,
    *,
    starts_on: date | None = None,
    ends_on: date | None = None,
) -> Iterator[Occurrence]:
    """Yield instants and their dates strictly after `after`, ascending; the bounds are dates and belong to it."""
    latest = _aware(after)
    at = recurrence.at.replace(fold=0)
    for day in _days(recurrence, _first_date(zone, latest, starts_on)):
        if ends_on is not None and day > ends_on:
            return
        try:
            instant = instant_of(day, at, zone)
        except OverflowError:
            # The last hours of the calendar lie beyond year 9999 in UTC, the first ones before year 1.
            continue
        # Two dates may fall on one instant (Apia left out 30 December 2011): the first of them stands for both.
        if instant > latest:
            latest = instant
            yield Occurrence(instant, day)


def instant_of(day: date, at: time, zone: ZoneInfo) -> datetime:
    """Return the instant of a wall time (fold 0) on a date in UTC; raises `OverflowError` beyond the calendar."""
    return datetime.combine(day, at, tzinfo=zone).astimezone(UTC)


def falls_on(recurrence: Recurrence, day: date) -> bool:
    """Tell whether the rule names this local date."""
    return next(_days(recurrence, day), None) == day


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        msg = "after: an instant needs a zone"
        raise TypeError(msg)
    return moment.astimezone(UTC)


def _first_date(zone: ZoneInfo, after: datetime, starts_on: date | None) -> date:
    """Return the date to walk from: one day before that of `after`, for a gap that crosses midnight."""
    try:
        day = after.astimezone(zone).date()
    except OverflowError:
        day = after.date()
    first = day if day == date.min else day - _ONE_DAY
    return first if starts_on is None else max(first, starts_on)


def _days(recurrence: Recurrence, first: date) -> Iterator[date]:
    """Yield the rule's dates from `first` on, ascending, to the end of the calendar."""
    match recurrence:
        case Once(day=day):
            if day >= first:
                yield day
        case EveryNDays(interval=interval, anchor=anchor):
            passed = max(0, (first - anchor).days)
            ordinal = anchor.toordinal() + -(-passed // interval) * interval
            yield from map(date.fromordinal, range(ordinal, date.max.toordinal() + 1, interval))
        case Weekly(days=days):
            for ordinal in range(first.toordinal(), date.max.toordinal() + 1):
                # Ordinal 1 is a Monday.
                if (ordinal - 1) % 7 in days:
                    yield date.fromordinal(ordinal)
