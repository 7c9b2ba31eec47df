"""What is shown of a schedule: next run, last run, last outcome, and the switch that enables it."""

import asyncio
from typing import Any

import pytest
from homeassistant.const import ATTR_ENTITY_ID, SERVICE_TURN_OFF, SERVICE_TURN_ON, Platform
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import entity_registry as er

from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import state_of, until, until_state

pytestmark = pytest.mark.usefixtures("everything_enabled", "loaded")

NEXT_RUN = "sensor.weekday_mornings_next_run"
LAST_RUN = "sensor.weekday_mornings_last_run"
LAST_OUTCOME = "sensor.weekday_mornings_last_outcome"
ENABLED = "switch.weekday_mornings_enabled"


async def turn(hass: HomeAssistant, service: str) -> None:
    await hass.services.async_call(Platform.SWITCH, service, {ATTR_ENTITY_ID: ENABLED}, blocking=True)


async def test_its_ids_are_the_schedules(entity_registry: er.EntityRegistry) -> None:
    ids = {
        entity_id: entry.unique_id
        for entity_id in (NEXT_RUN, LAST_RUN, LAST_OUTCOME, ENABLED)
        if (entry := entity_registry.async_get(entity_id))
    }
    assert ids == {
        NEXT_RUN: f"{documents.SCHEDULE_ID}_next_run",
        LAST_RUN: f"{documents.SCHEDULE_ID}_last_run",
        LAST_OUTCOME: f"{documents.SCHEDULE_ID}_last_outcome",
        ENABLED: f"{documents.SCHEDULE_ID}_enabled",
    }


async def test_a_schedule_that_has_not_run_yet(hass: HomeAssistant) -> None:
    assert state_of(hass, NEXT_RUN) == "2026-05-04T07:00:00+00:00"
    assert state_of(hass, LAST_RUN) == "unknown"
    assert state_of(hass, LAST_OUTCOME) == "unknown"
    assert state_of(hass, ENABLED) == "on"


async def test_a_run_and_why_it_did_not_start(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_schedule(last_run=documents.run())
    await until_state(hass, LAST_OUTCOME, "skipped_rain")
    await until_state(hass, LAST_RUN, "2026-05-01T07:00:00+00:00")
    last_run, last_outcome = hass.states.get(LAST_RUN), hass.states.get(LAST_OUTCOME)
    assert last_run is not None
    assert last_outcome is not None
    assert (last_run.attributes["outcome"], last_run.attributes["reason"]) == ("skipped_rain", "rain_expected")
    assert last_outcome.attributes["reason"] == "rain_expected"
    assert last_outcome.attributes["numbers"] == {"probability_percent": 80, "threshold_percent": 60}


async def test_a_run_that_came_to_its_end(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_schedule(
        last_run=documents.run(
            outcome="started",
            reason=None,
            confirmed_at="2026-05-01T07:00:40Z",
            ended_at="2026-05-01T08:30:00Z",
            end_reason="completed",
        )
    )
    await until_state(hass, LAST_OUTCOME, "started")
    state = hass.states.get(LAST_RUN)
    assert state is not None
    assert state.attributes["end_reason"] == "completed"
    assert state.attributes["confirmed_at"] == "2026-05-01T07:00:40+00:00"
    assert state.attributes["ended_at"] == "2026-05-01T08:30:00+00:00"


@pytest.mark.parametrize(("outcome", "state"), [(None, "pending"), ("skipped_snow", "unknown")])
async def test_an_outcome_that_is_not_there_yet_or_not_known_here(
    hass: HomeAssistant, gateway: EmulatedGateway, outcome: str | None, state: str
) -> None:
    await gateway.put_schedule(last_run=documents.run(outcome=outcome))
    await until_state(hass, LAST_RUN, "2026-05-01T07:00:00+00:00")
    assert state_of(hass, LAST_OUTCOME) == state


async def test_a_skipped_run_is_not_the_next_one(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_schedule(next_run_skipped=True, next_effective_run_at="2026-05-06T07:00:00Z")
    await until_state(hass, NEXT_RUN, "2026-05-06T07:00:00+00:00")
    state = hass.states.get(NEXT_RUN)
    assert state is not None
    assert state.attributes["skipped_run"] == "2026-05-04T07:00:00+00:00"


@pytest.mark.parametrize("changes", [{"next_run_at": None, "next_effective_run_at": None}, {"enabled": False}])
async def test_no_next_run_is_unknown(hass: HomeAssistant, gateway: EmulatedGateway, changes: dict[str, Any]) -> None:
    await gateway.put_schedule(**changes)
    await until_state(hass, NEXT_RUN, "unknown")


async def test_a_deleted_schedule_takes_its_entities_along(
    hass: HomeAssistant, gateway: EmulatedGateway, entity_registry: er.EntityRegistry
) -> None:
    await gateway.remove_schedule()
    await until(hass, lambda: all(state_of(hass, each) is None for each in (NEXT_RUN, LAST_RUN, ENABLED)))
    assert entity_registry.async_get(ENABLED) is None


async def test_the_switch_shows_what_is_asked_until_the_gateway_confirms_it(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    shown: list[str] = []

    @callback
    def note(event: Event[EventStateChangedData]) -> None:
        if event.data["entity_id"] == ENABLED and event.data["new_state"] is not None:
            shown.append(event.data["new_state"].state)

    hass.bus.async_listen("state_changed", note)
    await turn(hass, SERVICE_TURN_OFF)
    assert (await gateway.wait_for_request("PATCH", f"schedules/{documents.SCHEDULE_ID}")).body == {"enabled": False}
    await until_state(hass, NEXT_RUN, "unknown")
    await turn(hass, SERVICE_TURN_ON)
    await until_state(hass, NEXT_RUN, "2026-05-04T07:00:00+00:00")
    assert shown == ["off", "on"]


async def test_a_second_press_before_the_first_is_answered_has_the_last_word(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    shown: list[str] = []

    @callback
    def note(event: Event[EventStateChangedData]) -> None:
        if event.data["entity_id"] == ENABLED and event.data["new_state"] is not None:
            shown.append(event.data["new_state"].state)

    hass.bus.async_listen("state_changed", note)
    await asyncio.gather(turn(hass, SERVICE_TURN_OFF), turn(hass, SERVICE_TURN_ON))
    await until_state(hass, NEXT_RUN, "2026-05-04T07:00:00+00:00")
    assert [request.body for request in gateway.requests] == [{"enabled": False}, {"enabled": True}]
    assert shown == ["off", "on"]


async def test_the_switch_goes_back_when_the_gateway_refuses(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.refuse(409, documents.error("firing", "The schedule is just running."))
    with pytest.raises(ServiceValidationError, match="just starting a mower"):
        await turn(hass, SERVICE_TURN_OFF)
    assert state_of(hass, ENABLED) == "on"


async def test_the_switch_goes_back_when_the_gateway_does_not_answer(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    await gateway.stop()
    with pytest.raises(HomeAssistantError):
        await turn(hass, SERVICE_TURN_OFF)
    assert state_of(hass, ENABLED) == "on"
