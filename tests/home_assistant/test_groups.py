"""Groups: their device, their calendar, and their occurrences in the calendars of their mowers."""

from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.calendar.const import DOMAIN as CALENDAR
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import device_registry as dr
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.emulators.gateway.group_documents import GROUP_ID, group
from tests.home_assistant.waiting import until, until_state

MOWER_PLAN = "calendar.front_lawn_plan"
GROUP_PLAN = "calendar.both_lawns_plan"
SCHEDULE = "switch.together_enabled"


@pytest.fixture(autouse=True)
async def _with_a_group(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    freezer: FrozenDateTimeFactory,
    entry: MowDeckConfigEntry,
) -> None:
    freezer.move_to("2026-05-03T12:00:00Z")
    await hass.config.async_set_time_zone("Europe/Amsterdam")
    gateway.mowers["second"] = documents.mower(id="second", name="Back lawn")
    gateway.groups[GROUP_ID] = group(mower_ids=[documents.MOWER_ID, "second"])
    gateway.schedules = {
        "together": documents.schedule(id="together", name="Together", target={"mower_id": None, "group_id": GROUP_ID})
    }
    assert await hass.config_entries.async_setup(entry.entry_id)
    await until_state(hass, GROUP_PLAN, "off")
    await until_state(hass, SCHEDULE, "on")


async def shown(hass: HomeAssistant, entity_id: str, since: str, until_moment: str) -> list[Any]:
    """Return what a calendar shows in a span."""
    span = {"start_date_time": since, "end_date_time": until_moment}
    answer = await hass.services.async_call(
        CALENDAR, "get_events", {ATTR_ENTITY_ID: entity_id} | span, blocking=True, return_response=True
    )
    events: Any = answer
    found: list[Any] = events[entity_id]["events"]
    return found


async def test_a_group_has_a_device_on_which_its_schedules_hang(
    device_registry: dr.DeviceRegistry, entry: MowDeckConfigEntry
) -> None:
    devices = entry.runtime_data.devices
    of_group, of_schedule = devices.find(f"group/{GROUP_ID}"), devices.find("together")
    assert of_group is not None
    assert of_schedule is not None
    assert (of_group.name, of_group.model) == ("Both lawns", "Group")
    assert of_schedule.via_device_id == of_group.id
    assert device_registry.async_get(of_group.id) is not None


async def test_what_is_planned_for_a_group_stands_in_all_of_its_calendars(hass: HomeAssistant) -> None:
    for calendar in (GROUP_PLAN, MOWER_PLAN, "calendar.back_lawn_plan"):
        events = await shown(hass, calendar, "2026-05-04 00:00:00", "2026-05-05 00:00:00")
        assert [(each["summary"], each["start"]) for each in events] == [("Together", "2026-05-04T09:00:00+02:00")]


async def test_the_runs_of_its_mowers_are_one_entry(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    started = {"outcome": "started", "reason": None, "schedule_id": "together"}
    gateway.runs = [
        documents.run(id="a", **started),
        documents.run(id="b", mower_id="second", schedule_id="together", outcome="skipped_mower_busy", reason="busy"),
        documents.run(id="c", **started | {"occurrence_at": "2026-04-29T07:00:00Z"}),
    ]
    events = await shown(hass, GROUP_PLAN, "2026-04-29 00:00:00", "2026-05-02 00:00:00")
    assert [each["description"] for each in events] == [
        "Started",
        "Back lawn: Skipped: mower busy (Mower busy)\nFront lawn: Started",
    ]


async def test_an_entry_of_a_groups_calendar_becomes_a_schedule_of_the_group(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    await hass.services.async_call(
        CALENDAR,
        "create_event",
        {
            ATTR_ENTITY_ID: GROUP_PLAN,
            "summary": "Once",
            "start_date_time": "2026-05-09 10:00:00",
            "end_date_time": "2026-05-09 11:00:00",
        },
        blocking=True,
    )
    body = (await gateway.wait_for_request("POST", "schedules")).body
    assert body["target"] == {"group_id": GROUP_ID}
    assert body["recurrence"] == {"kind": "once", "day": "2026-05-09", "at": "10:00"}


async def test_it_is_changed_in_the_groups_calendar_alone(
    hass: HomeAssistant, gateway: EmulatedGateway, hass_ws_client: WebSocketGenerator
) -> None:
    client = await hass_ws_client(hass)
    delete = {"type": "calendar/event/delete", "uid": "together"}
    await client.send_json_auto_id(delete | {"entity_id": MOWER_PLAN})
    refused = await client.receive_json()
    assert "group" in refused["error"]["message"]
    await client.send_json_auto_id(delete | {"entity_id": GROUP_PLAN})
    assert (await client.receive_json())["success"]
    assert gateway.find("DELETE", "schedules/together") is not None


async def test_who_may_not_plan_for_a_group_is_told_of_the_group(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.refuse(403, documents.error("forbidden", "user:uwe may not do this with this target."))
    with pytest.raises(ServiceValidationError) as refused:
        await hass.services.async_call("switch", "turn_off", {ATTR_ENTITY_ID: SCHEDULE}, blocking=True)
    assert refused.value.translation_key == "not_allowed_group"


async def test_an_action_plans_for_a_group(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    given = {"name": "Evenings", "days": ["mon"], "at": "18:30", "duration_minutes": 90}
    for target, count in (([GROUP_PLAN], None), ([GROUP_PLAN, MOWER_PLAN], "2")):
        act = hass.services.async_call(
            DOMAIN, "create_schedule", given | {ATTR_ENTITY_ID: target}, blocking=True, return_response=True
        )
        if count is None:
            answer: Any = await act
            assert answer["schedule"]["group_id"] == GROUP_ID
            continue
        with pytest.raises(ServiceValidationError) as raised:
            await act
        assert raised.value.translation_placeholders == {"count": count}
    assert (await gateway.wait_for_request("POST", "schedules")).body["target"] == {"group_id": GROUP_ID}


async def test_groups_change_and_go(hass: HomeAssistant, gateway: EmulatedGateway, entry: ConfigEntry[Any]) -> None:
    await gateway.events.tell(group=group(name="Meadows", mower_ids=[documents.MOWER_ID]))
    devices = entry.runtime_data.devices
    await until(hass, lambda: devices.find(f"group/{GROUP_ID}").name == "Meadows")
    events = await shown(hass, "calendar.back_lawn_plan", "2026-05-04 00:00:00", "2026-05-05 00:00:00")
    assert events == []
    await gateway.events.tell(group_removed=GROUP_ID)
    await until_state(hass, GROUP_PLAN, None)
    assert devices.find(f"group/{GROUP_ID}") is None
