"""How many messages a login may still send, on the gateway's device."""

import logging

import pytest
from homeassistant.core import HomeAssistant

from custom_components.mowdeck import followed
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway.account_documents import vendor_account
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.eventually import eventually
from tests.home_assistant.waiting import until_state

BUDGET = "sensor.mowdeck_messages_left_garden_example_org"


async def test_what_is_left_is_shown_with_what_it_is_made_of(hass: HomeAssistant, loaded: MowDeckConfigEntry) -> None:
    await until_state(hass, BUDGET, "200")
    state = hass.states.get(BUDGET)
    assert state is not None
    assert (state.attributes["used"], state.attributes["limit"], state.attributes["window_hours"]) == (100, 300, 24)
    assert state.attributes["held_back"] is False
    assert loaded.runtime_data.connected


@pytest.mark.usefixtures("loaded")
async def test_it_is_asked_again_when_the_gateway_is_back(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await until_state(hass, BUDGET, "200")
    usage = vendor_account()["usage"]
    gateway.setup_routes.vendor_accounts = [
        vendor_account(usage=usage | {"limit": None}),
        vendor_account(id="b", username="b@c.de"),
    ]
    await gateway.restart()
    await until_state(hass, BUDGET, "unknown")
    await until_state(hass, "sensor.mowdeck_messages_left_b_c_de", "200")
    gateway.setup_routes.vendor_accounts = [vendor_account(usage=None)]
    await gateway.restart()
    await until_state(hass, BUDGET, "unavailable")
    await until_state(hass, "sensor.mowdeck_messages_left_b_c_de", None)


async def test_time_that_passes_asks_again(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed, "INTERVAL", followed.INTERVAL / 6000)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await until_state(hass, BUDGET, "200")
    usage = vendor_account()["usage"]
    gateway.setup_routes.vendor_accounts = [vendor_account(usage=usage | {"used": 400})]
    await until_state(hass, BUDGET, "0")


async def test_an_answer_that_does_not_come_leaves_what_is_known(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry, caplog: pytest.LogCaptureFixture
) -> None:
    await until_state(hass, BUDGET, "200")
    caplog.set_level(logging.DEBUG, "custom_components.mowdeck")
    gateway.setup_routes.vendor_accounts = None
    await gateway.restart()

    async def is_asked() -> bool:
        return "No answer about vendor_account" in caplog.text

    await eventually(is_asked, seconds=20)
    await until_state(hass, BUDGET, "200")
    assert loaded.runtime_data.connected
