"""Inside, in the margin, outside; maps that do not tell enough."""

from datetime import UTC, datetime
from math import hypot, sqrt
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.contracts.mower import Position
from edge_gateway.contracts.notifications import Corner
from edge_gateway.notifications.geofence import METRES_PER_DEGREE, Drawn, Geofence, metres_between, of_drawn, of_map

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
FAR_SQUARE = ((100.0, 0.0), (110.0, 0.0), (110.0, 10.0), (100.0, 10.0))
MAP = MowerMap(
    mower_id="m1",
    account_id="home",
    observed_at=datetime(2026, 6, 1, tzinfo=UTC),
    complete=True,
    areas=(
        Area(id="a", vendor_key="a", name="A", boundary=SQUARE),
        Area(id="b", vendor_key="b", name="B", boundary=FAR_SQUARE),
    ),
    dock=(-30.0, 0.0),
    # On the equator, so that a degree is as long both ways.
    origin_latitude=0.0,
    origin_longitude=179.9999,
)


def _position(east: float, north: float) -> Position:
    longitude = 179.9999 + east / METRES_PER_DEGREE
    return Position(latitude=north / METRES_PER_DEGREE, longitude=longitude - 360 if longitude > 180 else longitude)


@pytest.mark.parametrize(
    ("east", "north", "metres"),
    [
        (5, 5, 0), (105, 5, 0), (-4, 5, 0), (14, 14.01, 0.7), (60, 5, 35), (-30, 0, 0), (-30, 3, 0), (-30, 10, 5),
        (5, 40, 25), (120, 5, 5),
    ],
)  # fmt: skip
def test_a_map_makes_a_geofence_of_its_areas_and_its_dock(east: float, north: float, metres: float) -> None:
    geofence = of_map(MAP, 5)
    assert geofence is not None
    assert geofence.metres_outside(_position(east, north)) == pytest.approx(metres, abs=0.05)


@pytest.mark.parametrize(
    "changes",
    [
        {"complete": False},
        {"areas": ()},
        {"origin_latitude": None},
        {"origin_longitude": None},
        {"areas": (*MAP.areas, Area(id="c", vendor_key="c", name="C"))},
    ],
)
def test_a_map_that_does_not_tell_all_makes_none(changes: dict[str, Any]) -> None:
    assert of_map(msgspec.structs.replace(MAP, **changes), 5) is None


TRIANGLE = ((0.0, 0.0), (10.0, 0.0), (0.0, 10.0))


def _alone(*boundary: tuple[float, float], margin: float = 0.0) -> Geofence:
    areas = (Area(id="a", vendor_key="a", name="A", boundary=boundary),)
    geofence = of_map(msgspec.structs.replace(MAP, areas=areas, dock=None), margin)
    assert geofence is not None
    return geofence


def test_three_corners_and_no_dock_are_enough() -> None:
    geofence = _alone(*TRIANGLE)
    assert geofence.metres_outside(_position(1, 1)) == 0
    assert geofence.metres_outside(_position(-30, 0)) == pytest.approx(30)


metres = st.integers(-40, 40).map(lambda number: number + 0.25)


@given(metres, metres, st.sampled_from([0.0, 5.0]))
def test_the_distance_to_a_square_is_that_to_its_nearest_side_or_corner(
    east: float, north: float, margin: float
) -> None:
    expected = hypot(max(0.0, -east, east - 10), max(0.0, -north, north - 10)) - margin
    found = _alone(*SQUARE, margin=margin).metres_outside(_position(east, north))
    assert found == pytest.approx(max(0.0, expected), abs=1e-6)


@given(metres, metres)
def test_the_distance_to_a_diamond_is_that_to_its_nearest_side_or_corner(east: float, north: float) -> None:
    a, b = abs(east), abs(north)
    expected = (a + b - 10) / sqrt(2) if abs(a - b) <= 10 else hypot(max(a, b) - 10, min(a, b))
    found = _alone((10.0, 0.0), (0.0, 10.0), (-10.0, 0.0), (0.0, -10.0)).metres_outside(_position(east, north))
    assert found == pytest.approx(max(0.0, expected), abs=1e-6)


@pytest.mark.parametrize("north", [0.0, 10.0])
def test_a_place_level_with_a_corner_is_as_far_out_as_any(north: float) -> None:
    diamond = _alone((0.0, -10.0), (10.0, 0.0), (0.0, 10.0), (-10.0, 0.0))
    assert diamond.metres_outside(_position(-30, north)) > 15
    assert diamond.metres_outside(_position(30, north)) > 15


def test_distances_are_those_on_the_ground_the_short_way_round() -> None:
    one = Position(latitude=60.0, longitude=179.9999)
    degree = METRES_PER_DEGREE / 10_000
    assert metres_between(one, Position(latitude=60.0, longitude=-179.9999)) == pytest.approx(degree)
    assert metres_between(one, Position(latitude=60.0001, longitude=179.9999)) == pytest.approx(degree)


def test_what_the_owner_drew_counts_as_it_is() -> None:
    corners = tuple(
        Corner(latitude=a, longitude=b) for a, b in ((52, 13), (52, 13.001), (52.001, 13.001), (52.001, 13))
    )
    geofence = of_drawn(Drawn(boundary=corners))

    assert geofence.metres_outside(Position(latitude=52.0005, longitude=13.0005)) == 0
    outside = geofence.metres_outside(Position(latitude=52.0005, longitude=12.999))
    assert outside == pytest.approx(0.001 * METRES_PER_DEGREE * 0.6157, rel=0.01)
    beyond = geofence.metres_outside(Position(latitude=52.0005, longitude=13.002))
    assert beyond == pytest.approx(outside)
    north = geofence.metres_outside(Position(latitude=52.002, longitude=13.0005))
    assert north == pytest.approx(0.001 * METRES_PER_DEGREE)


@given(st.floats(-200, 200), st.floats(-200, 200), st.floats(0, 50), st.floats(0, 50))
def test_a_wider_margin_never_puts_anything_outside(east: float, north: float, one: float, more: float) -> None:
    narrow, wide = of_map(MAP, one), of_map(MAP, one + more)
    assert narrow is not None
    assert wide is not None
    position = _position(east, north)

    assert wide.metres_outside(position) <= narrow.metres_outside(position)
