"""When Home Assistant lends its Bluetooth: where there is some, again after every end, to one gateway at a time."""

from unittest.mock import patch

import pytest
from bleak.exc import BleakError
from bleak_retry_connector import BleakAbortedError, BleakNotFoundError, BleakOutOfConnectionSlotsError
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import CONF_HOST, CONF_PORT, CONF_TOKEN
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.mowdeck.client.client import Client
from custom_components.mowdeck.client.errors import UnreachableError
from custom_components.mowdeck.client.lending_socket import LendingSocket
from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.diagnostics import async_get_config_entry_diagnostics
from custom_components.mowdeck.hub import MowDeckConfigEntry
from custom_components.mowdeck.lent_bluetooth import lending as module
from custom_components.mowdeck.lent_bluetooth.refusals import code_of
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.near import NAME, NearMower, connect, have_bluetooth, refused
from tests.home_assistant.scanner.scanner import SOURCE, EmulatedScanner
from tests.home_assistant.waiting import until_state

SWITCH = "switch.front_lawn_bluetooth_through_home_assistant"


async def test_bluetooth_that_comes_later_is_lent_and_what_is_not_heard_is_searched_once(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    lending = gateway.lending
    told = await async_get_config_entry_diagnostics(hass, loaded)
    assert told["lent_bluetooth"] == {"bluetooth": False, "connected": False}
    assert lending.dialled == 0

    await have_bluetooth(hass)
    assert (await lending.hear("hello"))["scanners"] == []
    assert loaded.state is ConfigEntryState.LOADED
    # Nobody wants a mower: a scanner that comes is nothing to tell.
    scanner = EmulatedScanner()
    scanner.register(hass)
    with patch("homeassistant.components.bluetooth.async_request_active_scan") as search:
        await lending.tell("watch", names=[NAME])
        assert [each["source"] for each in (await lending.hear("hello", nth=2))["scanners"]] == [SOURCE]
        assert search.call_count == 1
        other = EmulatedScanner(source="AA:BB:CC:00:00:02")
        other.register(hass)
        await lending.hear("hello", nth=3)
        assert search.call_count == 2
        other.unregister()
        scanner.hear(NearMower().peripheral)
        await lending.hear("advert")
        await lending.hear("hello", nth=4)
        assert search.call_count == 2
    scanner.unregister()


async def test_it_is_lent_again_after_whatever_ended_it(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    entry: MowDeckConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(module, "delay_seconds", lambda *_: 0.01)
    monkeypatch.setattr(module, "SETTLED_SECONDS", 0.0)
    await have_bluetooth(hass)
    lending = gateway.lending
    lending.refuse = 503
    assert await hass.config_entries.async_setup(entry.entry_id)
    await lending.until_dialled(2)
    lending.refuse = 404
    # A gateway that has no such thing is left in peace until it is another: its events come back then.
    await lending.until_dialled(lending.dialled + 1)
    lending.refuse = None
    await gateway.restart()
    await lending.hear("hello")
    refusal = '{"type": "error", "code": "invalid", "detail": "No"}'
    for text in ('{"type"', refusal, "[]"):
        dialled = lending.dialled
        await lending.send_raw('{"type": "of tomorrow"}')
        await lending.send_raw(text)
        await lending.until_gone()
        if text == refusal:
            # It is not said again at once, either.
            await gateway.events.drop()
        await lending.until_dialled(dialled + 1)
        await lending.hear("hello")
    # Who cannot say anything any more does not go on as if all were well.
    with patch.object(LendingSocket, "send", side_effect=ValueError("a defect")):
        await lending.drop()
        await lending.until_dialled(lending.dialled + 2)
    await lending.hear("hello")
    assert "broke" not in caplog.text
    with patch.object(LendingSocket, "open", side_effect=ValueError("a defect")) as broken:
        await lending.drop()
        await lending.until_gone()
        while not broken.call_count:
            await hass.async_block_till_done()
    await lending.hear("hello")
    assert "Lending Bluetooth to 127.0.0.1" in caplog.text


async def test_a_gateway_that_is_away_is_an_error(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.stop()
    client = Client(async_get_clientsession(hass), host="127.0.0.1", port=gateway.port, token=gateway.token)
    with pytest.raises(UnreachableError):
        await LendingSocket.open(client)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BleakOutOfConnectionSlotsError("No backend with an available connection slot"), "no_slot"),
        (BleakNotFoundError("Timeout"), "no_answer"),
        (TimeoutError(), "no_answer"),
        (BleakAbortedError("ESP_GATT_CONN_FAIL_ESTABLISH"), "failed"),
    ],
)
def test_what_bluetooth_raises_has_a_code(error: BleakError | TimeoutError, code: str) -> None:
    assert code_of(error) == code


@pytest.mark.usefixtures("loaded")
async def test_of_two_gateways_one_has_a_mower(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await have_bluetooth(hass)
    scanner = EmulatedScanner()
    scanner.register(hass)
    scanner.hear(NearMower().peripheral)
    async with EmulatedGateway() as second:
        second.info = second.info | {"gateway_id": "the-other"}
        other = MockConfigEntry(
            domain=DOMAIN,
            unique_id="the-other",
            data={CONF_HOST: "127.0.0.1", CONF_PORT: second.port, CONF_TOKEN: second.token},
        )
        other.add_to_hass(hass)
        assert await hass.config_entries.async_setup(other.entry_id)
        for each in (gateway, second):
            await each.lending.hear("hello")
            await each.lending.tell("watch", names=[NAME])
        await connect(gateway.lending)
        await refused(second, "owned")
        await gateway.lending.tell("disconnect", id="c1")
        await gateway.lending.hear("disconnected", id="c1")
        await connect(second.lending)
        assert await hass.config_entries.async_unload(other.entry_id)
        assert scanner.air.clients == []
    scanner.unregister()


async def test_the_switch_puts_home_assistant_into_the_order_of_links(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry
) -> None:
    await have_bluetooth(hass)
    await gateway.put_mower(provider="mammotion")
    assert await hass.config_entries.async_setup(entry.entry_id)
    await until_state(hass, SWITCH, "off")
    for order in (["bridge", "cloud"], ["bridge"]):
        gateway.mower_routes.link_order = order
        await hass.services.async_call("switch", "turn_on", {"entity_id": SWITCH}, blocking=True)
        assert gateway.mower_routes.link_order == ["bridge", "home_assistant", *order[1:]]
        await until_state(hass, SWITCH, "on")
        await hass.services.async_call("switch", "turn_off", {"entity_id": SWITCH}, blocking=True)
        assert gateway.mower_routes.link_order == order
    gateway.mower_routes.link_order = ["home_assistant"]
    asked = len(gateway.requests)
    await hass.services.async_call("switch", "turn_on", {"entity_id": SWITCH}, blocking=True)
    with pytest.raises(ServiceValidationError, match="would not be reached at all"):
        await hass.services.async_call("switch", "turn_off", {"entity_id": SWITCH}, blocking=True)
    assert len(gateway.requests) == asked
    assert hass.states.is_state(SWITCH, "on")
