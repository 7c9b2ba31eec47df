"""The events of a mower: each piece of news of a run once, and its notices."""

from typing import Any

import pytest
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback

from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until

pytestmark = pytest.mark.usefixtures("loaded")

RUN = "event.front_lawn_run"
NOTICES = "event.front_lawn_notices"


def fired(hass: HomeAssistant, entity_id: str) -> list[dict[str, Any]]:
    """Return what an event entity shows from now on."""
    shown: list[dict[str, Any]] = []

    @callback
    def note(event: Event[EventStateChangedData]) -> None:
        state = event.data["new_state"]
        if state is not None and state.entity_id == entity_id:
            shown.append(dict(state.attributes))

    hass.bus.async_listen("state_changed", note)
    return shown


def notice(code: str, phase: str = "began", **values: Any) -> Json:  # noqa: ANN401  # JSON
    """Return an event of the notifications."""
    return event(
        "notifications.event",
        finding_id="finding-1",
        mower_id=documents.MOWER_ID,
        code=code,
        severity="warning",
        phase=phase,
        values=values,
    )


def event(event_type: str, **payload: Any) -> Json:  # noqa: ANN401  # JSON
    """Return an event as the stream tells it."""
    return {"type": event_type, "occurred_at": "2026-05-01T07:00:00Z", "subject_id": "x", "payload": payload}


async def test_each_piece_of_news_of_a_run_is_told_once(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    shown = fired(hass, RUN)
    started: Json = {"outcome": "started", "reason": None, "final": False, "numbers": {"hours": 3}}
    await gateway.events.tell(run=documents.run(outcome=None, revision=1))
    await gateway.events.tell(run=documents.run(**started, revision=2))
    await gateway.events.tell(run=documents.run(**started, revision=3, confirmed_at="2026-05-01T07:00:40Z"))
    ended = started | {"ended_at": "2026-05-01T08:30:00Z", "end_reason": "completed"}
    await gateway.events.tell(run=documents.run(**ended, revision=4))
    await gateway.events.tell(run=documents.run(id="run-2", outcome="skipped_rain"))
    await until(hass, lambda: len(shown) == 3)
    assert [each["event_type"] for each in shown] == ["started", "ended", "skipped_rain"]
    assert (shown[0]["schedule"], shown[0]["numbers"]) == ("Weekday mornings", {"hours": 3})
    assert shown[1]["end_reason"] == "completed"
    assert shown[2]["reason"] == "rain_expected"


async def test_a_run_of_another_mower_or_schedule_is_not_ours_or_has_no_name(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    shown = fired(hass, RUN)
    await gateway.events.tell(run=documents.run(mower_id="another"))
    await gateway.events.tell(run=documents.run(mower_id=None))
    await gateway.events.tell(run=documents.run(schedule_id="deleted"))
    await until(hass, lambda: len(shown) == 1)
    assert shown[0]["schedule"] is None


async def test_a_run_from_before_home_assistant_started_is_no_news(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    before = documents.run(id="before", outcome="started", final=False)
    await gateway.put_schedule("second", name="Evenings", last_run=before)
    await gateway.put_mower("other", name="Back lawn")
    await until(hass, lambda: hass.states.get("event.back_lawn_run") is not None)
    # Setting it up again is what a start does.
    entry = hass.config_entries.async_entries("mowdeck")[0]
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    shown = fired(hass, RUN)
    await gateway.events.tell(run=before | {"revision": 3, "confirmed_at": "2026-05-01T07:00:40Z"})
    await gateway.events.tell(run=before | {"revision": 4, "ended_at": "2026-05-01T08:00:00Z"})
    await until(hass, lambda: len(shown) == 1)
    assert shown[0]["event_type"] == "ended"


async def test_what_goes_wrong_and_is_over_is_told(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    shown = fired(hass, NOTICES)
    await gateway.events.tell(event=notice("battery_low", battery_percent=12))
    await gateway.events.tell(event=notice("battery_low", "ended"))
    await gateway.events.tell(event=notice("abducted_by_aliens"))
    await gateway.events.tell(event=event("telemetry.zone.entered", mower_id=documents.MOWER_ID, name="Pond"))
    job = {"id": "job-1", "ending": "replaced"}
    await gateway.events.tell(event=event("telemetry.job.finished", mower_id=documents.MOWER_ID, job=job))
    await gateway.events.tell(event=event("scheduler.weather.changed", mower_id=documents.MOWER_ID))
    await gateway.events.tell(event={"type": "of tomorrow", "payload": None})
    await gateway.events.tell(run=documents.run())
    await until(hass, lambda: len(shown) == 5)
    assert [(each["event_type"], each["code"]) for each in shown] == [
        ("battery_low", "battery_low"),
        ("over", "battery_low"),
        ("other", "abducted_by_aliens"),
        ("zone_entered", "zone_entered"),
        ("job_finished", "job_finished"),
    ]
    assert shown[0]["values"] == {"battery_percent": 12}
    assert (shown[3]["values"], shown[3]["ending"]) == ({"name": "Pond"}, None)
    assert (shown[4]["values"], shown[4]["ending"]) == ({"job": job}, "replaced")
