"""The vendor's map in our words."""

import math

from edge_gateway.device_gateway.mammotion.area_identity import identify
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
        dock=(1.0, 0.0),
        base_yaw=math.pi / 2,
        base_latitude=52.0,
        base_longitude=13.0,
    )
    known = mower_map(vendor, identify((), seen_areas(vendor)), mower_id="m", account_id="home", observed_at=NOON)
    assert known.areas[0].boundary == ((0.0, 0.0), (0.0, 2.0), (-3.0, 2.0), (-3.0, 0.0))
    assert known.areas[0].size_m2 == 6.0
    assert known.obstacles[0][0] == (-1.0, 1.0)
    assert known.dock == (0.0, 1.0)
    assert (known.origin_latitude, known.origin_longitude) == (52.0, 13.0)
    assert known.complete


def test_an_area_without_an_outline_has_no_size() -> None:
    vendor = VendorMap(complete=False, areas=(VendorArea(hash=1, name="Lawn"),))
    known = mower_map(vendor, identify((), seen_areas(vendor)), mower_id="m", account_id="home", observed_at=NOON)
    assert known.areas[0].size_m2 is None
    assert known.dock is None
    assert not known.complete
