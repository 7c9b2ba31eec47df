"""Inside, in the margin, outside; maps that do not tell enough."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.contracts.mower import Position
from edge_gateway.contracts.notifications import Corner
from edge_gateway.notifications.geofence import METRES_PER_DEGREE, Drawn, of_drawn, of_map

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


def test_what_the_owner_drew_counts_as_it_is() -> None:
    corners = tuple(
        Corner(latitude=a, longitude=b) for a, b in ((52, 13), (52, 13.001), (52.001, 13.001), (52.001, 13))
    )
    geofence = of_drawn(Drawn(boundary=corners))

    assert geofence.metres_outside(Position(latitude=52.0005, longitude=13.0005)) == 0
    outside = geofence.metres_outside(Position(latitude=52.0005, longitude=12.999))
    assert outside == pytest.approx(0.001 * METRES_PER_DEGREE * 0.6157, rel=0.01)


@given(st.floats(-200, 200), st.floats(-200, 200), st.floats(0, 50), st.floats(0, 50))
def test_a_wider_margin_never_puts_anything_outside(east: float, north: float, one: float, more: float) -> None:
    narrow, wide = of_map(MAP, one), of_map(MAP, one + more)
    assert narrow is not None
    assert wide is not None
    position = _position(east, north)

    assert wide.metres_outside(position) <= narrow.metres_outside(position)
