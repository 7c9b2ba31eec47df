"""What the logbook tells of runs."""

from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers.translation import async_load_integrations

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from custom_components.mowdeck.logbook import async_describe_events
from custom_components.mowdeck.run_log import EVENT_RUN
from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until


@pytest.fixture
def told(hass: HomeAssistant) -> list[dict[str, Any]]:
    """Return what the logbook tells from now on."""
    describe: dict[str, Callable[[Event], dict[str, Any]]] = {}

    @callback
    def register(domain: str, event_type: str, describing: Callable[[Event], dict[str, Any]]) -> None:
        assert domain == DOMAIN
        describe[event_type] = describing

    async_describe_events(hass, register)
    entries: list[dict[str, Any]] = []

    @callback
    def note(event: Event) -> None:
        entries.append(describe[EVENT_RUN](event))

    hass.bus.async_listen(EVENT_RUN, note)
    return entries


async def test_each_piece_of_news_is_told_once_in_the_language_of_the_house(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry, told: list[dict[str, Any]]
) -> None:
    # The one that was there before is no news after a start.
    await gateway.put_schedule(last_run=documents.run(id="before"))
    assert await hass.config_entries.async_reload(loaded.entry_id)
    started: Json = {"outcome": "started", "reason": None, "final": False}
    ended = started | {"ended_at": "2026-05-01T08:30:00Z", "end_reason": "completed"}
    for run in (
        documents.run(id="before", revision=3),
        documents.run(mower_id=None),
        documents.run(**started),
        documents.run(**started, confirmed_at="2026-05-01T07:00:40Z", revision=3),
        documents.run(**ended, revision=4),
        documents.run(id="run-2"),
        documents.run(id="run-3", outcome="failed", reason="of_tomorrow", schedule_id="deleted"),
    ):
        await gateway.events.tell(run=run)
    await until(hass, lambda: len(told) == 4)
    assert told[0] == {
        "name": "Front lawn",
        "message": "was started for Weekday mornings",
        "entity_id": "lawn_mower.front_lawn",
    }
    assert [each["message"] for each in told[1:]] == [
        "finished Weekday mornings: Completed",
        "left Weekday mornings out: Rain expected",
        "could not be started for deleted: of_tomorrow",
    ]
    hass.config.language = "de"
    await async_load_integrations(hass, {DOMAIN})
    await gateway.events.tell(run=documents.run(id="run-4", mower_id="unheard-of"))
    await until(hass, lambda: len(told) == 5)
    assert told[4] == {
        "name": "MowDeck",
        "message": "hat Weekday mornings ausgelassen: Regen erwartet",
        "entity_id": None,
    }
