"""Plans: bounds, what is due after a pause, zones that change, skips that stay."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.schedules import EveryNDaysRecurrence, OnceRecurrence, WeeklyRecurrence
from edge_gateway.scheduler.plan import Due, Plan, due, next_not_skipped, next_run, plan_of, rule_of, still_skipped
from edge_gateway.scheduler.recurrence import EveryNDays, Occurrence, Once, Weekly
from tests.unit.scheduler.factories import MONDAY, NINE, draft

DAY = timedelta(days=1)
BERLIN = ZoneInfo("Europe/Berlin")
DAILY = Plan(Weekly(frozenset(range(7)), time(9)), BERLIN)


def test_the_rules_of_what_is_given() -> None:
    assert rule_of(WeeklyRecurrence(days=("sun", "mon"), at="06:05")) == Weekly(frozenset({0, 6}), time(6, 5))
    anchor = date(2026, 5, 1)
    assert rule_of(EveryNDaysRecurrence(interval=3, anchor=anchor, at="00:00")) == EveryNDays(3, anchor, time())
    assert rule_of(OnceRecurrence(day=anchor, at="23:59")) == Once(anchor, time(23, 59))


def test_due_takes_the_latest_and_counts_what_it_passes_over() -> None:
    assert due(DAILY, NINE, NINE - timedelta(seconds=1)) is None
    assert due(DAILY, NINE, NINE) == Due(Occurrence(NINE, MONDAY), 0)
    assert due(DAILY, NINE, NINE + DAY - timedelta(seconds=1)) == Due(Occurrence(NINE, MONDAY), 0)
    assert due(DAILY, NINE, NINE + 3 * DAY) == Due(Occurrence(NINE + 3 * DAY, MONDAY + 3 * DAY), 3)


@given(st.integers(0, 400), st.integers(0, 86399))
def test_due_counts_each_passed_occurrence_once(days: int, seconds: int) -> None:
    utc_daily = Plan(Weekly(frozenset(range(7)), time(7)), ZoneInfo("UTC"))
    found = due(utc_daily, NINE, NINE + days * DAY + timedelta(seconds=seconds))
    assert found == Due(Occurrence(NINE + days * DAY, MONDAY + days * DAY), days)


def test_next_run_within_bounds() -> None:
    bounded = plan_of(draft(starts_on=date(2026, 5, 6), ends_on=date(2026, 5, 10)), "Europe/Berlin")
    thursday = Occurrence(NINE + 3 * DAY, date(2026, 5, 7))
    assert next_run(bounded, NINE - 7 * DAY) == thursday
    assert next_run(bounded, thursday.at) is None
    assert bounded.names(date(2026, 5, 7))
    assert not bounded.names(date(2026, 5, 4))
    assert not bounded.names(date(2026, 5, 11))


@pytest.mark.parametrize(("zone", "day"), [("America/New_York", 5), ("Pacific/Kiritimati", 5)])
def test_a_date_that_has_fired_does_not_fire_again_in_another_zone(zone: str, day: int) -> None:
    moved = Plan(DAILY.recurrence, ZoneInfo(zone))
    found = next_run(moved, NINE + timedelta(minutes=1), fired_on=MONDAY)
    assert found is not None
    assert found.day == date(2026, 5, day)


def test_the_date_before_does_not_fire_again_either_where_zones_lie_over_a_day_apart() -> None:
    fired_at = datetime(2026, 5, 4, 9, tzinfo=ZoneInfo("Pacific/Kiritimati")).astimezone(UTC)
    moved = Plan(DAILY.recurrence, ZoneInfo("Etc/GMT+12"))
    found = next_run(moved, fired_at, fired_on=MONDAY)
    assert found is not None
    assert found.day == date(2026, 5, 5)


def test_at_finds_exactly_the_occurrence() -> None:
    assert DAILY.at(NINE) == Occurrence(NINE, MONDAY)
    assert DAILY.at(NINE + timedelta(seconds=1)) is None
    assert DAILY.at(NINE.astimezone(ZoneInfo("Asia/Tokyo"))) == Occurrence(NINE, MONDAY)
    assert Plan(Once(MONDAY, time(9)), BERLIN).at(NINE + DAY) is None


def test_on_finds_the_occurrence_of_a_date_that_the_plan_names() -> None:
    bounded = Plan(DAILY.recurrence, BERLIN, starts_on=MONDAY, ends_on=MONDAY + DAY)
    assert [bounded.on(MONDAY + number * DAY) for number in range(-1, 3)] == [
        None,
        Occurrence(NINE, MONDAY),
        Occurrence(NINE + DAY, MONDAY + DAY),
        None,
    ]
    assert Plan(Once(MONDAY, time(9)), BERLIN).on(MONDAY + DAY) is None


def test_of_two_dates_on_one_instant_only_the_first_has_an_occurrence() -> None:
    apia = Plan(DAILY.recurrence, ZoneInfo("Pacific/Apia"))
    left_out = date(2011, 12, 30)
    assert apia.on(left_out) == Occurrence(datetime(2011, 12, 30, 19, tzinfo=UTC), left_out)
    assert apia.on(left_out + DAY) is None


def test_a_date_beyond_the_calendar_in_utc_has_no_occurrence() -> None:
    assert Plan(Weekly(frozenset(range(7)), time()), BERLIN).on(date.min) is None


def test_the_first_occurrence_that_is_not_skipped() -> None:
    first = Occurrence(NINE, MONDAY)
    assert next_not_skipped(DAILY, first, frozenset()) == first
    skips = frozenset({MONDAY, MONDAY + DAY})
    assert next_not_skipped(DAILY, first, skips) == Occurrence(NINE + 2 * DAY, MONDAY + 2 * DAY)
    once = Plan(Once(MONDAY, time(9)), BERLIN)
    assert next_not_skipped(once, first, skips) is None


def test_skips_stay_where_the_plan_still_names_their_date() -> None:
    plan = plan_of(draft(), "Europe/Berlin")
    assert still_skipped(plan, frozenset({MONDAY, MONDAY + DAY})) == frozenset({MONDAY})
