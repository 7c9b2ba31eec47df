"""Distances and places in polygons, against sums that need no algorithm."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from edge_gateway.telemetry.ground import METRES_PER_DEGREE, Coordinates, distance_metres, is_inside

WEST = ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0))
EAST = ((0.0, 1.0), (0.0, 2.0), (1.0, 2.0), (1.0, 1.0))
NORTH = ((1.0, 0.0), (1.0, 1.0), (2.0, 1.0), (2.0, 0.0))
DIAMOND = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))


def test_a_degree_to_the_east_is_shorter_the_further_north_it_lies() -> None:
    assert distance_metres((60.0, 10.0), (60.0, 11.0)) == pytest.approx(METRES_PER_DEGREE / 2)
    assert distance_metres((60.0, 10.0), (61.0, 10.0)) == pytest.approx(METRES_PER_DEGREE)
    assert distance_metres((0.0, 10.0), (3.0, 14.0)) == pytest.approx(5 * METRES_PER_DEGREE)


def test_a_place_on_the_border_of_two_polygons_lies_in_one_of_them() -> None:
    assert [is_inside((0.5, 1.0), polygon) for polygon in (WEST, EAST)] == [False, True]
    assert [is_inside((1.0, 0.5), polygon) for polygon in (WEST, NORTH)] == [False, True]


@pytest.mark.parametrize(("longitude", "inside"), [(0.0, True), (-2.0, False), (2.0, False)])
def test_a_corner_to_the_east_or_west_is_no_crossing_too_many(longitude: float, *, inside: bool) -> None:
    assert is_inside((0.0, longitude), DIAMOND) is inside


places = st.tuples(st.integers(-50, 50), st.integers(-50, 50)).map(lambda place: (float(place[0]), float(place[1])))


def side(place: Coordinates, begin: Coordinates, end: Coordinates) -> float:
    """Return on which side of a line a place lies: its sign; 0 is on it."""
    return (end[0] - begin[0]) * (place[1] - begin[1]) - (end[1] - begin[1]) * (place[0] - begin[0])


@given(place=places, corners=st.tuples(places, places, places))
def test_inside_a_triangle_is_on_the_same_side_of_its_three_edges(
    place: Coordinates, corners: tuple[Coordinates, Coordinates, Coordinates]
) -> None:
    one, two, three = corners
    sides = [side(place, one, two), side(place, two, three), side(place, three, one)]
    assume(0.0 not in sides)
    assert is_inside(place, corners) is (len({each > 0 for each in sides}) == 1)
