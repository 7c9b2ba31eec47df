"""Gateways that are found: the app by the Supervisor with its token, others by their announcement in the network."""

from ipaddress import ip_address
from types import SimpleNamespace
from typing import Any

import pytest
from aiohasupervisor import SupervisorError
from homeassistant.config_entries import (
    SOURCE_HASSIO,
    SOURCE_REAUTH,
    SOURCE_USER,
    SOURCE_ZEROCONF,
    ConfigEntryState,
    ConfigFlowResult,
)
from homeassistant.const import CONF_HOST, CONF_PORT, CONF_TOKEN
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers.service_info.hassio import HassioServiceInfo
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until, until_state


def message(gateway: EmulatedGateway, **changes: Any) -> dict[str, Any]:  # noqa: ANN401  # JSON
    """Return what the app tells the Supervisor."""
    return {"host": "127.0.0.1", "port": gateway.port, "auth_token": gateway.token} | changes


async def tell(hass: HomeAssistant, config: dict[str, Any]) -> ConfigFlowResult:
    """Do what Home Assistant does when the Supervisor tells of the app."""
    found = HassioServiceInfo(config={**config, "addon": "MowDeck"}, name="MowDeck", slug="mowdeck", uuid="1234")
    result = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_HASSIO}, data=found)
    await hass.async_block_till_done()
    return result


async def announce(hass: HomeAssistant, gateway: EmulatedGateway, **changes: str) -> ConfigFlowResult:
    """Do what Home Assistant does when a gateway announces itself."""
    return await hear(hass, gateway.port, documents.announced(**changes))


async def hear(hass: HomeAssistant, port: int | None, properties: dict[str, str]) -> ConfigFlowResult:
    address = ip_address("127.0.0.1")
    found = ZeroconfServiceInfo(
        ip_address=address,
        ip_addresses=[address],
        port=port,
        hostname="garden.local.",
        type="_mowdeck._tcp.local.",
        name="Garden._mowdeck._tcp.local.",
        properties=properties,
    )
    result = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_ZEROCONF}, data=found)
    await hass.async_block_till_done()
    return result


async def answer(hass: HomeAssistant, form: ConfigFlowResult, given: dict[str, Any]) -> ConfigFlowResult:
    result = await hass.config_entries.flow.async_configure(form["flow_id"], given)
    await hass.async_block_till_done()
    return result


async def test_the_app_is_set_up_with_one_click(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    form = await tell(hass, message(gateway))
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "hassio_confirm")
    result = await answer(hass, form, {})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["data"] == {CONF_HOST: "127.0.0.1", CONF_PORT: gateway.port, CONF_TOKEN: gateway.token}
    assert (result["result"].unique_id, result["result"].state) == (documents.GATEWAY_ID, ConfigEntryState.LOADED)


