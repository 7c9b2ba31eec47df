"""The recurrence rules by name: clock changes in Berlin, odd zones, anchors, bounds, the ends of the calendar."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise
from time import tzset
from zoneinfo import ZoneInfo

import pytest

from edge_gateway.scheduler.recurrence import (
    EveryNDays,
    Occurrence,
    Once,
    Recurrence,
    Weekly,
    dated_occurrences,
    falls_on,
    next_occurrence,
    occurrences,
)

BERLIN = ZoneInfo("Europe/Berlin")
EVERY_DAY = frozenset(range(7))
DAYS = "days: one to seven of 0 (Monday) to 6 (Sunday)"
MINUTE = "at: a plan's time is a whole minute"


def utc(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


def first(recurrence: Recurrence, zone: ZoneInfo, after: datetime, count: int) -> list[datetime]:
    return list(islice(occurrences(recurrence, zone, after), count))


def test_nine_o_clock_stays_nine_o_clock_over_both_changes_of_the_clock() -> None:
    plan = Weekly(EVERY_DAY, time(9))
    assert first(plan, BERLIN, utc(2026, 3, 27, 12), 3) == [
        utc(2026, 3, 28, 8),
        utc(2026, 3, 29, 7),
        utc(2026, 3, 30, 7),
    ]
    assert first(plan, BERLIN, utc(2026, 10, 23, 12), 3) == [
        utc(2026, 10, 24, 7),
        utc(2026, 10, 25, 8),
        utc(2026, 10, 26, 8),
    ]


def test_next_run_asked_at_midnight_of_a_clock_change_day_is_right_by_the_wall_clock() -> None:
    plan = Weekly(EVERY_DAY, time(9))
    assert next_occurrence(plan, BERLIN, datetime(2026, 3, 29, tzinfo=BERLIN)) == utc(2026, 3, 29, 7)
    assert next_occurrence(plan, BERLIN, datetime(2026, 10, 25, tzinfo=BERLIN)) == utc(2026, 10, 25, 8)


def test_a_time_in_the_spring_gap_is_due_an_hour_later_by_the_clock_that_morning() -> None:
    plan = Weekly(EVERY_DAY, time(2, 30))
    found = first(plan, BERLIN, utc(2026, 3, 28, 12), 2)
    assert found == [utc(2026, 3, 29, 1, 30), utc(2026, 3, 30, 0, 30)]
    assert found[0].astimezone(BERLIN).time() == time(3, 30)


def test_the_first_and_the_last_minute_of_the_gap() -> None:
    assert next_occurrence(Once(date(2026, 3, 29), time(2, 0)), BERLIN, utc(2026, 3, 1)) == utc(2026, 3, 29, 1, 0)
    assert next_occurrence(Once(date(2026, 3, 29), time(2, 59)), BERLIN, utc(2026, 3, 1)) == utc(2026, 3, 29, 1, 59)
    assert next_occurrence(Once(date(2026, 3, 29), time(3, 0)), BERLIN, utc(2026, 3, 1)) == utc(2026, 3, 29, 1, 0)
    assert next_occurrence(Once(date(2026, 3, 29), time(1, 59)), BERLIN, utc(2026, 3, 1)) == utc(2026, 3, 29, 0, 59)


def test_an_ambiguous_time_is_due_once_at_its_first_occurrence() -> None:
    plan = Weekly(EVERY_DAY, time(2, 30))
    assert first(plan, BERLIN, utc(2026, 10, 24, 12), 2) == [utc(2026, 10, 25, 0, 30), utc(2026, 10, 26, 1, 30)]
    # Asked between the two half past twos, and at the second one: the next is tomorrow's.
    assert next_occurrence(plan, BERLIN, utc(2026, 10, 25, 1)) == utc(2026, 10, 26, 1, 30)
    assert next_occurrence(plan, BERLIN, utc(2026, 10, 25, 1, 30)) == utc(2026, 10, 26, 1, 30)


def test_strictly_after() -> None:
    plan = Once(date(2026, 5, 1), time(9))
    due = utc(2026, 5, 1, 7)
    assert next_occurrence(plan, BERLIN, due - timedelta(microseconds=1)) == due
    assert next_occurrence(plan, BERLIN, due) is None


def test_a_gap_that_crosses_midnight_is_due_on_the_next_date_and_keeps_the_date_that_was_walked() -> None:
    # Cairo goes from 24:00 Thursday to 01:00 Friday: 00:30 on Friday does not exist.
    cairo = ZoneInfo("Africa/Cairo")
    [found] = list(dated_occurrences(Once(date(2026, 4, 24), time(0, 30)), cairo, utc(2026, 4, 1)))
    assert found == Occurrence(utc(2026, 4, 23, 22, 30), date(2026, 4, 24))
    assert found.at.astimezone(cairo) == datetime(2026, 4, 24, 1, 30, tzinfo=cairo)
    # Nuuk goes from 22:00 to 23:00 on Saturday until 2023, and from 23:00 to 24:00 since: 23:30 is on Sunday.
    nuuk = ZoneInfo("America/Nuuk")
    [late] = list(dated_occurrences(Once(date(2026, 3, 28), time(23, 30)), nuuk, utc(2026, 3, 1)))
    assert late.day == date(2026, 3, 28)
    assert late.at.astimezone(nuuk) == datetime(2026, 3, 29, 0, 30, tzinfo=nuuk)
    # Asked when the clock already shows Sunday, it is still ahead.
    asked = datetime(2026, 3, 29, 0, 10, tzinfo=nuuk)
    assert next_occurrence(Weekly(frozenset({5}), time(23, 30)), nuuk, asked) == late.at


def test_lord_howe_moves_by_half_an_hour() -> None:
    island = ZoneInfo("Australia/Lord_Howe")
    plan = Weekly(EVERY_DAY, time(2, 15))
    gap = next_occurrence(plan, island, utc(2026, 10, 3, 12))
    assert gap is not None
    assert gap.astimezone(island) == datetime(2026, 10, 4, 2, 45, tzinfo=island)


def test_kathmandu_and_saint_john_s_have_offsets_with_minutes() -> None:
    plan = Once(date(2026, 7, 1), time(9))
    assert next_occurrence(plan, ZoneInfo("Asia/Kathmandu"), utc(2026, 6, 1)) == utc(2026, 7, 1, 3, 15)
    assert next_occurrence(plan, ZoneInfo("America/St_Johns"), utc(2026, 6, 1)) == utc(2026, 7, 1, 11, 30)


def test_the_date_that_apia_left_out_is_one_occurrence_with_the_next() -> None:
    apia = ZoneInfo("Pacific/Apia")
    plan = Weekly(EVERY_DAY, time(10))
    found = list(islice(dated_occurrences(plan, apia, utc(2011, 12, 29, 12)), 3))
    assert [(o.at, o.day) for o in found] == [
        (utc(2011, 12, 29, 20), date(2011, 12, 29)),
        (utc(2011, 12, 30, 20), date(2011, 12, 30)),
        (utc(2011, 12, 31, 20), date(2012, 1, 1)),
    ]
    # Wherever the walk begins, the same date stands for the instant.
    again = next(dated_occurrences(plan, apia, utc(2011, 12, 30, 19)))
    assert again == found[1]


def test_every_n_days_counts_calendar_days_over_a_change_of_the_clock() -> None:
    plan = EveryNDays(3, date(2026, 3, 26), time(9))
    assert first(plan, BERLIN, utc(2026, 3, 1), 3) == [
        utc(2026, 3, 26, 8),
        utc(2026, 3, 29, 7),
        utc(2026, 4, 1, 7),
    ]


def test_every_n_days_never_fires_before_its_anchor() -> None:
    plan = EveryNDays(2, date(2026, 5, 10), time(9))
    assert next_occurrence(plan, BERLIN, utc(2026, 1, 1)) == utc(2026, 5, 10, 7)
    assert not falls_on(plan, date(2026, 5, 8))


def test_every_n_days_goes_on_from_the_anchor_however_long_ago() -> None:
    plan = EveryNDays(7, date(1999, 1, 4), time(9))
    found = next_occurrence(plan, BERLIN, utc(2026, 5, 1))
    assert found is not None
    assert found.astimezone(BERLIN).date() == date(2026, 5, 4)


def test_once_is_once() -> None:
    plan = Once(date(2026, 5, 1), time(9))
    assert first(plan, BERLIN, utc(2026, 1, 1), 5) == [utc(2026, 5, 1, 7)]
    assert first(plan, BERLIN, utc(2026, 6, 1), 5) == []


def test_all_127_sets_of_weekdays() -> None:
    for bits in range(1, 128):
        days = frozenset(day for day in range(7) if bits >> day & 1)
        found = first(Weekly(days, time(9)), BERLIN, utc(2026, 3, 20), 2 * len(days))
        local = [instant.astimezone(BERLIN) for instant in found]
        assert {moment.weekday() for moment in local} == days
        assert {moment.time() for moment in local} == {time(9)}
        assert local[-1].date() - local[0].date() < timedelta(days=14)
        assert all(one < other for one, other in pairwise(found))


def test_bounds_are_dates_and_belong_to_the_plan() -> None:
    plan = Weekly(EVERY_DAY, time(9))
    found = list(dated_occurrences(plan, BERLIN, utc(2026, 1, 1), starts_on=date(2026, 5, 2), ends_on=date(2026, 5, 4)))
    assert [o.day for o in found] == [date(2026, 5, 2), date(2026, 5, 3), date(2026, 5, 4)]
    assert list(dated_occurrences(plan, BERLIN, utc(2026, 6, 1), ends_on=date(2026, 5, 4))) == []


def test_the_bound_is_of_the_date_that_was_walked_not_of_the_instant() -> None:
    nuuk = ZoneInfo("America/Nuuk")
    plan = Weekly(EVERY_DAY, time(23, 30))
    found = list(dated_occurrences(plan, nuuk, utc(2026, 3, 28, 12), ends_on=date(2026, 3, 28)))
    assert [o.day for o in found] == [date(2026, 3, 28)]
    assert found[0].at.astimezone(nuuk).date() == date(2026, 3, 29)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12", "UTC"])
def test_the_ends_of_the_calendar_end_the_plan_and_raise_nothing(zone: str) -> None:
    plan = Weekly(EVERY_DAY, time(23, 59))
    assert len(first(plan, ZoneInfo(zone), datetime(9999, 12, 30, tzinfo=UTC), 9)) <= 2
    assert next_occurrence(plan, ZoneInfo(zone), datetime.max.replace(tzinfo=UTC)) is None
    early = next_occurrence(plan, ZoneInfo(zone), datetime.min.replace(tzinfo=UTC))
    assert early is not None
    assert early < datetime(1, 1, 3, tzinfo=UTC)
    assert next_occurrence(EveryNDays(10**9, date(2026, 1, 1), time(9)), ZoneInfo(zone), utc(2026, 1, 2)) is None


@pytest.mark.parametrize("plan", [Weekly(EVERY_DAY, time(9)), EveryNDays(1, date(2026, 1, 1), time(9))])
def test_the_last_day_of_the_calendar_is_one_of_its_days(plan: Recurrence) -> None:
    found = first(plan, ZoneInfo("UTC"), utc(9999, 12, 30), 9)
    assert found == [utc(9999, 12, 30, 9), utc(9999, 12, 31, 9)]


def test_a_first_midnight_before_the_calendar_in_utc_is_passed_over() -> None:
    # Berlin's clocks were 53 minutes ahead then.
    found = next_occurrence(Weekly(EVERY_DAY, time()), BERLIN, datetime.min.replace(tzinfo=UTC))
    assert found == datetime(1, 1, 1, 23, 6, 32, tzinfo=UTC)


def test_the_process_s_own_zone_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    # Half past ten in the evening of the 3rd where the mower is, and already the 5th in the process's zone.
    plan = Weekly(EVERY_DAY, time(23, 30))
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "Pacific/Kiritimati")
        tzset()
        found = next_occurrence(plan, ZoneInfo("Etc/GMT+12"), utc(2026, 5, 4, 10, 30))
        at_the_end = next_occurrence(plan, ZoneInfo("UTC"), datetime.max.replace(tzinfo=UTC))
    tzset()
    assert (found, at_the_end) == (utc(2026, 5, 4, 11, 30), None)


def test_a_naive_moment_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"^after: an instant needs a zone$"):
        next_occurrence(Once(date(2026, 5, 1), time(9)), BERLIN, datetime(2026, 1, 1))  # noqa: DTZ001  # the point


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Weekly(frozenset(), time(9)), DAYS),
        (lambda: Weekly(frozenset({7}), time(9)), DAYS),
        (lambda: Weekly(frozenset({-1}), time(9)), DAYS),
        (lambda: Weekly(frozenset({1}), time(9, 0, 1)), MINUTE),
        (lambda: EveryNDays(0, date(2026, 1, 1), time(9)), "interval: at least 1 day"),
        (lambda: EveryNDays(-3, date(2026, 1, 1), time(9)), "interval: at least 1 day"),
        (lambda: EveryNDays(1, date(2026, 1, 1), time(9, 0, 1)), MINUTE),
        (lambda: Once(date(2026, 1, 1), time(9, 0, 0, 1)), MINUTE),
        (lambda: Once(date(2026, 1, 1), time(9, tzinfo=UTC)), "at: a wall time has no zone of its own"),
    ],
)
def test_an_impossible_plan_cannot_be_made(make: Callable[[], Recurrence], why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        make()


def test_falls_on_tells_the_rule_s_dates() -> None:
    assert falls_on(Weekly(frozenset({0}), time(9)), date(2026, 5, 4))
    assert not falls_on(Weekly(frozenset({0}), time(9)), date(2026, 5, 5))
    assert falls_on(EveryNDays(3, date(2026, 5, 1), time(9)), date(2026, 5, 7))
    assert not falls_on(EveryNDays(3, date(2026, 5, 1), time(9)), date(2026, 5, 8))
    assert falls_on(Once(date(2026, 5, 1), time(9)), date(2026, 5, 1))
    assert not falls_on(Once(date(2026, 5, 1), time(9)), date(2026, 5, 2))
