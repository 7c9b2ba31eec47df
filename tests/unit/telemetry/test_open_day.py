"""The newest day stays open in the mower's book; what other days get is added to their rows."""

from datetime import UTC, date, datetime, timedelta

from edge_gateway.telemetry.open_day import turn
from edge_gateway.telemetry.rows import AreaDay, OpenDay, Totals

MONDAY, TUESDAY, WEDNESDAY = (date(2026, 5, day) for day in (4, 5, 6))
NOON = datetime(2026, 5, 5, 12, tzinfo=UTC)


def _day(day: date, microseconds: int, **areas: int) -> OpenDay:
    """Return a day with so much time, and so much of it in areas, mowed at noon."""
    return OpenDay(
        day=day,
        totals=Totals(mowing_microseconds=microseconds),
        areas={area_id: AreaDay(mowing_microseconds=each, last_mowed_at=NOON) for area_id, each in areas.items()},
    )


def test_nothing_changes_nothing() -> None:
    open_day = _day(TUESDAY, 5)
    assert turn(None, {}, {}) == (None, [])
    assert turn(open_day, {}, {}) == (_day(TUESDAY, 5), [])


def test_the_open_day_grows_by_everything_that_is_counted() -> None:
    one = Totals(
        mowing_microseconds=1,
        distance_millimetres=2,
        area_square_centimetres=3,
        charge_cycles=4,
        blade_microseconds=5,
    )
    later = NOON + timedelta(seconds=1)
    areas = {
        ("a1", TUESDAY): AreaDay(mowing_microseconds=1, last_mowed_at=NOON - timedelta(seconds=1)),
        ("a2", TUESDAY): AreaDay(mowing_microseconds=2, last_mowed_at=later),
    }
    open_day, turned = turn(_day(TUESDAY, 10, a1=7, a2=8), {TUESDAY: one}, areas)
    assert turned == []
    assert open_day == OpenDay(
        day=TUESDAY,
        totals=Totals(
            mowing_microseconds=11,
            distance_millimetres=2,
            area_square_centimetres=3,
            charge_cycles=4,
            blade_microseconds=5,
        ),
        areas={
            "a1": AreaDay(mowing_microseconds=8, last_mowed_at=NOON),
            "a2": AreaDay(mowing_microseconds=10, last_mowed_at=later),
        },
    )


def test_a_newer_day_lets_the_open_one_go_with_what_it_still_got() -> None:
    added = {TUESDAY: Totals(mowing_microseconds=1), WEDNESDAY: Totals(mowing_microseconds=2)}
    areas = {("a1", WEDNESDAY): AreaDay(mowing_microseconds=2, last_mowed_at=NOON)}
    assert turn(_day(TUESDAY, 10, a1=7), added, areas) == (_day(WEDNESDAY, 2, a1=2), [_day(TUESDAY, 11, a1=7)])


def test_an_older_day_gets_its_own_and_the_open_one_stays() -> None:
    areas = {("a1", MONDAY): AreaDay(mowing_microseconds=3, last_mowed_at=NOON)}
    turned = turn(_day(TUESDAY, 10), {MONDAY: Totals(mowing_microseconds=3)}, areas)
    assert turned == (_day(TUESDAY, 10), [_day(MONDAY, 3, a1=3)])
