"""Schedules of somebody who is gone: a repair that gives them to the owner of the house, or disables them."""

from collections.abc import Mapping
from typing import Any

from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .client.caller import Caller, Origin
from .client.errors import ClientError
from .client.finding import Finding
from .const import DOMAIN
from .happenings import GRANTS_CHANGED, Happening
from .hub import MowDeckConfigEntry
from .told_errors import said

OWNER_GONE = "owner_gone"
SEPARATOR = " "
"""Between the ids of schedules, which have none."""


@callback
def show_left_schedules(hass: HomeAssistant, entry: MowDeckConfigEntry, issue_id: str, finding: Finding) -> None:
    """Show the repair."""
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id,
        data={
            "entry_id": entry.entry_id,
            "left_schedules": SEPARATOR.join(schedule.id for schedule in finding.schedules),
            "person": finding.person or "",
            "schedules": _named(finding),
        },
        is_fixable=True,
        severity=ir.IssueSeverity.WARNING,
        translation_key=f"finding_{OWNER_GONE}",
        translation_placeholders={"person": finding.person or "", "schedules": _named(finding)},
    )


@callback
def tells_of_people(happening: Happening) -> bool:
    """Tell whether somebody came or went."""
    return isinstance(happening, Mapping) and happening.get("type") == GRANTS_CHANGED


class LeftSchedules(RepairsFlow):
    """Asks what is to become of them, and does it in the name of the owner of the house."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Take what the repair is about."""
        self._entry_id = str(data["entry_id"])
        self._schedule_ids = str(data["left_schedules"]).split(SEPARATOR)
        self._placeholders = {"person": str(data["person"]), "schedules": str(data["schedules"])}

    async def async_step_init(self, _user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Ask."""
        return self.async_show_menu(
            step_id="init", menu_options=["reassign", "disable"], description_placeholders=self._placeholders
        )

    async def async_step_reassign(self, _user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Give them to the owner of the house: whoever saves a schedule that was left has it."""
        return await self._save(enabled=True)

    async def async_step_disable(self, _user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Disable them."""
        return await self._save(enabled=False)

    async def _save(self, *, enabled: bool) -> RepairsFlowResult:
        entry: MowDeckConfigEntry | None = self.hass.config_entries.async_get_entry(self._entry_id)
        if entry is None or entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="not_ready")
        hub = entry.runtime_data
        for schedule_id in self._schedule_ids:
            if schedule_id not in hub.schedules.views:
                continue
            try:
                schedule = await hub.client.update_schedule(
                    schedule_id, {"enabled": enabled}, caller=Caller(origin=Origin.DASHBOARD)
                )
            except ClientError as error:
                return self.async_abort(
                    reason="failed", description_placeholders={"detail": await said(self.hass, error)}
                )
            hub.put_answered(schedule)
        return self.async_create_entry(data={})


def _named(finding: Finding) -> str:
    return ", ".join(schedule.name for schedule in finding.schedules)
