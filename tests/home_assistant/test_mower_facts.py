"""What is asked for about a mower: totals, blades, rain, its map; and what a person says of it."""

import pytest
from homeassistant.const import ATTR_ENTITY_ID, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.mowdeck.client.errors import MalformedError
from custom_components.mowdeck.client.map import Map
from custom_components.mowdeck.client.reading import Reading
from custom_components.mowdeck.image import MapImage
from custom_components.mowdeck.lookups import INTERVAL
from custom_components.mowdeck.map_drawing import draw
from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import state_of, until, until_state

pytestmark = pytest.mark.usefixtures("loaded")

MOWER = f"mowers/{documents.MOWER_ID}"
RAIN_HOLD = "binary_sensor.front_lawn_held_back"
HOLD = "datetime.front_lawn_keep_at_home_until"


def event(event_type: str) -> Json:
    return {"type": event_type, "payload": {"mower_id": documents.MOWER_ID}}


async def test_totals_and_blades_are_shown(hass: HomeAssistant) -> None:
    await until_state(hass, "sensor.front_lawn_mowing_time", "2.0")
    assert state_of(hass, "sensor.front_lawn_distance") == "2.5"
    assert state_of(hass, "sensor.front_lawn_mowed_area") == "480.0"
    assert state_of(hass, "sensor.front_lawn_blade_life_left") == "75.0"
    state = hass.states.get("sensor.front_lawn_blade_time")
    assert state is not None
    assert (state.state, state.attributes["life_hours"]) == ("25.0", 100)


