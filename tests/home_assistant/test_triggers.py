"""Automations that are triggered by what a plan did and by rain, and that ask for it."""

from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until, until_state

pytestmark = pytest.mark.usefixtures("loaded")

RUN = "event.front_lawn_run"
HOLD = "binary_sensor.front_lawn_held_back"
ENABLED = "switch.weekday_mornings_enabled"
NEXT_RUN = "sensor.weekday_mornings_next_run"
CALENDAR = "calendar.front_lawn_plan"


@pytest.fixture
def mower_device(loaded: MowDeckConfigEntry, device_registry: dr.DeviceRegistry) -> str:
    device = device_registry.async_get_device_by_identifier((DOMAIN, documents.MOWER_ID), loaded.entry_id)
    assert device is not None
    return device.id


async def automate(hass: HomeAssistant, trigger: Json | list[Json], condition: Json | None = None) -> None:
    """Have an automation call `test.automation` with the entity that triggered it."""
    assert await async_setup_component(
        hass,
        "automation",
        {
            "automation": {
                "triggers": trigger,
                "conditions": [] if condition is None else [condition],
                "actions": {"action": "test.automation", "data": {"of": "{{ trigger.entity_id | default('') }}"}},
            }
        },
    )
    await hass.async_block_till_done()


def called(calls: list[ServiceCall]) -> list[Any]:
    return [call.data["of"] for call in calls if call.domain == "test"]


async def put_hold(gateway: EmulatedGateway, *, hold: bool) -> None:
    gateway.mower_routes.weather = documents.weather(hold=hold)
    changed = {"type": "scheduler.weather.changed", "subject_id": "x", "payload": {"mower_id": documents.MOWER_ID}}
    await gateway.events.tell(event=changed)


@pytest.mark.parametrize(
    ("trigger", "outcome", "others"),
    [
        ("run_started", "started", ["skipped_rain", "failed"]),
        ("run_skipped", "skipped_manual", ["started", "failed"]),
        ("run_failed", "failed", ["skipped_rain", "started"]),
    ],
)
async def test_a_run_triggers_by_its_outcome(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    service_calls: list[ServiceCall],
    mower_device: str,
    trigger: str,
    outcome: str,
    others: list[str],
) -> None:
    await automate(hass, {"trigger": f"mowdeck.{trigger}", "target": {"device_id": mower_device}})
    for number, each in enumerate([*others, outcome]):
        await gateway.events.tell(run=documents.run(id=f"run-{number}", outcome=each))
    await until(hass, lambda: bool(called(service_calls)))
    assert called(service_calls) == [RUN]


async def test_entities_of_others_and_of_other_kinds_do_not_trigger(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    service_calls: list[ServiceCall],
    entity_registry: er.EntityRegistry,
) -> None:
    other = entity_registry.async_get_or_create("event", "another", "bell", translation_key="run")
    chosen = [other.entity_id, "event.of_nobody", "event.front_lawn_notices", RUN]
    await automate(hass, {"trigger": "mowdeck.run_started", "target": {"entity_id": chosen}})
    for entity_id in chosen[:2]:
        hass.states.async_set(entity_id, "2026-05-01T07:00:00.000+00:00", {"event_type": "started"})
        hass.states.async_set(entity_id, "2026-05-01T07:00:01.000+00:00", {"event_type": "started"})
    await gateway.events.tell(run=documents.run(id="run-9", outcome="started"))
    await until(hass, lambda: bool(called(service_calls)))
    assert called(service_calls) == [RUN]


async def test_a_schedule_that_is_disabled_triggers_whoever_did_it(
    hass: HomeAssistant, gateway: EmulatedGateway, service_calls: list[ServiceCall]
) -> None:
    await automate(hass, {"trigger": "mowdeck.schedule_disabled", "target": {"entity_id": ENABLED}})
    await gateway.put_schedule(enabled=False, disabled_reason="permission")
    await until(hass, lambda: called(service_calls) == [ENABLED])


async def test_rain_that_begins_and_ends_triggers(
    hass: HomeAssistant, gateway: EmulatedGateway, service_calls: list[ServiceCall], mower_device: str
) -> None:
    target = {"device_id": mower_device}
    triggers: list[Json] = [{"trigger": f"mowdeck.rain_hold_{name}", "target": target} for name in ("began", "ended")]
    await automate(hass, triggers)
    await put_hold(gateway, hold=False)
    await until_state(hass, HOLD, "off")
    await until(hass, lambda: len(called(service_calls)) == 1)
    await put_hold(gateway, hold=True)
    await until_state(hass, HOLD, "on")
    await until(hass, lambda: called(service_calls) == [HOLD, HOLD])


async def run_if(hass: HomeAssistant, calls: list[ServiceCall], condition: Json) -> bool:
    """Tell whether a condition lets an automation through."""
    await automate(hass, {"trigger": "event", "event_type": "look"}, condition)
    before = len(called(calls))
    hass.bus.async_fire("look", context=Context())
    await hass.async_block_till_done()
    return len(called(calls)) > before


async def test_it_can_be_asked_whether_a_mower_is_held_back(
    hass: HomeAssistant, gateway: EmulatedGateway, service_calls: list[ServiceCall], mower_device: str
) -> None:
    condition = {"condition": "mowdeck.is_rain_hold_on", "target": {"device_id": mower_device}}
    await until_state(hass, HOLD, "on")
    assert await run_if(hass, service_calls, condition)
    await put_hold(gateway, hold=False)
    await until_state(hass, HOLD, "off")
    hass.bus.async_fire("look")
    await hass.async_block_till_done()
    assert len(called(service_calls)) == 1


@pytest.mark.parametrize(
    ("entity_id", "now", "due"),
    [
        (NEXT_RUN, "2026-05-04T05:00:00Z", True),
        # A day earlier in UTC, and the same one in Home Assistant's zone.
        (CALENDAR, "2026-05-03T22:30:00Z", True),
        (CALENDAR, "2026-05-03T20:00:00Z", False),
        (NEXT_RUN, "2026-05-05T05:00:00Z", False),
    ],
)
async def test_it_can_be_asked_whether_a_run_is_due_today(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    service_calls: list[ServiceCall],
    freezer: FrozenDateTimeFactory,
    entity_id: str,
    now: str,
    *,
    due: bool,
) -> None:
    await hass.config.async_set_time_zone("Europe/Amsterdam")
    freezer.move_to(now)
    # Written anew, so that the calendar shows its start in the zone that was set.
    await gateway.put_schedule(next_run_at="2026-05-11T07:00:00Z")
    await until_state(hass, NEXT_RUN, "2026-05-11T07:00:00+00:00")
    await gateway.put_schedule(next_run_at="2026-05-04T07:00:00Z")
    await until_state(hass, NEXT_RUN, "2026-05-04T07:00:00+00:00")
    assert (
        await run_if(hass, service_calls, {"condition": "mowdeck.is_run_due_today", "target": {"entity_id": entity_id}})
        is due
    )


@pytest.mark.parametrize("behavior", ["any", "all"])
async def test_no_run_is_due_where_none_is_planned(
    hass: HomeAssistant, gateway: EmulatedGateway, service_calls: list[ServiceCall], behavior: str
) -> None:
    await gateway.put_schedule(enabled=False)
    await until_state(hass, NEXT_RUN, "unknown")
    condition = {
        "condition": "mowdeck.is_run_due_today",
        "target": {"entity_id": [NEXT_RUN, CALENDAR]},
        "options": {"behavior": behavior},
    }
    assert not await run_if(hass, service_calls, condition)
