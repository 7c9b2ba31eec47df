"""Totals move on by the interval since the state before, which takes that one's activity."""

from datetime import UTC, date, datetime

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.telemetry import BladeThresholdReached
from edge_gateway.telemetry.rows import AreaDay
from tests.unit.telemetry.factories import BEGIN, at, book, state, take

SECOND = 1_000_000


def test_an_interval_takes_the_earlier_states_activity() -> None:
    opened = take(
        book(),
        state(0, activity=Activity.DOCKED),
        state(10, activity=Activity.MOWING),
        state(25, activity=Activity.DOCKED),
        state(40, activity=Activity.DOCKED),
    )
    assert opened.health.mowing_microseconds == opened.health.blade_microseconds == 15 * SECOND


def test_a_silence_counts_for_as_long_as_a_state_speaks() -> None:
    opened = take(book(), state(0, position=at(0)), state(600, position=at(100)))
    assert opened.health.mowing_microseconds == 60 * SECOND
    assert opened.health.distance_millimetres == pytest.approx(10_000, abs=2)


def test_a_microsecond_counts_and_a_place_that_nobody_told_is_no_way() -> None:
    opened = take(book(), state(0), state(0.000001), state(10, position=at(0)))
    assert (opened.health.mowing_microseconds, opened.health.distance_millimetres) == (10 * SECOND, 0)
    opened = take(book(), state(0), state(0.000001, activity=Activity.IDLE))
    assert opened.health.mowing_microseconds == 1


def test_on_the_way_home_no_area_is_mowed_and_no_time() -> None:
    returning = Activity.RETURNING
    opened = take(book(), *(state(second, activity=returning, area_id="a1") for second in (0, 10)))
    assert opened.area_days == {}
    assert [totals.mowing_microseconds for totals in opened.days.values()] == [0]


def test_only_a_mower_under_way_covers_a_distance() -> None:
    opened = take(
        book(),
        state(0, position=at(0)),
        state(5, position=at(2), activity=Activity.PAUSED),
        state(10, position=at(3), activity=Activity.RETURNING),
        state(15, position=None, activity=Activity.RETURNING),
        state(20, position=at(7), activity=Activity.DOCKED),
        state(25, position=at(9), activity=Activity.DOCKED),
    )
    assert opened.health.distance_millimetres == pytest.approx(6000, abs=3)
    assert opened.health.mowing_microseconds == 5 * SECOND


@pytest.mark.parametrize(
    ("midnight", "before", "after"),
    [
        (datetime(2026, 3, 28, 23, tzinfo=UTC), date(2026, 3, 28), date(2026, 3, 29)),
        (datetime(2026, 3, 29, 22, tzinfo=UTC), date(2026, 3, 29), date(2026, 3, 30)),  # after a day of 23 hours
        (datetime(2026, 10, 25, 23, tzinfo=UTC), date(2026, 10, 25), date(2026, 10, 26)),  # after one of 25
    ],
)
def test_an_interval_is_split_at_the_sites_midnight(midnight: datetime, before: date, after: date) -> None:
    opened = take(book(), state(-10, begin=midnight, position=at(0)), state(30, begin=midnight, position=at(4)))
    assert {day: totals.mowing_microseconds for day, totals in opened.days.items()} == {
        before: 10 * SECOND,
        after: 30 * SECOND,
    }
    assert sum(totals.distance_millimetres for totals in opened.days.values()) == opened.health.distance_millimetres
    assert opened.days[before].distance_millimetres == pytest.approx(1000, abs=2)


def test_a_charge_begins_when_charging_was_known_to_be_off() -> None:
    docked = Activity.DOCKED
    opened = take(
        book(),
        state(0, charging=True, activity=docked),
        state(10, charging=False),
        state(20, charging=None),
        state(30, charging=True, activity=docked),
        state(40, charging=True, activity=docked),
    )
    assert opened.health.charge_cycles == 1
    assert [(day, totals.charge_cycles) for day, totals in opened.days.items()] == [(BEGIN.date(), 1)]


def test_each_charge_counts_on_the_day_on_which_it_began() -> None:
    hours = [(0, False), (1, True), (2, False), (3, True), (25, True), (26, False), (27, True)]
    opened = take(
        book(), *(state(3600 * hour, activity=Activity.DOCKED, charging=charging) for hour, charging in hours)
    )
    assert opened.health.charge_cycles == 3
    assert [totals.charge_cycles for _, totals in sorted(opened.days.items())] == [2, 1]


def test_a_mower_that_was_found_charging_did_not_begin_to() -> None:
    opened = take(book(), *(state(second, activity=Activity.DOCKED, charging=True) for second in (0, 10)))
    assert (opened.health.charge_cycles, opened.days) == (0, {})


def test_late_and_equal_states_count_for_nothing() -> None:
    opened = take(book(), state(0), state(20), state(10), state(20, activity=Activity.DOCKED), state(30))
    assert opened.health.mowing_microseconds == 30 * SECOND


def test_the_blades_threshold_is_told_once() -> None:
    opened = take(book(blade_life_microseconds=30 * SECOND), *(state(seconds) for seconds in range(0, 100, 10)))
    (event,) = opened.events
    told = event.decode(BladeThresholdReached)
    assert (event.type, event.account_id) == (subjects.BLADE_THRESHOLD, "home")
    assert (told.blade_seconds, told.blade_life_seconds, told.at) == (30.0, 30.0, state(30).observed_at)


def test_areas_are_mowed_where_the_vendor_says() -> None:
    states = [state(0, area_id="a1"), state(10, area_id="a2"), state(30, area_id="a1"), state(45), state(50)]
    assert take(book(), *states).area_days == {
        ("a1", BEGIN.date()): AreaDay(mowing_microseconds=25 * SECOND, last_mowed_at=state(45).observed_at),
        ("a2", BEGIN.date()): AreaDay(mowing_microseconds=20 * SECOND, last_mowed_at=state(30).observed_at),
    }


def test_an_area_that_is_mowed_over_midnight_is_mowed_on_both_days() -> None:
    midnight = datetime(2026, 5, 4, 22, tzinfo=UTC)
    opened = take(book(), state(-10, begin=midnight, area_id="a1"), state(30, begin=midnight))
    assert opened.area_days == {
        ("a1", date(2026, 5, 4)): AreaDay(mowing_microseconds=10 * SECOND, last_mowed_at=midnight),
        ("a1", date(2026, 5, 5)): AreaDay(
            mowing_microseconds=30 * SECOND, last_mowed_at=state(30, begin=midnight).observed_at
        ),
    }
