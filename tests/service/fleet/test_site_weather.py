"""A site's settings of the rain rule, and where its forecasts come from."""

from typing import Any

import pytest

from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.fleet import Asking, CreateSiteRequest, Site, SiteRain, SiteRainChanges, UpdateSiteRequest
from tests.service.fleet.asking import WHO, changed
from tests.service.fleet.house import FleetHouse


async def update(house: FleetHouse, **changes: Any) -> Site:  # noqa: ANN401  # fields by name
    return await house.bus.request(routes.SITES_UPDATE, UpdateSiteRequest(**WHO, site_id="home", **changes))


async def test_a_fresh_site_has_the_defaults(house: FleetHouse) -> None:
    [site] = (await house.bus.request(routes.SITES_LIST, Asking(**WHO))).items
    assert site.rain == SiteRain(
        enabled=True,
        probability_percent=60.0,
        precipitation_mm=0.5,
        lookahead_hours=3,
        cooldown_hours=2,
        run_when_unknown=True,
    )
    assert site.weather_source is None


async def test_what_is_given_changes_and_the_rest_stays(house: FleetHouse) -> None:
    await update(house, rain=SiteRainChanges(probability_percent=40.0, run_when_unknown=False))
    site = await update(house, rain=SiteRainChanges(cooldown_hours=0), weather_source="home_assistant")
    assert site.rain == SiteRain(probability_percent=40.0, run_when_unknown=False, cooldown_hours=0)
    assert await update(house, name="Garden") == Site(
        id="home",
        account_id="home",
        name="Garden",
        time_zone="UTC",
        rain=site.rain,
        weather_source="home_assistant",
    )
    assert await changed(house, subjects.SITE_CHANGED, 3) == ["home"] * 3


async def test_null_is_the_default_again(house: FleetHouse) -> None:
    await update(house, rain=SiteRainChanges(probability_percent=40.0, cooldown_hours=9), weather_source="open_meteo")
    site = await update(house, rain=SiteRainChanges(probability_percent=None), weather_source=None)
    assert (site.rain, site.weather_source) == (SiteRain(cooldown_hours=9), None)


async def test_a_site_is_made_with_settings(house: FleetHouse) -> None:
    request = CreateSiteRequest(**WHO, name="Allotment", time_zone="UTC", rain=SiteRainChanges(precipitation_mm=2.0))
    made = await house.bus.request(routes.SITES_CREATE, request)
    assert made.rain == SiteRain(precipitation_mm=2.0)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("probability_percent", 0.0),
        ("probability_percent", 100.1),
        ("precipitation_mm", 0.0),
        ("precipitation_mm", 100.1),
        ("lookahead_hours", -1),
        ("lookahead_hours", 49),
        ("cooldown_hours", -1),
        ("cooldown_hours", 49),
    ],
)
async def test_a_threshold_out_of_range_is_named(house: FleetHouse, field: str, value: float) -> None:
    given: dict[str, Any] = {field: value}
    with pytest.raises(InvalidError) as raised:
        await update(house, rain=SiteRainChanges(**given))
    assert raised.value.field == f"rain.{field}"
