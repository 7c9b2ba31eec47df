"""Sites: a zone, a place, nobody left behind."""

from collections.abc import Awaitable
from typing import Any

import pytest

from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.device import Nothing
from edge_gateway.contracts.errors import ConflictError, InvalidError, NotFoundError
from edge_gateway.contracts.fleet import (
    Asking,
    CreateSiteRequest,
    DeleteSiteRequest,
    Site,
    UpdateMowerRequest,
    UpdateSiteRequest,
)
from tests.service.fleet.asking import WHO, changed
from tests.service.fleet.house import FleetHouse


async def test_a_fresh_gateway_has_a_site_whose_zone_nobody_chose(house: FleetHouse) -> None:
    reply = await house.bus.request(routes.SITES_LIST, Asking(**WHO))
    assert reply.items == (Site(id="home", account_id="home", name="Home", time_zone="UTC"),)


async def test_a_zone_that_is_given_counts_as_chosen(house: FleetHouse) -> None:
    named = await house.bus.request(routes.SITES_UPDATE, UpdateSiteRequest(**WHO, site_id="home", name="Garden"))
    assert (named.name, named.time_zone_chosen) == ("Garden", False)
    chosen = await house.bus.request(routes.SITES_UPDATE, UpdateSiteRequest(**WHO, site_id="home", time_zone="UTC"))
    assert (chosen.name, chosen.time_zone_chosen) == ("Garden", True)
    assert await changed(house, subjects.SITE_CHANGED, 2) == ["home", "home"]


async def test_coordinates_come_and_go_together(house: FleetHouse) -> None:
    def update(**changes: Any) -> Awaitable[Site]:  # noqa: ANN401  # fields by name
        return house.bus.request(routes.SITES_UPDATE, UpdateSiteRequest(**WHO, site_id="home", **changes))

    assert (await update(latitude=52.0, longitude=13.0)).latitude == 52.0
    assert (await update(latitude=53.0)).longitude == 13.0
    with pytest.raises(InvalidError) as raised:
        await update(longitude=None)
    assert raised.value.field == "longitude"
    gone = await update(latitude=None, longitude=None)
    assert (gone.latitude, gone.longitude) == (None, None)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"time_zone": "Berlin"}, "time_zone"),
        ({"name": " "}, "name"),
        ({"latitude": 91.0, "longitude": 0.0}, "latitude"),
        ({"latitude": 1.0}, "longitude"),
    ],
)
async def test_what_is_wrong_with_a_site_is_named(house: FleetHouse, changes: dict[str, Any], field: str) -> None:
    fields = {"name": "Allotment", "time_zone": "UTC"} | changes
    with pytest.raises(InvalidError) as raised:
        await house.bus.request(routes.SITES_CREATE, CreateSiteRequest(**WHO, **fields))
    assert raised.value.field == field
    with pytest.raises(InvalidError) as raised:
        await house.bus.request(routes.SITES_UPDATE, UpdateSiteRequest(**WHO, site_id="home", **changes))
    assert raised.value.field == field


async def test_a_site_is_deleted_only_when_nothing_needs_it(house: FleetHouse) -> None:
    def delete(site_id: str) -> Awaitable[Nothing]:
        return house.bus.request(routes.SITES_DELETE, DeleteSiteRequest(**WHO, site_id=site_id))

    with pytest.raises(ConflictError) as raised:
        await delete("home")
    assert raised.value.code == "default_site"
    site = await house.bus.request(routes.SITES_CREATE, CreateSiteRequest(**WHO, name="Allotment", time_zone="UTC"))
    for site_id in (site.id, "home"):
        await house.bus.request(
            routes.MOWERS_UPDATE, UpdateMowerRequest(**WHO, mower_id=house.mower_id, site_id=site_id)
        )
        if site_id == site.id:
            with pytest.raises(ConflictError) as raised:
                await delete(site.id)
            assert (raised.value.code, raised.value.values) == ("site_has_mowers", {"mowers": 1})
    await delete(site.id)
    with pytest.raises(NotFoundError):
        await delete(site.id)
    assert await changed(house, subjects.SITE_CHANGED, 2) == [site.id, site.id]
