"""From a calendar's entry to a schedule's rule and back."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from custom_components.mowdeck.calendar_rules import CalendarRuleError, read_entry, rule_of
from custom_components.mowdeck.client.occurrences import occurrences
from custom_components.mowdeck.client.reading import Reading
from custom_components.mowdeck.client.recurrence import EveryNDays, Once, Recurrence, Weekday, Weekly
from custom_components.mowdeck.client.schedule import Schedule
from tests.emulators.gateway import documents

AMSTERDAM = ZoneInfo("Europe/Amsterdam")
MONDAY = datetime(2026, 5, 4, 9, tzinfo=AMSTERDAM)
DAY = MONDAY.date()
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("rule", "recurrence", "ends_on"),
    [
        (None, Once(day=DAY, at="09:00"), None),
        ("", Once(day=DAY, at="09:00"), None),
        ("FREQ=DAILY", EveryNDays(interval=1, anchor=DAY, at="09:00"), None),
        ("FREQ=DAILY;INTERVAL=3", EveryNDays(interval=3, anchor=DAY, at="09:00"), None),
        ("FREQ=DAILY;INTERVAL=3;COUNT=3", EveryNDays(interval=3, anchor=DAY, at="09:00"), date(2026, 5, 10)),
        ("FREQ=WEEKLY", Weekly(days=(Weekday.MONDAY,), at="09:00"), None),
        ("RRULE:FREQ=WEEKLY;BYDAY=FR,MO", Weekly(days=(Weekday.MONDAY, Weekday.FRIDAY), at="09:00"), None),
        ("FREQ=WEEKLY;COUNT=2", Weekly(days=(Weekday.MONDAY,), at="09:00"), date(2026, 5, 11)),
        ("FREQ=WEEKLY;UNTIL=20260518", Weekly(days=(Weekday.MONDAY,), at="09:00"), date(2026, 5, 18)),
        ("FREQ=WEEKLY;UNTIL=20260518T070000Z", Weekly(days=(Weekday.MONDAY,), at="09:00"), date(2026, 5, 18)),
        ("FREQ=WEEKLY;UNTIL=20260518T065959Z", Weekly(days=(Weekday.MONDAY,), at="09:00"), date(2026, 5, 17)),
        ("FREQ=WEEKLY;UNTIL=20260518T090000", Weekly(days=(Weekday.MONDAY,), at="09:00"), date(2026, 5, 18)),
        ("FREQ=WEEKLY;INTERVAL=2", EveryNDays(interval=14, anchor=DAY, at="09:00"), None),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", EveryNDays(interval=14, anchor=date(2026, 5, 6), at="09:00"), None),
    ],
)
def test_a_rule_that_a_schedule_can_follow(rule: str | None, recurrence: Recurrence, ends_on: date | None) -> None:
    entry = read_entry(MONDAY, MONDAY + HOUR, rule, AMSTERDAM)
    assert (entry.recurrence, entry.ends_on) == (recurrence, ends_on)
    assert (entry.starts_on, entry.duration_minutes) == (DAY, 60)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MONTHLY",
        "FREQ=YEARLY",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE",
        "FREQ=DAILY;BYDAY=MO",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=WEEKLY;BYDAY=1MO",
        "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=1",
        "FREQ=WEEKLY;UNTIL=soon",
        "FREQ=WEEKLY;UNTIL=20260401",
        "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=1001",
    ],
)
def test_a_rule_that_no_schedule_can_follow(rule: str) -> None:
    with pytest.raises(CalendarRuleError) as raised:
        read_entry(MONDAY, MONDAY + HOUR, rule, AMSTERDAM)
    assert raised.value.key == "calendar_rule"


@pytest.mark.parametrize(
    ("start", "end", "key"),
    [
        (DAY, DAY, "calendar_all_day"),
        (MONDAY, MONDAY, "calendar_duration"),
        (MONDAY, MONDAY + timedelta(minutes=1441), "calendar_duration"),
        (MONDAY.replace(second=5), MONDAY + HOUR + timedelta(seconds=5), "calendar_full_minute"),
        (MONDAY, MONDAY + HOUR + timedelta(seconds=5), "calendar_full_minute"),
    ],
)
def test_times_that_no_schedule_has(start: datetime | date, end: datetime | date, key: str) -> None:
    with pytest.raises(CalendarRuleError) as raised:
        read_entry(start, end, None, AMSTERDAM)
    assert raised.value.key == key


def test_days_are_those_of_the_site() -> None:
    sydney = ZoneInfo("Australia/Sydney")
    start = datetime(2026, 5, 4, 20, tzinfo=UTC)
    entry = read_entry(start, start + HOUR, "FREQ=WEEKLY;BYDAY=MO,SU", sydney)
    assert entry.recurrence == Weekly(days=(Weekday.MONDAY, Weekday.TUESDAY), at="06:00")
    assert entry.starts_on == date(2026, 5, 5)


@pytest.mark.parametrize(
    ("recurrence", "ends_on", "rule"),
    [
        (Weekly(days=(Weekday.MONDAY, Weekday.SUNDAY), at="09:00"), None, "FREQ=WEEKLY;BYDAY=MO,SU"),
        (EveryNDays(interval=3, anchor=DAY, at="09:00"), date(2026, 6, 1), "FREQ=DAILY;INTERVAL=3;UNTIL=20260601"),
        (Once(day=DAY, at="09:00"), None, None),
        (None, None, None),
    ],
)
def test_a_schedule_is_shown_as_a_rule(recurrence: Recurrence | None, ends_on: date | None, rule: str | None) -> None:
    assert rule_of(recurrence, ends_on) == rule


def due(since: datetime, until: datetime, **changes: object) -> list[str]:
    """Return when a schedule is due in a span, by its own wall clock."""
    schedule = Schedule.read(Reading.of(documents.schedule(**changes), "schedule"))
    return [each.at.astimezone(AMSTERDAM).isoformat() for each in occurrences(schedule, AMSTERDAM, since, until)]


def test_when_a_schedule_is_due() -> None:
    week = (MONDAY, MONDAY + timedelta(days=7))
    assert due(*week) == ["2026-05-04T09:00:00+02:00", "2026-05-06T09:00:00+02:00", "2026-05-08T09:00:00+02:00"]
    assert due(*week, starts_on="2026-05-05", ends_on="2026-05-06") == ["2026-05-06T09:00:00+02:00"]
    once = {"kind": "once", "day": "2026-05-07", "at": "08:00"}
    assert due(*week, recurrence=once) == ["2026-05-07T08:00:00+02:00"]
    often = {"kind": "every_n_days", "interval": 5, "anchor": "2026-05-05", "at": "08:00"}
    assert due(*week, recurrence=often) == ["2026-05-05T08:00:00+02:00", "2026-05-10T08:00:00+02:00"]
    assert due(*week, recurrence={"kind": "monthly", "at": "09:00"}) == []


def test_a_time_in_the_spring_gap_is_an_hour_later() -> None:
    sunday = datetime(2026, 3, 29, tzinfo=AMSTERDAM)
    daily = {"kind": "every_n_days", "interval": 1, "anchor": "2026-03-28", "at": "02:30"}
    assert due(sunday, sunday + timedelta(days=1), recurrence=daily) == ["2026-03-29T03:30:00+02:00"]
