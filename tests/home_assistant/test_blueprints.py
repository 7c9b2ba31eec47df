"""The blueprints are ones that Home Assistant takes, and do what they say."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.automation.config import AUTOMATION_BLUEPRINT_SCHEMA
from homeassistant.components.blueprint.models import Blueprint
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component
from homeassistant.util.yaml import load_yaml_dict
from pytest_homeassistant_custom_component.common import async_fire_time_changed, async_mock_service

from custom_components.mowdeck import const
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until, until_state

FOLDER = Path(const.__file__).parents[2] / "blueprints" / "automation" / "mowdeck"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_blueprint_is_read(path: Path) -> None:
    blueprint = Blueprint(load_yaml_dict(str(path)), expected_domain="automation", schema=AUTOMATION_BLUEPRINT_SCHEMA)
    assert blueprint.validate() is None
    assert blueprint.inputs


def test_there_are_blueprints() -> None:
    assert len(list(FOLDER.glob("*.yaml"))) == 4


async def use(hass: HomeAssistant, folder: Path, blueprint: str, **inputs: Any) -> None:  # noqa: ANN401  # JSON
    """Make an automation of a blueprint."""
    shutil.copytree(FOLDER, folder / "blueprints" / "automation" / "mowdeck")
    hass.config.config_dir = str(folder)
    made = {"alias": blueprint, "use_blueprint": {"path": f"mowdeck/{blueprint}.yaml", "input": inputs}}
    assert await async_setup_component(hass, "automation", {"automation": made})
    await hass.async_block_till_done()
    assert hass.states.get(f"automation.{blueprint}") is not None


@pytest.mark.usefixtures("loaded")
async def test_a_run_that_is_skipped_or_fails_is_told_with_its_reason(
    hass: HomeAssistant, gateway: EmulatedGateway, service_calls: list[ServiceCall], tmp_path: Path
) -> None:
    tell = [{"action": "test.tell", "data": {"text": "{{ message }}"}}]
    await use(hass, tmp_path, "tell_why_it_did_not_mow", run="event.front_lawn_run", tell=tell)
    await gateway.events.tell(run=documents.run(id="run-1", outcome="started"))
    await gateway.events.tell(run=documents.run(id="run-2"))
    await gateway.events.tell(run=documents.run(id="run-3", outcome="failed", reason=None))
    await until(hass, lambda: len([call for call in service_calls if call.domain == "test"]) == 2)
    assert [call.data["text"] for call in service_calls if call.domain == "test"] == [
        "Weekday mornings did not mow: Rain expected.",
        "Weekday mornings did not mow: Failed.",
    ]


@pytest.mark.usefixtures("loaded")
async def test_rain_that_comes_does_what_is_wanted(
    hass: HomeAssistant, gateway: EmulatedGateway, service_calls: list[ServiceCall], tmp_path: Path
) -> None:
    held_back = "binary_sensor.front_lawn_held_back"
    then = [{"action": "test.rain"}]
    await use(hass, tmp_path, "rain_came", held_back=held_back, then=then)
    changed = {"type": "scheduler.weather.changed", "subject_id": "x", "payload": {"mower_id": documents.MOWER_ID}}
    for reason, state in (("dry", "off"), ("held_by_user", "on"), ("dry", "off"), ("rain_recent", "on")):
        gateway.mower_routes.weather = documents.weather(hold=state == "on", reason=reason)
        await gateway.events.tell(event=changed)
        await until_state(hass, held_back, state)
    await until(hass, lambda: len([call for call in service_calls if call.service == "rain"]) == 1)


@pytest.mark.usefixtures("loaded")
async def test_the_irrigation_keeps_the_mower_at_home(
    hass: HomeAssistant, gateway: EmulatedGateway, tmp_path: Path, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to("2026-05-01T08:00:00Z")
    hass.states.async_set("valve.garden", "closed")
    await use(
        hass, tmp_path, "mow_after_the_irrigation", irrigation="valve.garden", mower="lawn_mower.front_lawn", hours=3
    )
    for state, until_when in (("open", "2026-05-02T08:00:00+00:00"), ("closed", "2026-05-01T11:00:00+00:00")):
        hass.states.async_set("valve.garden", state)
        request = await gateway.wait_for_request("PUT", f"mowers/{documents.MOWER_ID}/hold")
        assert request.body == {"until": until_when}
        gateway.requests.clear()


async def until_it_waits(hass: HomeAssistant) -> None:
    """Wait until both answers are listened for: the question is asked a little before that."""
    while hass.bus.async_listeners().get("mobile_app_notification_action", 0) < 2:  # noqa: ASYNC110  # nothing tells
        await asyncio.sleep(0)
    for _ in range(10):
        await asyncio.sleep(0)


def still_asking(hass: HomeAssistant) -> bool:
    """Tell whether the automation has not come to its end."""
    state = hass.states.get("automation.ask_before_mowing")
    assert state is not None
    return bool(state.attributes["current"])


@pytest.mark.parametrize(
    ("answer", "without_answer", "skipped"),
    [("MOWDECK_SKIP_", "mow", True), ("MOWDECK_MOW_", "skip", False), (None, "skip", True), (None, "mow", False)],
)
async def test_somebody_is_asked_before_it_mows(
    hass: HomeAssistant,
    tmp_path: Path,
    freezer: FrozenDateTimeFactory,
    answer: str | None,
    without_answer: str,
    *,
    skipped: bool,
) -> None:
    """No gateway here: its connection would not outlive the leaps of the clock."""
    asked = async_mock_service(hass, "notify", "phone")
    skips = async_mock_service(hass, "mowdeck", "skip_next_run")
    freezer.move_to("2026-05-04T06:00:00Z")
    await hass.config.async_set_time_zone("Europe/Amsterdam")
    hass.states.async_set("sensor.next_run", "2026-05-04T07:00:00+00:00")
    await use(
        hass,
        tmp_path,
        "ask_before_mowing",
        next_run="sensor.next_run",
        notify="notify.phone",
        minutes=30,
        without_answer=without_answer,
    )
    freezer.move_to("2026-05-04T06:31:00Z")
    async_fire_time_changed(hass)
    await until(hass, lambda: len(asked) == 1)
    assert asked[0].data["message"] == "Mow at 09:00?"
    await until_it_waits(hass)
    if answer is not None:
        action = next(each["action"] for each in asked[0].data["data"]["actions"] if each["action"].startswith(answer))
        hass.bus.async_fire("mobile_app_notification_action", {"action": action})
    else:
        freezer.move_to("2026-05-04T06:59:01Z")
        async_fire_time_changed(hass)
    await until(hass, lambda: not still_asking(hass))
    assert [call.data["entity_id"] for call in skips] == [["sensor.next_run"]] * skipped
    await hass.services.async_call(
        "automation", "turn_off", {"entity_id": "automation.ask_before_mowing"}, blocking=True
    )
