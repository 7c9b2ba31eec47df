"""Time zones and coordinates of sites."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.fleet import SiteRain, SiteRainChanges
from edge_gateway.fleet.site_rules import changed_rain, check_coordinates, check_time_zone


@pytest.mark.parametrize("zone", ["Europe/Berlin", "UTC", "America/Argentina/Ushuaia", "Pacific/Apia"])
def test_iana_zones_are_taken(zone: str) -> None:
    assert check_time_zone(zone) == zone


@pytest.mark.parametrize(
    "zone",
    ["", "Berlin", "europe/berlin", "Europe/Atlantis", "+02:00", "../../etc/passwd", "/etc/passwd", "Europe",
     "Factory", "localtime", "posixrules", "Europe/Berlin\x00", "Europe/Berlin "],
)  # fmt: skip
def test_anything_else_is_refused_by_name(zone: str) -> None:
    with pytest.raises(InvalidError) as raised:
        check_time_zone(zone)
    assert raised.value.field == "time_zone"


def test_both_coordinates_or_none() -> None:
    check_coordinates(None, None)
    check_coordinates(0.0, 0.0)


@pytest.mark.parametrize(("latitude", "longitude", "field"), [(1.0, None, "longitude"), (None, 1.0, "latitude")])
def test_half_a_place_names_the_missing_half(latitude: float | None, longitude: float | None, field: str) -> None:
    with pytest.raises(InvalidError) as raised:
        check_coordinates(latitude, longitude)
    assert raised.value.field == field


@given(st.floats(-90, 90), st.floats(-180, 180))
def test_every_place_on_earth_is_taken(latitude: float, longitude: float) -> None:
    check_coordinates(latitude, longitude)


@given(st.one_of(st.floats(min_value=90, exclude_min=True), st.floats(max_value=-90, exclude_max=True)))
def test_no_latitude_beyond_the_poles(latitude: float) -> None:
    with pytest.raises(InvalidError) as raised:
        check_coordinates(latitude, 0.0)
    assert raised.value.field == "latitude"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 180.0001, -180.0001])
def test_no_longitude_that_is_none(value: float) -> None:
    with pytest.raises(InvalidError) as raised:
        check_coordinates(0.0, value)
    assert raised.value.field == "longitude"


def test_nan_is_no_latitude() -> None:
    with pytest.raises(InvalidError) as raised:
        check_coordinates(math.nan, 0.0)
    assert raised.value.field == "latitude"


@pytest.mark.parametrize("field", ["probability_percent", "precipitation_mm"])
def test_a_threshold_that_is_no_number_is_refused(field: str) -> None:
    given_rain: dict[str, Any] = {field: math.nan}
    with pytest.raises(InvalidError) as raised:
        changed_rain(SiteRain(), SiteRainChanges(**given_rain))
    assert raised.value.field == f"rain.{field}"
