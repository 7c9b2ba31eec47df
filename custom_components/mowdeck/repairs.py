"""Repairs that can be carried out here: a mower with two owners is handed over."""

from typing import Any

import probatio
from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntryDisabler, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import BooleanSelector

from .coexistence import shared_mowers
from .hub import MowDeckConfigEntry
from .takeover import take_over

TAKE_OVER = "take_over"


class TwoOwners(RepairsFlow):
    """Switches the other integration off, and takes over what it was called."""

    def __init__(self, entry_id: str, other_entry_id: str) -> None:
        """Take our entry and the other integration's."""
        self._entry_id = entry_id
        self._other_entry_id = other_entry_id

    async def async_step_init(self, _user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Begin."""
        return await self.async_step_confirm()

    async def async_step_confirm(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Ask, then do it."""
        if user_input is None:
            return self.async_show_form(
                step_id="confirm",
                data_schema=probatio.Schema({probatio.Required(TAKE_OVER, default=True): BooleanSelector()}),
            )
        entry: MowDeckConfigEntry | None = self.hass.config_entries.async_get_entry(self._entry_id)
        other = self.hass.config_entries.async_get_entry(self._other_entry_id)
        if entry is None or other is None or entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="not_ready")
        hub = entry.runtime_data
        shared = shared_mowers(self.hass, hub, other)
        await self.hass.config_entries.async_set_disabled_by(other.entry_id, ConfigEntryDisabler.USER)
        if user_input[TAKE_OVER]:
            for mower_id, device in shared.items():
                take_over(self.hass, hub.devices, mower_id, device)
        return self.async_create_entry(data={})


async def async_create_fix_flow(
    _hass: HomeAssistant, _issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return what carries a repair out."""
    data = data or {}
    return TwoOwners(str(data.get("entry_id")), str(data.get("other_entry_id")))
