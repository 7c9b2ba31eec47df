"""A mower's calendar: what it shows, and what is made, changed and deleted in it."""

from datetime import datetime
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import state_of, until, until_state

PLAN = "calendar.front_lawn_plan"
SCHEDULE = f"schedules/{documents.SCHEDULE_ID}"
SATURDAY = {
    "dtstart": "2026-05-09T10:00:00+02:00",
    "dtend": "2026-05-09T11:30:00+02:00",
    "summary": "Saturday",
}
MONDAYS_RUN = "20260504T090000"
WEDNESDAYS_RUN = "20260506T090000"


@pytest.fixture(autouse=True)
async def _spring(freezer: FrozenDateTimeFactory, hass: HomeAssistant, loaded: ConfigEntry) -> None:  # noqa: ARG001
    """Live in a Sunday of spring, in the zone of the site."""
    await hass.config.async_set_time_zone("Europe/Amsterdam")
    freezer.move_to("2026-05-03T12:00:00Z")


async def shown(hass: HomeAssistant, since: str, until: str) -> list[Json]:
    """Return what the calendar shows."""
    answer = await hass.services.async_call(
        "calendar",
        "get_events",
        {"entity_id": PLAN, "start_date_time": since, "end_date_time": until},
        blocking=True,
        return_response=True,
    )
    assert answer is not None
    calendar: Any = answer[PLAN]
    events: list[Json] = calendar["events"]
    return events


class Panel:
    """The calendar's panel in a browser."""

    def __init__(self, hass: HomeAssistant, connect: WebSocketGenerator) -> None:
        """Take what connects to a Home Assistant."""
        self._hass = hass
        self._connect = connect

    async def ask(self, command: str, **given: Any) -> Json:  # noqa: ANN401  # JSON
        """Ask for a change; the answer."""
        client = await self._connect(self._hass)
        await client.send_json_auto_id({"type": f"calendar/event/{command}", "entity_id": PLAN, **given})
        answer: Json = await client.receive_json()
        return answer

    async def refused(self, command: str, **given: Any) -> str:  # noqa: ANN401  # JSON
        """Ask for a change that is refused; what is said then."""
        answer = await self.ask(command, **given)
        assert not answer["success"]
        message: str = answer["error"]["message"]
        return message


@pytest.fixture
def panel(hass: HomeAssistant, hass_ws_client: WebSocketGenerator) -> Panel:
    return Panel(hass, hass_ws_client)


