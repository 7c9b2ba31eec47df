"""Conditions: whether a mower is held back, and whether one will still be sent out today."""

from collections.abc import Mapping
from datetime import datetime
from typing import override

import probatio
from homeassistant.components.calendar.const import CalendarEntityStateAttribute
from homeassistant.const import CONF_OPTIONS, CONF_TARGET, STATE_ON, STATE_UNAVAILABLE, Platform
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.automation import DomainSpec
from homeassistant.helpers.condition import (
    ATTR_BEHAVIOR,
    BEHAVIOR_ALL,
    BEHAVIOR_ANY,
    Condition,
    EntityConditionBase,
    EntityStateConditionBase,
)
from homeassistant.util import dt as dt_util

from .own_entities import own_entities

DUE_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_TARGET): cv.TARGET_FIELDS,
        probatio.Required(CONF_OPTIONS, default={}): {
            probatio.Required(ATTR_BEHAVIOR, default=BEHAVIOR_ANY): probatio.In([BEHAVIOR_ANY, BEHAVIOR_ALL]),
        },
    }
)


class IsRainHoldOn(EntityStateConditionBase):
    """A mower is held back."""

    _domain_specs: Mapping[str, DomainSpec] = {Platform.BINARY_SENSOR: DomainSpec()}
    _states: set[str | bool] = {STATE_ON}  # noqa: RUF012  # as the base class has it

    @override
    def entity_filter(self, entities: set[str]) -> set[str]:
        """Take only what says so."""
        return own_entities(self._hass, super().entity_filter(entities), {(Platform.BINARY_SENSOR, "rain_hold")})


class IsRunDueToday(EntityConditionBase):
    """A plan will send a mower out before the day ends here.

    A schedule says so by its next run, a mower by its calendar.
    """

    _domain_specs: Mapping[str, DomainSpec] = {Platform.SENSOR: DomainSpec(), Platform.CALENDAR: DomainSpec()}
    _schema = DUE_SCHEMA

    @property
    @override
    def needs_polling(self) -> bool:
        """It changes at midnight without anything being told."""
        return True

    @override
    def entity_filter(self, entities: set[str]) -> set[str]:
        """Take only what says when the next run is."""
        kinds = {(Platform.SENSOR, "next_run"), (Platform.CALENDAR, "plan")}
        return own_entities(self._hass, super().entity_filter(entities), kinds)

    @override
    def _should_include(self, _state: State) -> bool:
        """Take part also with no next run, which is known as unknown."""
        return _state.state != STATE_UNAVAILABLE

    @override
    def is_valid_state(self, entity_state: State) -> bool:
        """Tell whether the next run begins today."""
        start = _start_of(entity_state)
        return start is not None and dt_util.as_local(start).date() == dt_util.now().date()


def _start_of(state: State) -> datetime | None:
    if state.domain == Platform.CALENDAR:
        # In Home Assistant's own zone, without an offset.
        text = state.attributes.get(CalendarEntityStateAttribute.START_TIME)
        found = None if text is None else dt_util.parse_datetime(text)
        return None if found is None else found.replace(tzinfo=dt_util.get_default_time_zone())
    return dt_util.parse_datetime(state.state)


CONDITIONS: dict[str, type[Condition]] = {
    "is_rain_hold_on": IsRainHoldOn,
    "is_run_due_today": IsRunDueToday,
}


async def async_get_conditions(_hass: HomeAssistant) -> dict[str, type[Condition]]:
    """Return the conditions."""
    return CONDITIONS