async def test_an_app_that_is_not_as_it_should_be_says_why(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    async def reason(config: dict[str, Any]) -> str | None:
        result = await tell(hass, config)
        assert result["type"] is FlowResultType.ABORT
        return result["reason"]

    assert await reason({"host": "127.0.0.1"}) == "invalid_discovery_info"
    assert await reason(message(gateway, host="http://here")) == "invalid_host"
    assert await reason(message(gateway, auth_token=documents.OTHER_TOKEN)) == "invalid_auth"
    gateway.info = documents.info(api={"min": 0, "max": 0})
    assert await reason(message(gateway)) == "gateway_too_old"
    gateway.info = documents.info(api={"min": 2, "max": 3})
    assert await reason(message(gateway)) == "integration_too_old"
    await gateway.stop()
    assert await reason(message(gateway)) == "cannot_connect"


async def test_an_app_with_a_new_token_is_followed_without_asking_anybody(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    # Nothing is done when nothing changed.
    hub = loaded.runtime_data
    assert (await tell(hass, message(gateway)))["reason"] == "already_configured"
    assert loaded.runtime_data is hub
    await gateway.stop()
    gateway.token = documents.OTHER_TOKEN
    await gateway.start()
    await until(hass, lambda: any(loaded.async_get_active_flows(hass, {SOURCE_REAUTH})))
    assert (await tell(hass, message(gateway)))["reason"] == "already_configured"
    await until_state(hass, "lawn_mower.front_lawn", "docked")
    assert loaded.data[CONF_TOKEN] == documents.OTHER_TOKEN
    assert loaded.state is ConfigEntryState.LOADED
    assert not any(loaded.async_get_active_flows(hass, {SOURCE_REAUTH}))


async def test_an_app_that_comes_up_later_than_home_assistant_is_used_at_once(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry
) -> None:
    await gateway.stop()
    await hass.config_entries.async_setup(entry.entry_id)
    assert entry.state is ConfigEntryState.SETUP_RETRY
    await gateway.start()
    await tell(hass, message(gateway))
    await until_state(hass, "lawn_mower.front_lawn", "docked")


async def test_an_app_that_was_there_before_the_integration_is_found_by_asking(
    hass: HomeAssistant, gateway: EmulatedGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def messages() -> list[SimpleNamespace]:
        if gateway.token == documents.OTHER_TOKEN:
            raise SupervisorError
        return [
            SimpleNamespace(service="mqtt", config={}),
            SimpleNamespace(service=DOMAIN, config=message(gateway)),
        ]

    supervisor = SimpleNamespace(discovery=SimpleNamespace(list=messages))
    monkeypatch.setattr("homeassistant.components.hassio.get_supervisor_client", lambda _hass: supervisor)
    hass.config.components.add("hassio")

    async def begin() -> str | None:
        result = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
        steps.append(result)
        return result["step_id"]

    steps: list[ConfigFlowResult] = []
    assert await begin() == "hassio_confirm"
    # The same once more while the Supervisor's own message waits to be answered.
    assert (await tell(hass, message(gateway)))["reason"] == "already_in_progress"
    assert (await answer(hass, steps[0], {}))["type"] is FlowResultType.CREATE_ENTRY
    # With the app in place, another gateway can be set up by hand; also when the Supervisor does not answer.
    assert await begin() == "user"
    gateway.token = documents.OTHER_TOKEN
    assert await begin() == "user"


async def test_a_gateway_in_the_network_is_set_up_with_its_token(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    form = await announce(hass, gateway)
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "zeroconf_confirm")
    assert form["description_placeholders"] == {"name": "Garden", "host": "127.0.0.1"}
    refused = await answer(hass, form, {CONF_TOKEN: "a-wrong-one"})
    assert refused["errors"] == {CONF_TOKEN: "invalid_auth"}
    result = await answer(hass, refused, {CONF_TOKEN: f" {gateway.token}\n"})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["data"] == {CONF_HOST: "127.0.0.1", CONF_PORT: gateway.port, CONF_TOKEN: gateway.token}


async def test_what_is_no_gateway_to_be_set_up_is_passed_over(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    assert (await announce(hass, gateway, supervised="true"))["reason"] == "already_discovered_app"
    assert (await announce(hass, gateway, gateway_id=""))["reason"] == "invalid_discovery_info"
    assert (await hear(hass, None, {"gateway_id": documents.GATEWAY_ID}))["reason"] == "invalid_discovery_info"


async def test_a_gateway_that_moved_is_followed_but_one_that_answers_is_never_left(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    old_port = gateway.port
    assert (await hear(hass, 1, {"gateway_id": documents.GATEWAY_ID}))["reason"] == "already_configured"
    assert loaded.data[CONF_PORT] == old_port
    assert await hass.config_entries.async_unload(loaded.entry_id)
    await gateway.stop()
    gateway.port = 0
    await gateway.start()
    assert (await announce(hass, gateway))["reason"] == "already_configured"
    assert loaded.data[CONF_PORT] == gateway.port