async def test_the_next_run_is_the_state(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_schedule(name="Mornings")
    await until(hass, lambda: (s := hass.states.get(PLAN)) is not None and s.attributes.get("message") == "Mornings")
    state = hass.states.get(PLAN)
    assert state is not None
    assert (state.state, state.attributes["start_time"]) == ("off", "2026-05-04 09:00:00")
    await gateway.put_schedule(
        last_run=documents.run(
            outcome="started",
            reason=None,
            occurrence_at="2026-05-03T11:00:00Z",
            window_ends_at="2026-05-03T13:00:00Z",
        )
    )
    await until_state(hass, PLAN, "on")
    await gateway.remove_schedule()
    await until(hass, lambda: (s := hass.states.get(PLAN)) is not None and "message" not in s.attributes)
    assert state_of(hass, PLAN) == "off"


async def test_what_is_to_come_is_shown_without_what_is_skipped(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_schedule(skips=["2026-05-06"])
    await gateway.put_schedule("off", name="Off", enabled=False, next_run_at=None)
    await until_state(hass, "switch.off_enabled", "off")
    events = await shown(hass, "2026-05-03 00:00:00", "2026-05-12 00:00:00")
    assert [(event["start"], event["end"], event["summary"]) for event in events] == [
        ("2026-05-04T09:00:00+02:00", "2026-05-04T11:00:00+02:00", "Weekday mornings"),
        ("2026-05-08T09:00:00+02:00", "2026-05-08T11:00:00+02:00", "Weekday mornings"),
        ("2026-05-11T09:00:00+02:00", "2026-05-11T11:00:00+02:00", "Weekday mornings"),
    ]


async def test_rain_makes_a_run_tentative(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    async def statuses() -> dict[str, str]:
        entity = hass.data["calendar"].get_entity(PLAN)
        span = (datetime.fromisoformat(f"2026-05-0{day}T00:00:00+02:00") for day in (4, 9))
        return {str(each.recurrence_id): str(each.status) for each in await entity.async_get_events(hass, *span)}

    assert await statuses() == {
        MONDAYS_RUN: "tentative",
        WEDNESDAYS_RUN: "confirmed",
        "20260508T090000": "confirmed",
    }
    gateway.preview = None
    assert set((await statuses()).values()) == {"confirmed"}


async def test_what_is_past_is_shown_as_it_was(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.runs_per_page = 1
    gateway.runs = [
        documents.run(id="now", run_now=True, outcome="started", reason=None, occurrence_at="2026-05-02T12:34:56Z")
        | {"ended_at": "2026-05-02T13:00:00Z", "window_ends_at": "2026-05-02T14:34:56Z"},
        documents.run(id="deleted", schedule_id="gone"),
        documents.run(),
        documents.run(id="old", occurrence_at="2026-03-01T07:00:00Z", window_ends_at="2026-03-01T09:00:00Z"),
        documents.run(id="never looked at", occurrence_at="2026-02-01T07:00:00Z"),
    ]
    events = await shown(hass, "2026-04-20 00:00:00", "2026-05-04 00:00:00")
    assert [(event["start"], event["summary"], event["description"]) for event in events] == [
        ("2026-05-01T09:00:00+02:00", "Skipped: rain (gone)", "Skipped: rain (Rain expected)"),
        ("2026-05-01T09:00:00+02:00", "Weekday mornings", "Skipped: rain (Rain expected)"),
        ("2026-05-02T14:34:56+02:00", "Weekday mornings", "Started"),
    ]
    assert events[2]["end"] == "2026-05-02T15:00:00+02:00"


async def test_a_run_and_its_occurrence_are_one_entry(
    hass: HomeAssistant, gateway: EmulatedGateway, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to("2026-05-04T07:00:05Z")
    gateway.runs = [
        documents.run(occurrence_at="2026-05-04T07:00:00Z", window_ends_at="2026-05-04T09:00:00Z", outcome=None)
    ]
    events = await shown(hass, "2026-05-04 00:00:00", "2026-05-05 00:00:00")
    assert len(events) == 1


async def test_an_entry_becomes_a_schedule(hass: HomeAssistant, gateway: EmulatedGateway, panel: Panel) -> None:
    assert (await panel.ask("create", event=SATURDAY | {"rrule": "FREQ=WEEKLY;BYDAY=SA,SU;COUNT=3"}))["success"]
    request = await gateway.wait_for_request("POST", "schedules")
    assert request.body == {
        "name": "Saturday",
        "target": {"mower_id": documents.MOWER_ID},
        "recurrence": {"kind": "weekly", "days": ["sat", "sun"], "at": "10:00"},
        "duration_minutes": 90,
        "enabled": True,
        "starts_on": "2026-05-09",
        "ends_on": "2026-05-16",
    }
    assert request.headers["X-MowDeck-Origin"] == "calendar"
    await until_state(hass, "switch.saturday_enabled", "on")


async def test_an_action_makes_a_schedule_too(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await hass.services.async_call(
        "calendar",
        "create_event",
        {
            "entity_id": PLAN,
            "summary": "Once",
            "start_date_time": "2026-05-09T10:00:00+02:00",
            "end_date_time": "2026-05-09T11:00:00+02:00",
        },
        blocking=True,
    )
    request = await gateway.wait_for_request("POST", "schedules")
    assert request.body["recurrence"] == {"kind": "once", "day": "2026-05-09", "at": "10:00"}
    assert "starts_on" not in request.body


async def test_what_no_schedule_can_be_is_refused_with_the_reason(gateway: EmulatedGateway, panel: Panel) -> None:
    message = await panel.refused("create", event=SATURDAY | {"rrule": "FREQ=MONTHLY"})
    assert "cannot follow this rule" in message
    all_day = {"dtstart": "2026-05-09", "dtend": "2026-05-10", "summary": "All day"}
    assert "all-day" in await panel.refused("create", event=all_day)
    assert gateway.requests == []


async def test_one_occurrence_is_left_out(gateway: EmulatedGateway, panel: Panel) -> None:
    await panel.ask("delete", uid=documents.SCHEDULE_ID, recurrence_id=WEDNESDAYS_RUN)
    request = await gateway.wait_for_request("POST", f"{SCHEDULE}/skip-next")
    assert request.body == {"occurrence": "2026-05-06T07:00:00+00:00"}


async def test_the_rest_is_deleted(gateway: EmulatedGateway, panel: Panel) -> None:
    rest = {"uid": documents.SCHEDULE_ID, "recurrence_range": "THISANDFUTURE"}
    await panel.ask("delete", **rest, recurrence_id=WEDNESDAYS_RUN)
    assert (await gateway.wait_for_request("PATCH", SCHEDULE)).body == {"ends_on": "2026-05-05"}
    await panel.ask("delete", **rest, recurrence_id=MONDAYS_RUN)
    assert gateway.find("DELETE", SCHEDULE) is not None


async def test_all_of_it_is_deleted(hass: HomeAssistant, gateway: EmulatedGateway, panel: Panel) -> None:
    await panel.ask("delete", uid=documents.SCHEDULE_ID)
    assert gateway.find("DELETE", SCHEDULE) is not None
    await until_state(hass, "switch.weekday_mornings_enabled", None)


@pytest.mark.parametrize("named", ["20260501T090000", "20260505T090000", "soon"])
async def test_what_is_past_or_was_never_due_is_not_changed(gateway: EmulatedGateway, panel: Panel, named: str) -> None:
    for command, given in (("delete", {}), ("update", {"event": SATURDAY})):
        message = await panel.refused(command, uid=documents.SCHEDULE_ID, recurrence_id=named, **given)
        assert "past or has begun" in message
    assert "past or has begun" in await panel.refused("delete", uid="a run of the past")
    assert gateway.requests == []


async def test_a_schedule_of_a_group_is_not_changed_here(
    hass: HomeAssistant, gateway: EmulatedGateway, panel: Panel
) -> None:
    await gateway.put_schedule("of-a-group", name="All", target={"group_id": "all"})
    await until_state(hass, "switch.all_enabled", "on")
    assert "group" in await panel.refused("delete", uid="of-a-group")


async def test_all_of_it_is_changed(gateway: EmulatedGateway, panel: Panel) -> None:
    await gateway.put_schedule(starts_on="2026-05-10")
    event = SATURDAY | {"rrule": "FREQ=DAILY;INTERVAL=2"}
    assert (await panel.ask("update", uid=documents.SCHEDULE_ID, event=event))["success"]
    assert (await gateway.wait_for_request("PATCH", SCHEDULE)).body == {
        "name": "Saturday",
        "recurrence": {"kind": "every_n_days", "interval": 2, "anchor": "2026-05-09", "at": "10:00"},
        "duration_minutes": 90,
        "ends_on": None,
        "starts_on": "2026-05-09",
    }


async def test_one_occurrence_is_changed(gateway: EmulatedGateway, panel: Panel) -> None:
    await gateway.put_schedule(area_ids=["front"])
    answer = await panel.ask("update", uid=documents.SCHEDULE_ID, recurrence_id=MONDAYS_RUN, event=SATURDAY)
    assert answer["success"]
    assert gateway.find("POST", f"{SCHEDULE}/skip-next") is not None
    body = (await gateway.wait_for_request("POST", "schedules")).body
    assert body["recurrence"] == {"kind": "once", "day": "2026-05-09", "at": "10:00"}
    assert body["area_ids"] == ["front"]


async def test_an_occurrence_that_could_not_be_made_anew_is_not_left_out(
    gateway: EmulatedGateway, panel: Panel
) -> None:
    gateway.refuse_path = ("POST", "schedules")
    await panel.refused("update", uid=documents.SCHEDULE_ID, recurrence_id=MONDAYS_RUN, event=SATURDAY)
    assert gateway.schedules[documents.SCHEDULE_ID]["next_run_skipped"] is False
    assert gateway.find("DELETE", f"{SCHEDULE}/skip-next") is not None


async def test_the_rest_is_changed(gateway: EmulatedGateway, panel: Panel) -> None:
    rest = {"uid": documents.SCHEDULE_ID, "recurrence_range": "THISANDFUTURE"}
    event = SATURDAY | {"rrule": "FREQ=WEEKLY"}
    assert (await panel.ask("update", **rest, recurrence_id=WEDNESDAYS_RUN, event=event))["success"]
    assert (await gateway.wait_for_request("PATCH", SCHEDULE)).body == {"ends_on": "2026-05-05"}
    body = (await gateway.wait_for_request("POST", "schedules")).body
    assert (body["recurrence"]["days"], body["starts_on"]) == (["sat"], "2026-05-09")
    await panel.ask("update", **rest, recurrence_id=MONDAYS_RUN, event=event)
    assert (await gateway.wait_for_request("PATCH", SCHEDULE)).body["name"] == "Saturday"
