"""Triggers: what a plan did, and when rain holds a mower back, named as people name it."""

from collections.abc import Mapping
from typing import ClassVar, override

from homeassistant.components.event import EventEntityStateAttribute
from homeassistant.const import STATE_OFF, STATE_ON, Platform
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.automation import DomainSpec
from homeassistant.helpers.trigger import (
    EntityTargetStateTriggerBase,
    NotTriggeredReasonReporter,
    StatelessEntityTriggerBase,
    Trigger,
)

from .client.run import RunOutcome
from .own_entities import own_entities

SKIPPED = frozenset(outcome.value for outcome in RunOutcome if outcome.name.startswith("SKIPPED_"))


class RunTrigger(StatelessEntityTriggerBase):
    """Fires when the event of a mower's runs tells one of some outcomes."""

    _domain_specs: Mapping[str, DomainSpec] = {Platform.EVENT: DomainSpec()}
    _event_types: ClassVar[frozenset[str]]

    @override
    def entity_filter(self, entities: set[str]) -> set[str]:
        """Take only the events of runs."""
        return own_entities(self._hass, super().entity_filter(entities), {(Platform.EVENT, "run")})

    @override
    def is_valid_state(self, state: State, report_not_triggered: NotTriggeredReasonReporter) -> bool:
        """Tell whether the event is one of those that are waited for."""
        return state.attributes.get(EventEntityStateAttribute.EVENT_TYPE) in self._event_types


class RunStarted(RunTrigger):
    """A plan started a mower."""

    _event_types = frozenset({RunOutcome.STARTED.value})


class RunSkipped(RunTrigger):
    """A plan left a run out, for whatever reason."""

    _event_types = SKIPPED


class RunFailed(RunTrigger):
    """A plan wanted to start a mower, and could not."""

    _event_types = frozenset({RunOutcome.FAILED.value})


class StateTrigger(EntityTargetStateTriggerBase):
    """Fires when an entity of one kind gets a state; one that only comes back with it is no news."""

    _kind: ClassVar[tuple[str, str]]

    @override
    def entity_filter(self, entities: set[str]) -> set[str]:
        """Take only the entities of this kind."""
        return own_entities(self._hass, super().entity_filter(entities), {self._kind})


class ScheduleDisabled(StateTrigger):
    """A schedule was disabled, by a person or by the gateway."""

    _domain_specs: Mapping[str, DomainSpec] = {Platform.SWITCH: DomainSpec()}
    _to_states: set[str] = {STATE_OFF}  # noqa: RUF012  # as the base class has it
    _kind = (Platform.SWITCH, "enabled")


class RainHoldTrigger(StateTrigger):
    """Something about a mower being held back changed."""

    _domain_specs: Mapping[str, DomainSpec] = {Platform.BINARY_SENSOR: DomainSpec()}
    _kind = (Platform.BINARY_SENSOR, "rain_hold")


class RainHoldBegan(RainHoldTrigger):
    """A mower is held back from now on."""

    _to_states: set[str] = {STATE_ON}  # noqa: RUF012  # as the base class has it


class RainHoldEnded(RainHoldTrigger):
    """A mower is not held back any more."""

    _to_states: set[str] = {STATE_OFF}  # noqa: RUF012  # as the base class has it


TRIGGERS: dict[str, type[Trigger]] = {
    "rain_hold_began": RainHoldBegan,
    "rain_hold_ended": RainHoldEnded,
    "run_failed": RunFailed,
    "run_skipped": RunSkipped,
    "run_started": RunStarted,
    "schedule_disabled": ScheduleDisabled,
}


async def async_get_triggers(_hass: HomeAssistant) -> dict[str, type[Trigger]]:
    """Return the triggers."""
    return TRIGGERS
