"""From a calendar's entry to a schedule's rule and back: what can be said in both, and why the rest cannot. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from .client.occurrences import ONE_DAY, WEEKDAYS, falls_on
from .client.recurrence import EveryNDays, Once, Recurrence, Weekday, Weekly

LONGEST_MINUTES = 1440
DAYS_OF_A_WEEK = 7
LARGEST_COUNT = 1000
"""Of COUNT: more entries than that are a rule without an end."""

BYDAY = dict(zip(("MO", "TU", "WE", "TH", "FR", "SA", "SU"), WEEKDAYS, strict=True))
KNOWN_PARTS = frozenset({"FREQ", "INTERVAL", "BYDAY", "UNTIL", "COUNT", "WKST"})


class CalendarRuleError(Exception):
    """An entry that no schedule can be; `key` names the sentence that says why."""

    def __init__(self, key: str) -> None:
        """Keep the key."""
        super().__init__(key)
        self.key = key


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A calendar's entry as a schedule says it."""

    recurrence: Recurrence
    starts_on: date
    ends_on: date | None
    duration_minutes: int


def read_entry(start: datetime | date, end: datetime | date, rule: str | None, zone: tzinfo) -> Entry:
    """Return what an entry means in the site's zone; raises `CalendarRuleError`."""
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        raise CalendarRuleError("calendar_all_day")
    duration = end - start
    minutes = int(duration / timedelta(minutes=1))
    if not 1 <= minutes <= LONGEST_MINUTES:
        raise CalendarRuleError("calendar_duration")
    local = start.astimezone(zone)
    if local.second or local.microsecond or duration != timedelta(minutes=minutes):
        raise CalendarRuleError("calendar_full_minute")
    parts = _parts(rule)
    # The days of the rule are those of the entry's own zone; in the site's, all of them may be another day.
    shift = (local.date() - start.date()).days
    recurrence = _recurrence(parts, local, shift)
    return Entry(
        recurrence=recurrence,
        starts_on=local.date(),
        ends_on=_ends_on(parts, recurrence, local),
        duration_minutes=minutes,
    )


def rule_of(recurrence: Recurrence | None, ends_on: date | None) -> str | None:
    """Return a schedule's rule as the calendar shows it; None for a single entry."""
    match recurrence:
        case Weekly():
            names = {day: name for name, day in BYDAY.items()}
            rule = f"FREQ=WEEKLY;BYDAY={','.join(names[day] for day in recurrence.days)}"
        case EveryNDays():
            rule = f"FREQ=DAILY;INTERVAL={recurrence.interval}"
        case _:
            return None
    return rule if ends_on is None else f"{rule};UNTIL={ends_on:%Y%m%d}"


def _parts(rule: str | None) -> Mapping[str, str]:
    if not rule:
        return {}
    parts = dict(part.split("=", 1) for part in rule.removeprefix("RRULE:").split(";") if "=" in part)
    if not parts.keys() <= KNOWN_PARTS:
        raise CalendarRuleError("calendar_rule")
    return parts


def _recurrence(parts: Mapping[str, str], local: datetime, shift: int) -> Recurrence:
    at = f"{local:%H:%M}"
    if not parts:
        return Once(day=local.date(), at=at)
    interval = int(parts.get("INTERVAL", "1"))
    if interval < 1:
        raise CalendarRuleError("calendar_rule")
    match parts.get("FREQ"):
        case "DAILY" if "BYDAY" not in parts:
            return EveryNDays(interval=interval, anchor=local.date(), at=at)
        case "WEEKLY":
            days = _days(parts, local, shift)
            if interval == 1:
                return Weekly(days=days, at=at)
            if len(days) == 1:
                ahead = (WEEKDAYS.index(days[0]) - local.weekday()) % DAYS_OF_A_WEEK
                anchor = local.date() + timedelta(days=ahead)
                return EveryNDays(interval=DAYS_OF_A_WEEK * interval, anchor=anchor, at=at)
    raise CalendarRuleError("calendar_rule")


def _days(parts: Mapping[str, str], local: datetime, shift: int) -> tuple[Weekday, ...]:
    if "BYDAY" not in parts:
        return (WEEKDAYS[local.weekday()],)
    try:
        given = {WEEKDAYS.index(BYDAY[name]) for name in parts["BYDAY"].split(",")}
    except KeyError as error:
        raise CalendarRuleError("calendar_rule") from error
    moved = {(number + shift) % DAYS_OF_A_WEEK for number in given}
    return tuple(day for number, day in enumerate(WEEKDAYS) if number in moved)


def _ends_on(parts: Mapping[str, str], recurrence: Recurrence, local: datetime) -> date | None:
    if "UNTIL" in parts:
        ends_on = _until(parts["UNTIL"], local)
        if ends_on < local.date():
            raise CalendarRuleError("calendar_rule")
        return ends_on
    if "COUNT" in parts:
        return _counted(int(parts["COUNT"]), recurrence, local.date())
    return None


def _until(text: str, local: datetime) -> date:
    """Return the last day on which the wall time is not after UNTIL."""
    try:
        until = datetime.fromisoformat(text)
    except ValueError as error:
        raise CalendarRuleError("calendar_rule") from error
    if "T" not in text:
        return until.date()
    there = (until.replace(tzinfo=until.tzinfo or local.tzinfo or UTC)).astimezone(local.tzinfo)
    return there.date() if there.time() >= local.time() else there.date() - ONE_DAY


def _counted(count: int, recurrence: Recurrence, first: date) -> date:
    """Return the day of the last of so many occurrences."""
    if not 1 <= count <= LARGEST_COUNT:
        raise CalendarRuleError("calendar_rule")
    day = first
    while True:
        if falls_on(recurrence, day):
            count -= 1
            if count == 0:
                return day
        day += ONE_DAY
