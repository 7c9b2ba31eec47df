"""How the logbook tells of runs, in the language of the house."""

from collections.abc import Callable, Mapping
from typing import Any

from homeassistant.components.logbook.const import (
    LOGBOOK_ENTRY_ENTITY_ID,
    LOGBOOK_ENTRY_MESSAGE,
    LOGBOOK_ENTRY_NAME,
)
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers.translation import async_get_cached_translations

from .const import DOMAIN, MANUFACTURER
from .run_log import EVENT_RUN
from .told_runs import ENDED
from .trigger import SKIPPED

COMMON = f"component.{DOMAIN}.common.logbook_"
REASONS = f"component.{DOMAIN}.entity.sensor.last_outcome.state_attributes.reason.state."
END_REASONS = f"component.{DOMAIN}.entity.sensor.last_run.state_attributes.end_reason.state."


@callback
def async_describe_events(
    hass: HomeAssistant,
    async_describe_event: Callable[[str, str, Callable[[Event], dict[str, Any]]], None],
) -> None:
    """Register how runs are told of."""

    @callback
    def describe(event: Event) -> dict[str, Any]:
        return {
            LOGBOOK_ENTRY_NAME: event.data.get("mower") or MANUFACTURER,
            LOGBOOK_ENTRY_MESSAGE: message_of(event.data, _texts(hass)),
            LOGBOOK_ENTRY_ENTITY_ID: event.data.get(ATTR_ENTITY_ID),
        }

    async_describe_event(DOMAIN, EVENT_RUN, describe)


def message_of(run: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """Return the sentence of a run's news, which goes on after the mower's name."""
    what = run["what"]
    kind = "skipped" if what in SKIPPED else what
    code, words = (run["end_reason"], END_REASONS) if what == ENDED else (run["reason"], REASONS)
    sentence = texts.get(f"{COMMON}{kind}", what)
    told = sentence.format(schedule=run["schedule"] or run["schedule_id"])
    return told if code is None else f"{told}: {texts.get(f'{words}{code}', code)}"


def _texts(hass: HomeAssistant) -> dict[str, str]:
    language = hass.config.language
    return {
        path: text
        for category in ("common", "entity")
        for path, text in async_get_cached_translations(hass, language, category, DOMAIN).items()
    }
