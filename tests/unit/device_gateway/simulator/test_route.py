"""The way over an area: covers it, stays in it, knows which area it is in."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.map import Point
from edge_gateway.device_gateway.simulator.gardens import KINDS, MEDIUM, SMALL, Garden, Ground
from edge_gateway.device_gateway.simulator.route import area_m2, heading, parallel_lines, plan_route

SQUARE = Ground(key="square", name="Square", boundary=((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)))


def test_lines_run_north_and_south_in_turn() -> None:
    corners = parallel_lines(SQUARE, spacing_m=2.0, angle_degrees=0.0)
    assert [round(east, 6) for east, _ in corners] == [1.0, 1.0, 3.0, 3.0, 5.0, 5.0, 7.0, 7.0, 9.0, 9.0]
    assert [round(north, 6) for _, north in corners[:4]] == [0.0, 10.0, 10.0, 0.0]


def test_the_angle_turns_the_lines_clockwise_from_north() -> None:
    begin, end, *_ = parallel_lines(SQUARE, spacing_m=2.0, angle_degrees=90.0)
    assert heading(begin, end) % 180 == pytest.approx(90.0)


@given(st.floats(0, 180), st.floats(0.2, 3.0))
def test_lines_stay_within_the_area_at_every_angle(angle: float, spacing: float) -> None:
    for east, north in parallel_lines(SQUARE, spacing_m=spacing, angle_degrees=angle):
        assert -1e-6 <= east <= 10 + 1e-6
        assert -1e-6 <= north <= 10 + 1e-6


@pytest.mark.parametrize("garden", [garden for _, garden in KINDS])
def test_the_mown_strips_make_up_the_area(garden: Garden) -> None:
    for ground in garden.grounds:
        corners = parallel_lines(ground, spacing_m=0.3, angle_degrees=20.0)
        lines = sum(math.dist(corners[i], corners[i + 1]) for i in range(0, len(corners), 2))
        assert lines * 0.3 == pytest.approx(area_m2(ground.boundary), rel=0.05)


def test_a_route_goes_through_its_areas_in_order_and_knows_where_it_is() -> None:
    route = plan_route(MEDIUM, ("orchard", "play-lawn"), spacing_m=0.3, angle_degrees=0.0)
    assert route.place(0.0).ground == "orchard"
    assert route.place(route.length_m).ground == "play-lawn"
    left_orchard = route.next_ground_m(0.0)
    assert left_orchard is not None
    assert route.place(left_orchard).ground is None
    reached_lawn = route.next_ground_m(left_orchard)
    assert reached_lawn is not None
    assert route.place(reached_lawn).ground == "play-lawn"
    assert route.next_ground_m(reached_lawn) is None


def test_a_route_has_no_jumps() -> None:
    route = plan_route(SMALL, ("front-lawn", "herb-corner"), spacing_m=0.5, angle_degrees=35.0)
    before: Point = route.points[0]
    for step in range(1, 2000):
        place = route.place(route.length_m * step / 2000)
        assert math.dist(before, (place.east, place.north)) <= route.length_m / 2000 + 1e-6
        before = (place.east, place.north)


@pytest.mark.parametrize("keys", [(), ("front-lawn", "moon")])
def test_unknown_or_no_areas_are_refused(keys: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="no area"):
        plan_route(SMALL, keys, spacing_m=0.5, angle_degrees=0.0)
