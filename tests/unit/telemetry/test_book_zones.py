"""The owner's zones are entered and left by position, and are the areas of a mower without a map."""

from edge_gateway.contracts import subjects
from edge_gateway.contracts.telemetry import Zone, ZoneCrossed
from tests.unit.telemetry.factories import at, book, state, take

SOUTH = Zone(
    id="z1", name="South", boundary=((52.4, 13.3), (52.4, 13.5), (at(10).latitude, 13.5), (at(10).latitude, 13.3))
)
NORTH = Zone(id="z2", name="North", boundary=((at(5).latitude, 13.3), (at(5).latitude, 13.5), (52.6, 13.4)))


def test_entering_and_leaving_is_told_in_order() -> None:
    opened = take(
        book(zones=(SOUTH, NORTH)),
        state(0, position=at(0)),
        state(10, position=at(7)),
        state(20, position=None),
        state(30, position=at(12)),
    )
    told = [(event.type, event.decode(ZoneCrossed).zone_id, event.occurred_at) for event in opened.events]
    assert told == [
        (subjects.ZONE_ENTERED, "z1", state(0).observed_at),
        (subjects.ZONE_ENTERED, "z2", state(10).observed_at),
        (subjects.ZONE_LEFT, "z1", state(30).observed_at),
    ]
    assert len({event.id for event in opened.events}) == 3
    assert {event.account_id for event in opened.events} == {"home"}


def test_a_zone_that_was_deleted_is_left_without_a_name() -> None:
    opened = take(book(zones=(SOUTH,)), state(0, position=at(0)))
    later = take(book(), state(10, position=at(0)))
    later.health.zone_ids = opened.health.zone_ids
    take(later, state(20, position=at(0)))
    (event,) = later.events
    assert (event.type, event.decode(ZoneCrossed).name) == (subjects.ZONE_LEFT, None)


def test_zones_are_the_areas_of_a_mower_without_a_map_only() -> None:
    states = [state(0, position=at(0)), state(10, position=at(0))]
    without_map, with_map = book(zones=(SOUTH,)), book(zones=(SOUTH,), area_sizes={"a1": 10.0})
    assert [area for area, _ in take(without_map, *states).area_days] == ["z1"]
    assert take(with_map, *states).area_days == {}