async def test_a_finished_job_and_time_bring_new_totals(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await until_state(hass, "sensor.front_lawn_mowing_time", "2.0")
    gateway.mower_routes.health = documents.health(mowing_seconds=10800.0)
    await gateway.events.tell(event=event("telemetry.job.finished"))
    await until_state(hass, "sensor.front_lawn_mowing_time", "3.0")
    # What is not answered leaves what is known.
    gateway.mower_routes.health = None
    asked = gateway.mower_routes.asked["health"]
    await gateway.events.tell(event=event("telemetry.blade.threshold"))
    async_fire_time_changed(hass, dt_util.utcnow() + INTERVAL * 2)
    gateway.mower_routes.health = documents.health(mowing_seconds=14400.0, blade_life_seconds=0.0)
    async_fire_time_changed(hass, dt_util.utcnow() + INTERVAL * 4)
    await until_state(hass, "sensor.front_lawn_mowing_time", "4.0")
    assert gateway.mower_routes.asked["health"] > asked
    assert state_of(hass, "sensor.front_lawn_blade_life_left") == "unknown"


async def test_new_blades_begin_anew(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await until_state(hass, "sensor.front_lawn_blade_life_left", "75.0")
    await hass.services.async_call(
        Platform.BUTTON, "press", {ATTR_ENTITY_ID: "button.front_lawn_blades_changed"}, blocking=True
    )
    assert gateway.find("POST", f"{MOWER}/blades/reset") is not None
    await until_state(hass, "sensor.front_lawn_blade_life_left", "100.0")


async def test_why_rain_holds_a_mower_back(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await until_state(hass, RAIN_HOLD, "on")
    state = hass.states.get(RAIN_HOLD)
    assert state is not None
    assert (state.attributes["reason"], state.attributes["source"]) == ("rain_expected", "open_meteo")
    assert state.attributes["attribution"] == "Weather data by Open-Meteo.com"
    assert state_of(hass, "sensor.front_lawn_rain_verdict") == "rain_expected"
    assert state_of(hass, "sensor.front_lawn_held_back_until") == "2026-05-01T12:00:00+00:00"
    gateway.mower_routes.weather = documents.weather(
        hold=False, reason="of tomorrow", pause_until=None, fetched_at=None
    )
    await gateway.events.tell(event=event("scheduler.weather.changed"))
    await until_state(hass, RAIN_HOLD, "off")
    assert state_of(hass, "sensor.front_lawn_rain_verdict") == "other"
    assert state_of(hass, "sensor.front_lawn_held_back_until") == "unknown"


async def test_a_mower_is_kept_at_home_and_let_go(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    async def say(moment: str) -> None:
        data = {ATTR_ENTITY_ID: HOLD, "datetime": moment}
        await hass.services.async_call(Platform.DATETIME, "set_value", data, blocking=True)

    await until_state(hass, RAIN_HOLD, "on")
    assert state_of(hass, HOLD) == "unknown"
    await say("2099-05-01T12:00:00+00:00")
    assert (await gateway.wait_for_request("PUT", f"{MOWER}/hold")).body == {"until": "2099-05-01T12:00:00+00:00"}
    await until_state(hass, HOLD, "2099-05-01T12:00:00+00:00")
    await say("2001-05-01T12:00:00+00:00")
    assert gateway.find("DELETE", f"{MOWER}/hold") is not None
    await until_state(hass, HOLD, "unknown")


async def test_the_rain_rule_is_overridden(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    entity_id = "datetime.front_lawn_mow_in_spite_of_rain_until"
    data = {ATTR_ENTITY_ID: entity_id, "datetime": "2099-05-01T12:00:00+00:00"}
    await hass.services.async_call(Platform.DATETIME, "set_value", data, blocking=True)
    assert gateway.find("PUT", f"{MOWER}/rain-override") is not None
    await until_state(hass, entity_id, "2099-05-01T12:00:00+00:00")


async def test_a_mower_is_told_not_to_obey_the_rain(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    entity_id = "switch.front_lawn_obey_the_rain_rule"
    await hass.services.async_call(Platform.SWITCH, "turn_off", {ATTR_ENTITY_ID: entity_id}, blocking=True)
    assert (await gateway.wait_for_request("PATCH", MOWER)).body == {"obey_rain": False}
    await until_state(hass, entity_id, "off")


async def test_a_threshold_of_the_site_is_changed(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    entity_id = "number.home_rain_rule_look_ahead"
    assert state_of(hass, entity_id) == "3.0"
    data = {ATTR_ENTITY_ID: entity_id, "value": 6}
    await hass.services.async_call(Platform.NUMBER, "set_value", data, blocking=True)
    assert (await gateway.wait_for_request("PATCH", "sites/home")).body == {"rain": {"lookahead_hours": 6}}
    await until_state(hass, entity_id, "6.0")
    assert gateway.sites["home"]["rain"]["probability_percent"] == 60.0


async def test_a_site_that_is_gone_takes_its_device_along(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.sites["second"] = documents.site(id="second", name="Allotment")
    await gateway.events.tell(site=gateway.sites["second"])
    await until_state(hass, "number.allotment_rain_rule_look_ahead", "3.0")
    await gateway.events.tell(site_removed="second")
    await until_state(hass, "number.allotment_rain_rule_look_ahead", None)


async def test_the_map_is_drawn_and_changes_with_itself(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await until(hass, lambda: state_of(hass, "image.front_lawn_map") not in {"unknown", None})
    image = hass.data["image"].get_entity("image.front_lawn_map")
    assert isinstance(image, MapImage)
    picture = await image.async_image()
    assert picture is not None
    assert b"<title>Front</title>" in picture
    before = state_of(hass, "image.front_lawn_map")
    await gateway.put_mower(battery_percent=50)
    await until_state(hass, "sensor.front_lawn_battery", "50")
    assert state_of(hass, "image.front_lawn_map") == before
    await gateway.put_mower(area_id="front")
    await until(hass, lambda: state_of(hass, "image.front_lawn_map") != before)
    gateway.mower_routes.ground = None
    await gateway.events.tell(event=event("device.map"))
    await until_state(hass, "image.front_lawn_map", "unknown")
    assert await image.async_image() is None


def test_every_name_on_a_map_is_escaped() -> None:
    area = documents.ground()["areas"][0] | {"name": '<script>"&'}
    ground = Map.read(Reading.of(documents.ground(areas=[area], no_go_zones=[[[1, 1], [2, 1], [2, 2]]]), "map"))
    picture = draw(ground, (), None).decode()
    assert "<script>" not in picture
    assert "&lt;script&gt;" in picture
    empty = Map.read(Reading.of(documents.ground(areas=[area | {"boundary": None}], obstacles=[], dock=None), "map"))
    assert draw(empty, (), None).startswith(b"<svg")


@pytest.mark.parametrize(
    "changes",
    [{"obstacles": "none"}, {"obstacles": ["none"]}, {"dock": [1]}, {"obstacles": [[[1, "east"]]]}],
)
def test_a_map_that_is_none_is_an_error(changes: Json) -> None:
    with pytest.raises(MalformedError, match=r"map\.(obstacles|dock)"):
        Map.read(Reading.of(documents.ground(**changes), "map"))


async def test_what_is_seldom_wanted_is_off(entity_registry: er.EntityRegistry) -> None:
    for entity_id in (
        "device_tracker.front_lawn_position",
        "sensor.front_lawn_signal",
        "sensor.front_lawn_link",
        "sensor.front_lawn_charge_cycles",
    ):
        entry = entity_registry.async_get(entity_id)
        assert entry is not None
        assert entry.disabled_by is er.RegistryEntryDisabler.INTEGRATION
