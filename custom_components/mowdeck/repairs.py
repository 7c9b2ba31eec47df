"""Repairs that can be carried out here: a mower with two owners is handed over, a login or bridge is given anew."""

from typing import Any

import probatio
from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.components.repairs.const import FlowType
from homeassistant.config_entries import SOURCE_RECONFIGURE, ConfigEntryDisabler, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.selector import BooleanSelector

from .coexistence import shared_mowers
from .const import DOMAIN
from .hub import MowDeckConfigEntry
from .left_schedules import LeftSchedules
from .mirrors import Kind
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


class GivenAnew(RepairsFlow):
    """Leads to where the password of a login, or the address and key of a bridge, are entered.

    The repair stays until the gateway says that it is over.
    """

    def __init__(self, entry_id: str, kind: Kind, subject_id: str) -> None:
        """Take the entry and what is given anew."""
        self._entry_id = entry_id
        self._kind = kind
        self._subject_id = subject_id

    async def async_step_init(self, _user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Begin."""
        return await self.async_step_confirm()

    async def async_step_confirm(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Say what is wrong, then go there."""
        if user_input is None:
            issue = ir.async_get(self.hass).async_get_issue(DOMAIN, self.issue_id)
            return self.async_show_form(
                step_id="confirm",
                data_schema=probatio.Schema({}),
                description_placeholders=None if issue is None else issue.translation_placeholders,
            )
        entry: MowDeckConfigEntry | None = self.hass.config_entries.async_get_entry(self._entry_id)
        if entry is None or entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="not_ready")
        mirror = entry.runtime_data.mirrors.find(self._kind, self._subject_id)
        if mirror is None:
            return self.async_abort(reason="not_ready")
        flow = await self.hass.config_entries.subentries.async_init(
            (entry.entry_id, self._kind),
            context={"source": SOURCE_RECONFIGURE, "subentry_id": mirror.subentry_id},
        )
        if flow["type"] is FlowResultType.ABORT:
            return self.async_abort(reason="not_ready")
        return self.async_abort(reason="go_on", next_flow=(FlowType.CONFIG_SUBENTRIES_FLOW, flow["flow_id"]))


async def async_create_fix_flow(
    _hass: HomeAssistant, _issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return what carries a repair out."""
    data = data or {}
    if "left_schedules" in data:
        return LeftSchedules(data)
    if "kind" in data:
        return GivenAnew(str(data["entry_id"]), Kind(str(data["kind"])), str(data["subject_id"]))
    return TwoOwners(str(data.get("entry_id")), str(data.get("other_entry_id")))
