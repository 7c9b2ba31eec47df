"""The options: which weather entity and rain sensor are told to the gateway, by site."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType

from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.sky import SKY, Sky, rise
from tests.home_assistant.waiting import until

SITE = "sites/home"


@pytest.fixture(autouse=True)
async def _sky(hass: HomeAssistant) -> None:
    await rise(hass, Sky())
    hass.states.async_set("weather.days", "sunny", {"supported_features": 1})


async def test_a_weather_entity_is_chosen_and_the_gateway_told_to_go_by_it(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    flow = await hass.config_entries.options.async_init(loaded.entry_id)
    assert (flow["type"], flow["step_id"]) == (FlowResultType.FORM, "weather")
    assert flow["description_placeholders"] == {"site": "Home"}
    done = await hass.config_entries.options.async_configure(
        flow["flow_id"], {"weather_entity": SKY, "rain_sensor": "binary_sensor.rain"}
    )
    assert done["type"] is FlowResultType.CREATE_ENTRY
    chosen = {"weather_entity": SKY, "rain_sensor": "binary_sensor.rain"}
    assert loaded.options == {"weather": {"home": chosen}}
    assert (await gateway.wait_for_request("PATCH", SITE)).body == {"weather_source": "home_assistant"}
    await hass.async_block_till_done()
    await gateway.wait_for_request("PUT", "weather/sources/home")
    await until(hass, lambda: loaded.runtime_data.sites["home"].weather_source == "home_assistant")

    flow = await hass.config_entries.options.async_init(loaded.entry_id)
    await hass.config_entries.options.async_configure(flow["flow_id"], {})
    assert (await gateway.wait_for_request("PATCH", SITE)).body == {"weather_source": None}
    assert loaded.options == {"weather": {}}
    await hass.async_block_till_done()


async def test_a_source_of_somebody_elses_choice_stays(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    flow = await hass.config_entries.options.async_init(loaded.entry_id)
    done = await hass.config_entries.options.async_configure(flow["flow_id"], {})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    assert gateway.find("PATCH", SITE) is None
    await hass.async_block_till_done()


@pytest.mark.parametrize(
    ("given", "errors"),
    [
        ({"rain_sensor": "binary_sensor.rain"}, {"weather_entity": "weather_needed"}),
        ({"weather_entity": "weather.days"}, {"weather_entity": "no_hourly_forecast"}),
        ({"weather_entity": "weather.gone"}, {"weather_entity": "no_hourly_forecast"}),
        ({"weather_entity": SKY}, {"base": "cannot_connect"}),
    ],
)
async def test_what_does_not_work_is_said_in_the_form(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    given: dict[str, str],
    errors: dict[str, str],
) -> None:
    gateway.refuse(503, documents.error("unavailable", "Fleet does not answer."))
    flow = await hass.config_entries.options.async_init(loaded.entry_id)
    answer = await hass.config_entries.options.async_configure(flow["flow_id"], given)
    assert (answer["type"], answer["errors"]) == (FlowResultType.FORM, errors)
    gateway.fault = None
    done = await hass.config_entries.options.async_configure(flow["flow_id"], {"weather_entity": SKY})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()


async def test_one_of_several_sites_is_chosen(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    gateway.sites["away"] = documents.site(id="away", name="Away")
    await gateway.events.tell(site=gateway.sites["away"])
    await until(hass, lambda: "away" in loaded.runtime_data.sites)
    flow = await hass.config_entries.options.async_init(loaded.entry_id)
    assert flow["step_id"] == "init"
    flow = await hass.config_entries.options.async_configure(flow["flow_id"], {"site": "away"})
    assert flow["description_placeholders"] == {"site": "Away"}
    await hass.config_entries.options.async_configure(flow["flow_id"], {"weather_entity": SKY})
    assert list(loaded.options["weather"]) == ["away"]
    assert gateway.find("PATCH", "sites/away") is not None
    await hass.async_block_till_done()


async def test_without_the_gateway_there_is_nothing_to_choose(hass: HomeAssistant, entry: MowDeckConfigEntry) -> None:
    flow = await hass.config_entries.options.async_init(entry.entry_id)
    assert (flow["type"], flow["reason"]) == (FlowResultType.ABORT, "not_connected")
