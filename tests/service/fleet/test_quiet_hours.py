"""Quiet hours of a site: kept as they are given, refused by the field."""

from typing import Any

import pytest

from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.fleet import Asking, CreateSiteRequest, UpdateSiteRequest
from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.quiet_hours import QuietHours, QuietTime
from tests.service.fleet.house import FleetHouse

ASKING: dict[str, Any] = {"on_behalf_of": OWNER, "account_id": "home"}
NIGHT = QuietHours(begin=QuietTime(at="21:00", sun="sunset", offset_minutes=-30), end=QuietTime(at="07:00"))


async def quiet_hours_of(house: FleetHouse, site_id: str) -> QuietHours | None:
    [found] = [
        site for site in (await house.bus.request(routes.SITES_LIST, Asking(**ASKING))).items if site.id == site_id
    ]
    return found.quiet_hours


async def update(house: FleetHouse, **changes: Any) -> None:  # noqa: ANN401  # any field
    await house.bus.request(routes.SITES_UPDATE, UpdateSiteRequest(**ASKING, site_id="home", **changes))


async def test_they_are_off_until_they_are_given_and_off_again_with_null(house: FleetHouse) -> None:
    assert await quiet_hours_of(house, "home") is None
    await update(house, quiet_hours=NIGHT)
    await update(house, name="Garden")
    assert await quiet_hours_of(house, "home") == NIGHT
    await update(house, quiet_hours=None)
    assert await quiet_hours_of(house, "home") is None


async def test_a_site_is_made_with_them(house: FleetHouse) -> None:
    request = CreateSiteRequest(**ASKING, name="New", time_zone="Europe/Berlin", quiet_hours=NIGHT)
    site = await house.bus.request(routes.SITES_CREATE, request)
    assert await quiet_hours_of(house, site.id) == NIGHT


@pytest.mark.parametrize(
    ("begin", "end", "field"),
    [
        (QuietTime(at="25:00"), QuietTime(at="07:00"), "quiet_hours.begin.at"),
        (QuietTime(at="21:00"), QuietTime(at="7:00"), "quiet_hours.end.at"),
        (QuietTime(at="21:00"), QuietTime(at="21:00"), "quiet_hours.end.at"),
        (QuietTime(at="21:00", offset_minutes=5), QuietTime(at="07:00"), "quiet_hours.begin.offset_minutes"),
        (
            QuietTime(at="21:00"),
            QuietTime(at="07:00", sun="sunrise", offset_minutes=181),
            "quiet_hours.end.offset_minutes",
        ),
        (QuietTime(at="21:00", sun="sunset"), QuietTime(at="07:00", sun="sunset"), "quiet_hours.end.sun"),
    ],
)
async def test_what_cannot_be_is_refused_by_its_field(
    house: FleetHouse, begin: QuietTime, end: QuietTime, field: str
) -> None:
    with pytest.raises(InvalidError) as refused:
        await update(house, quiet_hours=QuietHours(begin=begin, end=end))
    assert refused.value.field == field
    assert await quiet_hours_of(house, "home") is None
