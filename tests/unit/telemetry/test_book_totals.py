"""Totals move on by the interval since the state before, which takes that one's activity."""

from datetime import UTC, date, datetime

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.mower import Activity
from edge_gateway.contracts.telemetry import BladeThresholdReached
from tests.unit.telemetry.factories import at, book, state, take

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
    assert sum(totals.charge_cycles for totals in opened.days.values()) == 1


def test_late_and_equal_states_count_for_nothing() -> None:
    opened = take(book(), state(0), state(20), state(10), state(20, activity=Activity.DOCKED), state(30))
    assert opened.health.mowing_microseconds == 30 * SECOND


def test_the_blades_threshold_is_told_once() -> None:
    opened = take(book(blade_life_microseconds=25 * SECOND), *(state(seconds) for seconds in range(0, 100, 10)))
    (event,) = opened.events
    told = event.decode(BladeThresholdReached)
    assert (event.type, told.blade_seconds, told.at) == (subjects.BLADE_THRESHOLD, 30.0, state(30).observed_at)


def test_areas_are_mowed_where_the_vendor_says() -> None:
    opened = take(book(), state(0, area_id="a1"), state(10, area_id="a2"), state(30, area_id=None), state(40))
    mowed = {area_id: each.mowing_microseconds for (area_id, _), each in opened.area_days.items()}
    assert mowed == {"a1": 10 * SECOND, "a2": 20 * SECOND}
