"""The default site of a fresh gateway is told where and in which zone this Home Assistant is."""

import pytest
from homeassistant.core import HomeAssistant

from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.eventually import eventually
from tests.home_assistant.waiting import until_state

pytestmark = pytest.mark.usefixtures("loaded")


async def test_a_fresh_gateway_gets_the_time_zone_and_the_place_of_home_assistant(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    assert gateway.requests == []
    gateway.sites["home"] = documents.site(time_zone_chosen=False, time_zone="UTC", latitude=None, longitude=None)
    await gateway.restart()
    request = await gateway.wait_for_request("PATCH", "sites/home")
    assert request.body == {
        "time_zone": hass.config.time_zone,
        "latitude": hass.config.latitude,
        "longitude": hass.config.longitude,
    }


async def test_a_place_that_nobody_told_home_assistant_is_not_told(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    hass.config.latitude = hass.config.longitude = 0
    gateway.sites["home"] = documents.site(time_zone_chosen=False)
    await gateway.restart()
    request = await gateway.wait_for_request("PATCH", "sites/home")
    assert request.body == {"time_zone": hass.config.time_zone}


async def test_a_gateway_that_does_not_take_the_time_zone_is_named_in_the_log(
    gateway: EmulatedGateway, caplog: pytest.LogCaptureFixture
) -> None:
    gateway.refuse(422, documents.error("invalid", "There is no such zone."))
    gateway.sites["home"] = documents.site(time_zone_chosen=False)
    await gateway.restart()
    await gateway.wait_for_request("PATCH", "sites/home")

    async def is_logged() -> bool:
        return "There is no such zone." in caplog.text

    await eventually(is_logged)


async def test_sites_that_change_or_go_are_followed(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    await gateway.events.tell(site=documents.site(id="away", name="Away"))
    await gateway.events.tell(site_removed="home")
    await gateway.put_mower(battery_percent=1)
    await until_state(hass, "sensor.front_lawn_battery", "1")
    assert list(loaded.runtime_data.sites) == ["away"]
