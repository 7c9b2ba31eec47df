"""A schedule that is run at once: who asked hears that it did not start, and why."""

import asyncio
from typing import Any

import pytest
from homeassistant.const import ATTR_ENTITY_ID, Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway

SCHEDULE = "switch.weekday_mornings_enabled"
BUTTON = "button.weekday_mornings_run_now"
RUN_NOW = f"schedules/{documents.SCHEDULE_ID}/run-now"

pytestmark = pytest.mark.usefixtures("loaded")


async def run(hass: HomeAssistant, *, answer: bool = False) -> Any:  # noqa: ANN401  # any JSON
    """Run the schedule by the action."""
    return await hass.services.async_call(
        DOMAIN, "run_schedule", {ATTR_ENTITY_ID: SCHEDULE}, blocking=True, return_response=answer
    )


async def test_a_run_that_starts_is_answered(hass: HomeAssistant) -> None:
    answer = await run(hass, answer=True)
    assert [(each["outcome"], each["run_now"]) for each in answer["runs"]] == [("started", True)]
    await run(hass)


async def test_a_run_that_is_left_out_is_an_error_that_says_why(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.run_now = {"outcome": "skipped_mower_busy", "reason": "busy"}
    with pytest.raises(HomeAssistantError) as raised:
        await run(hass)
    assert raised.value.translation_key == "run_not_started"
    assert raised.value.translation_placeholders == {"reasons": "Front lawn: Mower busy"}
    with pytest.raises(HomeAssistantError, match="Mower busy"):
        await hass.services.async_call(Platform.BUTTON, "press", {ATTR_ENTITY_ID: BUTTON}, blocking=True)
    hass.config.language = "de"
    with pytest.raises(HomeAssistantError) as raised:
        await run(hass)
    assert raised.value.translation_placeholders == {"reasons": "Front lawn: Mäher beschäftigt"}
    answer = await run(hass, answer=True)
    assert answer["runs"][0]["reason"] == "busy"


async def test_a_run_of_nobody_known_is_named_by_its_schedule(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.run_now = {"outcome": "failed", "reason": "target_gone", "mower_id": None}
    with pytest.raises(HomeAssistantError) as raised:
        await run(hass)
    assert raised.value.translation_placeholders == {"reasons": "Weekday mornings: Mower no longer there"}


async def test_what_is_not_decided_yet_is_waited_for(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.run_now = {"outcome": None, "reason": None, "final": False, "revision": 0}
    asked = hass.async_create_task(run(hass))
    await gateway.wait_for_request("POST", RUN_NOW)
    under_way = documents.run(run_now=True, outcome="started", reason=None, final=False, revision=1)
    await gateway.events.tell(run=under_way)
    await gateway.events.tell(run=under_way | {"outcome": "failed", "reason": "unavailable", "revision": 2})
    with pytest.raises(HomeAssistantError) as raised:
        await asyncio.wait_for(asked, 20)
    assert raised.value.translation_placeholders == {"reasons": "Front lawn: Mower not reached"}


async def test_nobody_waits_for_ever(hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry) -> None:
    loaded.runtime_data.outcome_seconds = 0.01
    gateway.run_now = {"outcome": None, "reason": None, "final": False}
    answer = await run(hass, answer=True)
    assert answer["runs"][0]["outcome"] == "pending"
    await run(hass)
