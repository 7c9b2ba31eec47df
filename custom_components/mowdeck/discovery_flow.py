"""Setting up a gateway that was found: told by the Supervisor with its token, or announced in the network without."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, override

import probatio
from homeassistant.config_entries import (
    SOURCE_REAUTH,
    SOURCE_USER,
    ConfigEntry,
    ConfigEntryState,
    ConfigFlow,
    ConfigFlowResult,
)
from homeassistant.const import CONF_HOST, CONF_PORT, CONF_TOKEN
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType
from homeassistant.helpers.service_info.hassio import HassioServiceInfo
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo

from .client.info import Info

AUTH_TOKEN = "auth_token"  # noqa: S105  # the name of a field
"""How the Supervisor's message calls the token, as those of other apps do."""

GATEWAY_ID, NAME, SUPERVISED = "gateway_id", "name", "supervised"
"""What an announcement in the network says."""

FOUND_TOKEN_SCHEMA = probatio.Schema(
    {probatio.Required(probatio.Secret(CONF_TOKEN)): TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))}
)

RELOADABLE = frozenset(
    {ConfigEntryState.LOADED, ConfigEntryState.SETUP_ERROR, ConfigEntryState.SETUP_RETRY, ConfigEntryState.NOT_LOADED}
)


class DiscoverySteps(ConfigFlow):
    """The steps of gateways that were found."""

    def __init__(self) -> None:
        """Start with nothing found."""
        self._found: dict[str, Any] = {}
        self._name = ""

    @abstractmethod
    async def _try(self, given: Mapping[str, Any]) -> tuple[Info | None, dict[str, str]]:
        """Ask a gateway what it is; the answer, or the errors to show."""

    @override
    async def async_step_hassio(self, discovery_info: HassioServiceInfo) -> ConfigFlowResult:
        """Take the app's address and token from the Supervisor, and again when the app changed them."""
        return await self._take_app(discovery_info.config)

    async def _take_app(self, config: Mapping[str, Any]) -> ConfigFlowResult:
        """Set up the app's gateway, or bring the entry that it has up to date."""
        if not {CONF_HOST, CONF_PORT, AUTH_TOKEN} <= config.keys():
            return self.async_abort(reason="invalid_discovery_info")
        self._found = {CONF_HOST: config[CONF_HOST], CONF_PORT: config[CONF_PORT], CONF_TOKEN: config[AUTH_TOKEN]}
        info, errors = await self._try(self._found)
        if info is None:
            return self.async_abort(reason=next(iter(errors.values())))
        self._name = info.name
        entry = await self.async_set_unique_id(info.gateway_id, raise_on_progress=self.source != SOURCE_USER)
        if entry is not None:
            self._bring_up_to_date(entry)
            return self.async_abort(reason="already_configured")
        return await self.async_step_hassio_confirm()

    def _bring_up_to_date(self, entry: ConfigEntry) -> None:
        """Give an entry the address and token of today, and load it anew where that helps."""
        changed = self.hass.config_entries.async_update_entry(entry, data={**entry.data, **self._found})
        if not changed and entry.state is not ConfigEntryState.SETUP_RETRY:
            return
        # Nobody need give a token that the app has given.
        for flow in list(entry.async_get_active_flows(self.hass, {SOURCE_REAUTH})):
            self.hass.config_entries.flow.async_abort(flow["flow_id"])
        if entry.state in RELOADABLE:
            self.hass.config_entries.async_schedule_reload(entry.entry_id)

    async def async_step_hassio_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Set the app's gateway up when its owner wants that."""
        if user_input is not None:
            return self.async_create_entry(title=self._name, data=self._found)
        self._set_confirm_only()
        return self.async_show_form(step_id="hassio_confirm", description_placeholders={"name": self._name})

    @override
    async def async_step_zeroconf(self, discovery_info: ZeroconfServiceInfo) -> ConfigFlowResult:
        """Take a gateway's address from its announcement."""
        properties = discovery_info.properties
        gateway_id = properties.get(GATEWAY_ID)
        if not gateway_id or discovery_info.port is None:
            return self.async_abort(reason="invalid_discovery_info")
        address = {CONF_HOST: discovery_info.host, CONF_PORT: discovery_info.port}
        entry = await self.async_set_unique_id(gateway_id)
        if entry is not None and entry.state is ConfigEntryState.LOADED and entry.runtime_data.connected:
            # Anybody can announce anything: the token of a gateway that answers goes to no other address.
            return self.async_abort(reason="already_configured")
        if properties.get(SUPERVISED) == "true":
            # The Supervisor tells of it, with its token and an address that does not leave the machine.
            return self.async_abort(reason="already_discovered_app")
        self._abort_if_unique_id_configured(updates=address)
        self._found = address
        self._name = properties.get(NAME) or discovery_info.host
        self.context["title_placeholders"] = {"name": self._name}
        return await self.async_step_zeroconf_confirm()

    async def async_step_zeroconf_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Take the token of a gateway that was announced."""
        errors: dict[str, str] = {}
        if user_input is not None:
            given = self._found | {CONF_TOKEN: "".join(user_input[CONF_TOKEN].split())}
            info, errors = await self._try(given)
            if info is not None:
                await self.async_set_unique_id(info.gateway_id, raise_on_progress=False)
                self._abort_if_unique_id_configured(updates=given)
                return self.async_create_entry(title=info.name, data=given)
        return self.async_show_form(
            step_id="zeroconf_confirm",
            data_schema=FOUND_TOKEN_SCHEMA,
            description_placeholders={"name": self._name, "host": str(self._found[CONF_HOST])},
            errors=errors,
        )
