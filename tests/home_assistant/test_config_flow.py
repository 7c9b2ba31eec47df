"""A gateway is set up by hand, its token is given again, and its new address is told."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER, ConfigFlowResult
from homeassistant.const import CONF_HOST, CONF_PORT, CONF_TOKEN
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mowdeck.client.client import Client
from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.mirrors import CONF_MIRRORED
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway

type Trouble = Callable[[EmulatedGateway], Awaitable[None]]


def right_input(gateway: EmulatedGateway, **changes: Any) -> dict[str, Any]:  # noqa: ANN401  # form input
    return {CONF_HOST: "127.0.0.1", CONF_PORT: gateway.port, CONF_TOKEN: gateway.token} | changes


def where(entry: MockConfigEntry) -> dict[str, Any]:
    """Return where an entry's gateway is, without what is mirrored of it."""
    return {name: value for name, value in entry.data.items() if name != CONF_MIRRORED}


async def begin(hass: HomeAssistant) -> ConfigFlowResult:
    result = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    assert result["type"] is FlowResultType.FORM
    assert result["step_id"] == "user"
    assert result["errors"] == {}
    return result


async def fill_in(hass: HomeAssistant, form: ConfigFlowResult, given: dict[str, Any]) -> ConfigFlowResult:
    result = await hass.config_entries.flow.async_configure(form["flow_id"], given)
    await hass.async_block_till_done()
    return result


async def test_a_gateway_is_set_up(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    # With the blanks that come along when something is copied.
    given = right_input(gateway, **{CONF_HOST: " 127.0.0.1 ", CONF_TOKEN: f"{gateway.token}\n"})
    result = await fill_in(hass, await begin(hass), given)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "MowDeck"
    assert result["data"] == right_input(gateway)
    assert result["result"].unique_id == documents.GATEWAY_ID


async def set_nothing(_gateway: EmulatedGateway) -> None:
    """Leave the gateway as it is."""


async def stop(gateway: EmulatedGateway) -> None:
    """Have nobody answer."""
    await gateway.stop()


async def change_token(gateway: EmulatedGateway) -> None:
    """Take another token."""
    gateway.token = documents.OTHER_TOKEN


async def become_older(gateway: EmulatedGateway) -> None:
    """Speak older versions only."""
    gateway.info = documents.info(api={"min": 0, "max": 0})


async def become_newer(gateway: EmulatedGateway) -> None:
    """Speak newer versions only."""
    gateway.info = documents.info(api={"min": 2, "max": 3})


async def talk_nonsense(gateway: EmulatedGateway) -> None:
    """Answer something that no gateway answers."""
    gateway.info = {"name": "a printer"}


@pytest.mark.parametrize(
    ("trouble", "changes", "errors"),
    [
        (stop, {}, {"base": "cannot_connect"}),
        (talk_nonsense, {}, {"base": "cannot_connect"}),
        (change_token, {}, {CONF_TOKEN: "invalid_auth"}),
        (become_older, {}, {"base": "gateway_too_old"}),
        (become_newer, {}, {"base": "integration_too_old"}),
        (set_nothing, {CONF_HOST: "http://127.0.0.1"}, {CONF_HOST: "invalid_host"}),
        (set_nothing, {CONF_TOKEN: "another\ntoken"}, {CONF_TOKEN: "invalid_auth"}),
    ],
)
async def test_what_is_wrong_is_said_and_can_be_mended(
    hass: HomeAssistant, gateway: EmulatedGateway, trouble: Trouble, changes: dict[str, Any], errors: dict[str, str]
) -> None:
    token, info = gateway.token, gateway.info
    given = right_input(gateway, **changes)
    await trouble(gateway)
    result = await fill_in(hass, await begin(hass), given)
    assert result["type"] is FlowResultType.FORM
    assert result["errors"] == errors
    if trouble is stop:
        await gateway.start()
    gateway.token, gateway.info = token, info
    result = await fill_in(hass, result, right_input(gateway))
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_an_unexpected_error_is_said_and_logged(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(_client: Client) -> None:
        raise RuntimeError("a defect")

    with monkeypatch.context() as patched:
        patched.setattr(Client, "get_info", fail)
        result = await fill_in(hass, await begin(hass), right_input(gateway))
    assert result["errors"] == {"base": "unknown"}
    assert "a defect" in caplog.text
    result = await fill_in(hass, result, right_input(gateway))
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_the_same_gateway_is_not_set_up_twice_but_its_address_is_kept_up_to_date(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MockConfigEntry
) -> None:
    hass.config_entries.async_update_entry(loaded, data={**loaded.data, CONF_TOKEN: "an older one"})
    result = await fill_in(hass, await begin(hass), right_input(gateway))
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "already_configured"
    assert where(loaded) == right_input(gateway)


async def test_a_new_token_is_taken(hass: HomeAssistant, gateway: EmulatedGateway, loaded: MockConfigEntry) -> None:
    gateway.token = documents.OTHER_TOKEN
    form = await loaded.start_reauth_flow(hass)
    assert form["step_id"] == "reauth_confirm"
    refused = await fill_in(hass, form, {CONF_TOKEN: "a-wrong-one"})
    assert refused["errors"] == {CONF_TOKEN: "invalid_auth"}
    result = await fill_in(hass, refused, {CONF_TOKEN: documents.OTHER_TOKEN})
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reauth_successful")
    assert where(loaded) == right_input(gateway)


async def test_a_token_of_another_gateway_is_not_taken(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MockConfigEntry
) -> None:
    form = await loaded.start_reauth_flow(hass)
    gateway.info = documents.info(gateway_id="another")
    result = await fill_in(hass, form, {CONF_TOKEN: gateway.token})
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "wrong_gateway")


async def test_a_new_address_is_taken(hass: HomeAssistant, gateway: EmulatedGateway, loaded: MockConfigEntry) -> None:
    await gateway.stop()
    gateway.port = 0
    await gateway.start()
    form = await loaded.start_reconfigure_flow(hass)
    assert form["step_id"] == "reconfigure"
    refused = await fill_in(hass, form, right_input(gateway, **{CONF_TOKEN: "a-wrong-one"}))
    assert refused["errors"] == {CONF_TOKEN: "invalid_auth"}
    result = await fill_in(hass, refused, right_input(gateway))
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    assert where(loaded) == right_input(gateway)


async def test_the_address_of_another_gateway_is_not_taken(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MockConfigEntry
) -> None:
    form = await loaded.start_reconfigure_flow(hass)
    gateway.info = documents.info(gateway_id="another")
    result = await fill_in(hass, form, right_input(gateway))
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "wrong_gateway")
