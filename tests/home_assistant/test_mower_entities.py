"""What is shown of a mower besides itself: battery, charging, problem, connection."""

import pytest
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback

from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import state_of, until, until_state

pytestmark = pytest.mark.usefixtures("loaded")

MOWER = "lawn_mower.front_lawn"
BATTERY = "sensor.front_lawn_battery"
CHARGING = "binary_sensor.front_lawn_charging"
PROBLEM = "binary_sensor.front_lawn_problem"
CONNECTION = "binary_sensor.front_lawn_connection"
LIVE = (MOWER, BATTERY, CHARGING, PROBLEM)
LASTING = (CONNECTION, "sensor.weekday_mornings_next_run", "switch.weekday_mornings_enabled")


async def test_what_the_mower_reports_is_shown(hass: HomeAssistant) -> None:
    assert [state_of(hass, entity_id) for entity_id in LIVE] == ["docked", "87", "on", "off"]
    assert state_of(hass, CONNECTION) == "on"


async def test_what_is_not_known_is_unknown(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_mower(activity="unknown", battery_percent=None, charging=None, observed_at=None)
    await until_state(hass, PROBLEM, "unknown")
    assert [state_of(hass, entity_id) for entity_id in LIVE] == ["unknown"] * 4


async def test_a_problem_shows_its_code(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_mower(problem={"code": "stuck", "vendor_code": "1005"})
    await until_state(hass, PROBLEM, "on")
    state = hass.states.get(PROBLEM)
    assert state is not None
    assert (state.attributes["code"], state.attributes["vendor_code"]) == ("stuck", "1005")


async def test_an_error_without_a_code_is_a_problem_too(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_mower(activity="error")
    await until_state(hass, PROBLEM, "on")


async def test_only_live_values_go_with_the_mower(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_mower(available=False, unavailable_reason="link_lost")
    await until_state(hass, CONNECTION, "off")
    await until(hass, lambda: all(state_of(hass, entity_id) == "unavailable" for entity_id in LIVE))
    state = hass.states.get(CONNECTION)
    assert state is not None
    assert state.attributes["reason"] == "link_lost"
    assert "unavailable" not in [state_of(hass, entity_id) for entity_id in LASTING]
    await gateway.put_mower(available=True, unavailable_reason=None)
    await until_state(hass, BATTERY, "87")


async def test_an_entity_writes_only_when_its_own_value_changed(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    written: list[str] = []

    @callback
    def note(event: Event[EventStateChangedData]) -> None:
        written.append(event.data["entity_id"])

    hass.bus.async_listen("state_changed", note)
    hass.bus.async_listen("state_reported", note, event_filter=callback(lambda _data: True))
    await gateway.put_mower("other", name="Back lawn")
    await until_state(hass, "lawn_mower.back_lawn", "docked")
    hub = loaded.runtime_data
    await until(hass, lambda: all("other" in each.values for each in (hub.health, hub.rain, hub.maps)))
    await hass.async_block_till_done()
    written.clear()
    await gateway.put_mower(observed_at="2026-05-01T07:10:00Z")
    await gateway.put_mower(observed_at="2026-05-01T07:10:01Z")
    await gateway.put_mower("other", battery_percent=3)
    await gateway.put_mower(battery_percent=86)
    await until_state(hass, BATTERY, "86")
    assert written == ["sensor.back_lawn_battery", BATTERY]
