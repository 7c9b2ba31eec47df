"""The vendor's map in our words."""

import math

import pytest

from edge_gateway.contracts.map import Area, MowerMap, Point
from edge_gateway.device_gateway.mammotion.area_identity import KnownArea, SeenArea, identify
from edge_gateway.device_gateway.mammotion.map_mapping import VendorArea, VendorMap, mower_map, seen_areas
from tests.unit.device_gateway.mammotion.readings import NOON

SQUARE = ((0.0, 0.0), (2.0, 0.0), (2.0, 3.0), (0.0, 3.0))


def test_areas_without_a_name_get_the_lowest_free_number() -> None:
    areas = (VendorArea(hash=1, name=" "), VendorArea(hash=2, name="area 1"), VendorArea(hash=3))
    seen = seen_areas(VendorMap(complete=True, areas=areas))
    assert [area.name for area in seen] == ["Area 2", "area 1", "Area 3"]


def test_everything_is_turned_to_east_and_north() -> None:
    vendor = VendorMap(
        complete=True,
        areas=(VendorArea(hash=1, name="Lawn", outline=SQUARE),),
        obstacles=(((1.0, 1.0), (1.5, 1.0), (1.5, 1.5)),),
        no_go_zones=(((4.0, 0.0), (4.0, 1.0), (5.0, 1.0)),),
        dock=(1.0, 0.0),
        base_yaw=math.pi / 2,
        base_latitude=52.0,
        base_longitude=13.0,
    )
    areas = identify((KnownArea(id="front", vendor_key="1", name="Front"),), seen_areas(vendor))
    assert mower_map(vendor, areas, mower_id="m", account_id="home", observed_at=NOON) == MowerMap(
        mower_id="m",
        account_id="home",
        observed_at=NOON,
        complete=True,
        areas=(
            Area(
                id="front",
                vendor_key="1",
                name="Lawn",
                boundary=((0.0, 0.0), (0.0, 2.0), (-3.0, 2.0), (-3.0, 0.0)),
                size_m2=6.0,
            ),
        ),
        obstacles=(((-1.0, 1.0), (-1.0, 1.5), (-1.5, 1.5)),),
        no_go_zones=(((0.0, 4.0), (-1.0, 4.0), (-1.0, 5.0)),),
        dock=(0.0, 1.0),
        origin_latitude=52.0,
        origin_longitude=13.0,
    )


def test_a_frame_that_is_turned_a_little_is_turned_back_to_the_millimetre() -> None:
    vendor = VendorMap(complete=True, areas=(VendorArea(hash=1, outline=((10.0, 0.0), (0.0, 10.0))),), base_yaw=0.1)
    assert seen_areas(vendor) == (SeenArea(vendor_key="1", name="Area 1", boundary=((9.95, 0.998), (-0.998, 9.95))),)


@pytest.mark.parametrize(
    ("outline", "size"),
    [
        (((0.0, 0.0), (5.0, 1.0)), None),
        (((1.0, 1.0), (1.0, 4.0), (3.5, 1.0)), 3.8),
        (((1.0, 1.0), (3.5, 1.0), (1.0, 4.0)), 3.8),
    ],
)
def test_an_outline_of_three_corners_has_a_size_whichever_way_round(
    outline: tuple[Point, ...], size: float | None
) -> None:
    area = KnownArea(id="a", vendor_key="1", name="A", boundary=outline)
    known = mower_map(VendorMap(complete=True), (area,), mower_id="m", account_id="home", observed_at=NOON)
    assert known.areas[0].size_m2 == size


def test_an_area_without_an_outline_has_no_size() -> None:
    vendor = VendorMap(complete=False, areas=(VendorArea(hash=1, name="Lawn"),))
    known = mower_map(vendor, identify((), seen_areas(vendor)), mower_id="m", account_id="home", observed_at=NOON)
    assert known.areas[0].size_m2 is None
    assert known.dock is None
    assert not known.complete
