"""The gateway goes and comes back; mowers and schedules appear, change and disappear; nothing needs a reload."""

from collections.abc import Mapping
from typing import Any

import pytest
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr

from custom_components.mowdeck.client.run import Run
from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import pass_grace, state_of, until, until_state

pytestmark = pytest.mark.usefixtures("loaded")

MOWER = "lawn_mower.front_lawn"
CONNECTION = "binary_sensor.front_lawn_connection"
NEXT_RUN = "sensor.weekday_mornings_next_run"


async def lose(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    """Stop the gateway and let the grace time pass."""
    await gateway.stop()
    await pass_grace(hass)
    await until_state(hass, MOWER, "unavailable")


async def test_a_gateway_that_is_gone_makes_everything_unavailable_with_one_line(
    hass: HomeAssistant, gateway: EmulatedGateway, caplog: pytest.LogCaptureFixture
) -> None:
    await lose(hass, gateway)
    await until_state(hass, NEXT_RUN, "unavailable")
    assert state_of(hass, "switch.weekday_mornings_enabled") == "unavailable"
    assert state_of(hass, CONNECTION) == "off"
    state = hass.states.get(CONNECTION)
    assert state is not None
    assert state.attributes["reason"] == "gateway_gone"
    assert caplog.text.count(f"The gateway at 127.0.0.1:{gateway.port} is not reached") == 1


async def test_it_comes_back_without_a_reload(
    hass: HomeAssistant, gateway: EmulatedGateway, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "custom_components.mowdeck")
    await lose(hass, gateway)
    gateway.mowers[documents.MOWER_ID]["activity"] = "mowing"
    gateway.events.forget()
    await gateway.start()
    await until_state(hass, MOWER, "mowing")
    await until_state(hass, CONNECTION, "on")
    await until_state(hass, NEXT_RUN, "2026-05-04T07:00:00+00:00")
    assert caplog.text.count("is back") == 1


async def test_a_short_break_is_not_seen(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    seen: list[str] = []

    @callback
    def note(event: Event[EventStateChangedData]) -> None:
        seen.append(event.data["entity_id"])

    hass.bus.async_listen("state_changed", note)
    await gateway.events.drop()
    await gateway.events.wait_for_connections(2)
    await gateway.put_mower(battery_percent=50)
    await until_state(hass, "sensor.front_lawn_battery", "50")
    assert seen == ["sensor.front_lawn_battery"]


async def test_a_connection_is_resumed_where_it_ended(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_mower(battery_percent=50)
    await until_state(hass, "sensor.front_lawn_battery", "50")
    cursor = gateway.events.cursor
    await gateway.events.drop()
    await gateway.put_mower(battery_percent=49)
    await until_state(hass, "sensor.front_lawn_battery", "49")
    assert gateway.events.cursors == [None, cursor]


async def test_a_happening_is_told_once_whatever_is_sent_again(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    told: list[Run | Mapping[str, Any]] = []
    stop = loaded.runtime_data.on_happening(told.append)
    run = documents.run()
    await gateway.events.tell(event_id="run-1", run=run)
    await gateway.events.tell(event_id="run-1", run=run)
    await gateway.events.tell(event_id="blade-1", event={"type": "telemetry.blade.threshold", "payload": {}})
    await gateway.put_mower(battery_percent=1)
    await until_state(hass, "sensor.front_lawn_battery", "1")
    assert [type(each).__name__ for each in told] == ["Run", "dict"]
    stop()
    await gateway.events.tell(event_id="run-2", run=run)
    await gateway.put_mower(battery_percent=2)
    await until_state(hass, "sensor.front_lawn_battery", "2")
    assert len(told) == 2


@pytest.mark.parametrize("nonsense", ["no JSON", "[]", '{"type": "change", "cursor": "c9", "id": "x", "mower": {}}'])
async def test_a_message_that_cannot_be_read_leads_to_a_fresh_snapshot(
    hass: HomeAssistant, gateway: EmulatedGateway, nonsense: str
) -> None:
    await gateway.put_mower(battery_percent=50)
    await until_state(hass, "sensor.front_lawn_battery", "50")
    gateway.mowers[documents.MOWER_ID]["battery_percent"] = 40
    await gateway.events.send_raw(nonsense)
    await until_state(hass, "sensor.front_lawn_battery", "40")
    assert gateway.events.cursors == [None, None]


async def test_a_message_of_a_newer_kind_is_passed_over(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.events.send_raw('{"type": "news", "cursor": "c9"}')
    await gateway.put_mower(battery_percent=50)
    await until_state(hass, "sensor.front_lawn_battery", "50")
    assert gateway.events.cursors == [None]


async def test_a_defect_while_a_message_is_handled_does_not_end_the_stream(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(_happening: object) -> None:
        raise RuntimeError("a defect")

    stop = loaded.runtime_data.on_happening(fail)
    await gateway.events.tell(run=documents.run())
    await gateway.events.wait_for_connections(2)
    stop()
    await gateway.put_mower(battery_percent=50)
    await until_state(hass, "sensor.front_lawn_battery", "50")
    assert "could not be handled" in caplog.text


async def test_another_gateway_at_the_address_counts_as_gone(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.info = documents.info(gateway_id="another")
    await gateway.events.drop()
    await gateway.events.wait_for_connections(2)
    await pass_grace(hass)
    await until_state(hass, MOWER, "unavailable")


async def test_a_token_that_is_refused_later_is_asked_for(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.token = documents.OTHER_TOKEN
    await gateway.events.drop()
    await until(hass, lambda: any(hass.config_entries.flow.async_progress()))
    assert [flow["context"]["source"] for flow in hass.config_entries.flow.async_progress()] == ["reauth"]


async def test_an_updated_gateway_shows_its_new_version(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    device_registry: dr.DeviceRegistry,
) -> None:
    def version() -> str | None:
        device = device_registry.async_get_device_by_identifier((DOMAIN, documents.GATEWAY_ID), loaded.entry_id)
        return None if device is None else device.sw_version

    gateway.info = documents.info(version="0.2.0")
    await gateway.restart()
    await until(hass, lambda: version() == "0.2.0")
