"""Skipping the next run of a schedule, and running it at once."""

from typing import Any

import pytest
from homeassistant.const import ATTR_ENTITY_ID, SERVICE_TURN_OFF, SERVICE_TURN_ON, Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError

from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import state_of, until_state

pytestmark = pytest.mark.usefixtures("loaded")

SKIP_NEXT = "switch.weekday_mornings_skip_next_run"
RUN_NOW = "button.weekday_mornings_run_now"
SKIP_PATH = f"schedules/{documents.SCHEDULE_ID}/skip-next"


async def turn(hass: HomeAssistant, service: str) -> None:
    await hass.services.async_call(Platform.SWITCH, service, {ATTR_ENTITY_ID: SKIP_NEXT}, blocking=True)


async def test_the_next_run_is_skipped_and_taken_back(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    assert state_of(hass, SKIP_NEXT) == "off"
    await turn(hass, SERVICE_TURN_ON)
    request = await gateway.wait_for_request("POST", SKIP_PATH)
    assert request.body == {"occurrence": "2026-05-04T07:00:00+00:00"}
    await until_state(hass, SKIP_NEXT, "on")
    await turn(hass, SERVICE_TURN_OFF)
    request = await gateway.wait_for_request("DELETE", SKIP_PATH)
    assert request.body == {"occurrence": "2026-05-04T07:00:00+00:00"}
    await until_state(hass, SKIP_NEXT, "off")


@pytest.mark.parametrize("changes", [{"enabled": False}, {"next_run_at": None}])
async def test_without_a_next_run_there_is_nothing_to_skip(
    hass: HomeAssistant, gateway: EmulatedGateway, changes: dict[str, Any]
) -> None:
    await gateway.put_schedule(**changes)
    await until_state(hass, "sensor.weekday_mornings_next_run", "unknown")
    with pytest.raises(ServiceValidationError) as raised:
        await turn(hass, SERVICE_TURN_ON)
    assert raised.value.translation_key == "no_next_run"
    assert state_of(hass, SKIP_NEXT) == "off"
    assert gateway.requests == []


async def test_an_occurrence_that_has_begun_is_refused(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.refuse(409, documents.error("firing", "This occurrence has begun to fire.", field="occurrence"))
    with pytest.raises(ServiceValidationError, match="just starting a mower"):
        await turn(hass, SERVICE_TURN_ON)
    assert state_of(hass, SKIP_NEXT) == "off"


async def test_a_schedule_is_run_at_once(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await hass.services.async_call(Platform.BUTTON, "press", {ATTR_ENTITY_ID: RUN_NOW}, blocking=True)
    request = await gateway.wait_for_request("POST", f"schedules/{documents.SCHEDULE_ID}/run-now")
    assert request.headers["Idempotency-Key"]
