"""A group of mowers that are planned together: made and changed."""

from typing import Any

import probatio
from homeassistant.config_entries import SubentryFlowResult
from homeassistant.const import CONF_NAME
from homeassistant.helpers.selector import (
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
)

from .client.errors import ClientError
from .hub import Hub
from .mirrors import CONF_ID
from .subentry_flow import NOT_CONNECTED, GatewaySubentryFlow

CONF_MOWERS = "mowers"
CONF_MAX_CONCURRENT = "max_concurrent"

MOST_MOWERS = 100

NAMES = {"mower_ids": CONF_MOWERS}
"""How the form calls fields of the API."""


class GroupFlow(GatewaySubentryFlow):
    """Asks for the name and the mowers of a group."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Make a group."""
        hub = self._hub
        if hub is None:
            return self.async_abort(reason=NOT_CONNECTED)
        if not hub.mowers.views:
            return self.async_abort(reason="no_mowers")
        errors: dict[str, str] = {}
        if user_input is not None:
            # No mirror is made of it meanwhile: this flow makes it.
            async with hub.mirrors.turn:
                try:
                    group = await hub.client.create_group(_fields(user_input))
                except ClientError as error:
                    errors = await self._errors_of(error, user_input, NAMES)
                else:
                    return self.async_create_entry(title=group.name, data={CONF_ID: group.id}, unique_id=group.id)
        return self.async_show_form(
            step_id="user",
            data_schema=self.add_suggested_values_to_schema(_schema(hub), user_input or {}),
            description_placeholders=self._placeholders,
            errors=errors,
        )

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Change a group."""
        hub = self._hub
        group = None if hub is None else hub.groups.views.get(self._subject_id)
        if hub is None or group is None:
            return self.async_abort(reason=NOT_CONNECTED)
        errors: dict[str, str] = {}
        if user_input is not None:
            try:
                changed = await hub.client.update_group(group.id, _fields(user_input))
            except ClientError as error:
                errors = await self._errors_of(error, user_input, NAMES)
            else:
                return self.async_update_and_abort(
                    self._get_entry(), self._get_reconfigure_subentry(), title=changed.name
                )
        known = {CONF_NAME: group.name, CONF_MOWERS: list(group.mower_ids), CONF_MAX_CONCURRENT: group.max_concurrent}
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=self.add_suggested_values_to_schema(_schema(hub), user_input or known),
            description_placeholders=self._placeholders | {"name": group.name},
            errors=errors,
        )


def _schema(hub: Hub) -> probatio.Schema:
    """Return the form with the mowers of today."""
    mowers = sorted(hub.mowers.views.values(), key=lambda mower: mower.name)
    options = [SelectOptionDict(value=mower.id, label=mower.name) for mower in mowers]
    return probatio.Schema(
        {
            probatio.Required(CONF_NAME): TextSelector(),
            probatio.Required(CONF_MOWERS): SelectSelector(
                SelectSelectorConfig(options=options, multiple=True, mode=SelectSelectorMode.LIST)
            ),
            probatio.Optional(CONF_MAX_CONCURRENT): NumberSelector(
                NumberSelectorConfig(min=1, max=MOST_MOWERS, step=1, mode=NumberSelectorMode.BOX)
            ),
        }
    )


def _fields(user_input: dict[str, Any]) -> dict[str, Any]:
    """Return what was entered as the API takes it."""
    at_a_time = user_input.get(CONF_MAX_CONCURRENT)
    return {
        "name": user_input[CONF_NAME].strip(),
        "mower_ids": user_input[CONF_MOWERS],
        "max_concurrent": None if at_a_time is None else int(at_a_time),
    }
