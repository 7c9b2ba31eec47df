"""A Bluetooth bridge: added from what the gateway sees in its network or by address, and given a new address or key."""

from collections.abc import Mapping
from typing import Any

import probatio
from homeassistant.config_entries import SubentryFlowResult
from homeassistant.const import CONF_HOST, CONF_NAME, CONF_PORT
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)

from .client.bridge import FoundBridge
from .client.errors import ClientError
from .mirrors import CONF_ID
from .subentry_flow import NOT_CONNECTED, GatewaySubentryFlow

CONF_BRIDGE = "bridge"
CONF_KEY = "key"
CONF_REPLACED = "replaced"

BY_ADDRESS = "by_address"
"""The choice of a bridge that is not in the list."""

DEFAULT_PORT = 6053

KEY = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))

FOUND_SCHEMA = probatio.Schema(
    {probatio.Optional(CONF_NAME): TextSelector(), probatio.Optional(probatio.Secret(CONF_KEY)): KEY}
)
ADDRESS_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_HOST): TextSelector(),
        probatio.Required(CONF_PORT, default=DEFAULT_PORT): cv.port,
        probatio.Optional(CONF_NAME): TextSelector(),
        probatio.Optional(probatio.Secret(CONF_KEY)): KEY,
    }
)
CHANGE_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_NAME): TextSelector(),
        probatio.Required(CONF_HOST): TextSelector(),
        probatio.Required(CONF_PORT, default=DEFAULT_PORT): cv.port,
        probatio.Optional(probatio.Secret(CONF_KEY)): KEY,
        probatio.Required(CONF_REPLACED, default=False): BooleanSelector(),
    }
)


class BridgeFlow(GatewaySubentryFlow):
    """Asks which bridge, and for its key where it has one."""

    known_codes = frozenset(
        {
            "bridge_exists",
            "bridge_key_broken",
            "bridge_key_needed",
            "bridge_key_wrong",
            "bridge_not_encrypted",
            "bridge_unreachable",
            "bridge_wrong_device",
        }
    )

    _chosen: FoundBridge

    def __init__(self) -> None:
        """Start with nothing found."""
        self._found: dict[str, FoundBridge] = {}

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Take one of those that the gateway sees; where it sees none, go on with an address."""
        hub = self._hub
        if hub is None:
            return self.async_abort(reason=NOT_CONNECTED)
        if user_input is not None:
            if user_input[CONF_BRIDGE] == BY_ADDRESS:
                return await self.async_step_address()
            self._chosen = self._found[user_input[CONF_BRIDGE]]
            return await self.async_step_found()
        try:
            found = await hub.client.get_found_bridges()
        except ClientError:
            # What it sees is only a help; an address will say what is wrong.
            found = ()
        self._found = {f"{bridge.host}:{bridge.port}": bridge for bridge in found if not bridge.added}
        if not self._found:
            return await self.async_step_address()
        options = [
            SelectOptionDict(value=address, label=f"{bridge.name} ({bridge.host})")
            for address, bridge in self._found.items()
        ]
        choice = SelectSelector(
            SelectSelectorConfig(
                # The last one's text is in the translations.
                options=[*options, SelectOptionDict(value=BY_ADDRESS, label=BY_ADDRESS)],
                mode=SelectSelectorMode.LIST,
                translation_key=CONF_BRIDGE,
            )
        )
        return self.async_show_form(
            step_id="user", data_schema=probatio.Schema({probatio.Required(CONF_BRIDGE): choice})
        )

    async def async_step_found(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Add the one that was chosen; without a key it is given one."""
        chosen = self._chosen
        errors: dict[str, str] = {}
        if user_input is not None:
            result, errors = await self._add({CONF_HOST: chosen.host, CONF_PORT: chosen.port, **user_input}, user_input)
            if result is not None:
                return result
        return self.async_show_form(
            step_id="found",
            data_schema=self.add_suggested_values_to_schema(FOUND_SCHEMA, _without_key(user_input)),
            description_placeholders=self._placeholders
            | {
                "name": chosen.name,
                "host": chosen.host,
                "mac": chosen.mac or "?",
                "version": chosen.esphome_version or "?",
            },
            errors=errors,
        )

    async def async_step_address(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Add a bridge by its address."""
        errors: dict[str, str] = {}
        if user_input is not None:
            result, errors = await self._add(user_input, user_input)
            if result is not None:
                return result
        return self.async_show_form(
            step_id="address",
            data_schema=self.add_suggested_values_to_schema(ADDRESS_SCHEMA, _without_key(user_input)),
            description_placeholders=self._placeholders,
            errors=errors,
        )

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Give a bridge another name, address or key, or take another board for it."""
        hub = self._hub
        bridge = None if hub is None else hub.bridges.views.get(self._subject_id)
        if hub is None or bridge is None:
            return self.async_abort(reason=NOT_CONNECTED)
        errors: dict[str, str] = {}
        if user_input is not None:
            changes = _cleaned(user_input)
            if changes.pop(CONF_REPLACED):
                changes["expected_mac"] = None
            try:
                changed = await hub.client.update_bridge(bridge.id, changes)
            except ClientError as error:
                errors = await self._errors_of(error, {*user_input, CONF_KEY})
            else:
                return self.async_update_and_abort(
                    self._get_entry(), self._get_reconfigure_subentry(), title=changed.name
                )
        known = {CONF_NAME: bridge.name, CONF_HOST: bridge.host, CONF_PORT: bridge.port}
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=self.add_suggested_values_to_schema(CHANGE_SCHEMA, _without_key(user_input) or known),
            description_placeholders=self._placeholders | {"name": bridge.name, "mac": bridge.expected_mac or "?"},
            errors=errors,
        )

    async def _add(
        self, fields: Mapping[str, Any], shown: Mapping[str, Any]
    ) -> tuple[SubentryFlowResult | None, dict[str, str]]:
        """Hand a bridge to the gateway; the end of the flow, or the errors to show in a form with these fields."""
        hub = self._hub
        if hub is None:
            return self.async_abort(reason=NOT_CONNECTED), {}
        # No mirror is made of it meanwhile: this flow makes it.
        async with hub.mirrors.turn:
            try:
                bridge = await hub.client.create_bridge(_cleaned(fields))
            except ClientError as error:
                return None, await self._errors_of(error, {*shown, CONF_KEY, CONF_NAME})
            return self.async_create_entry(title=bridge.name, data={CONF_ID: bridge.id}, unique_id=bridge.id), {}


def _cleaned(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was entered without the blanks that come along when something is copied; empty is not entered."""
    cleaned = {name: value.strip() if isinstance(value, str) else value for name, value in fields.items()}
    return {name: value for name, value in cleaned.items() if value != ""}


def _without_key(user_input: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what the form shows again: keys are not sent back."""
    return {name: value for name, value in (user_input or {}).items() if name != CONF_KEY}
