"""Setting up a gateway by hand, giving its token again, and telling where it moved."""

from collections.abc import Mapping
from typing import Any, override

import probatio
from homeassistant.config_entries import ConfigEntry, ConfigFlowResult, ConfigSubentryFlow
from homeassistant.const import CONF_HOST, CONF_PORT, CONF_TOKEN
from homeassistant.core import callback
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType

from .bridge_flow import BridgeFlow
from .client.client import Client
from .client.errors import AuthenticationError, ClientError, VersionError
from .client.info import Info
from .const import DEFAULT_PORT, DOMAIN, LOGGER
from .discovery_flow import DiscoverySteps
from .group_flow import GroupFlow
from .hub import MowDeckConfigEntry
from .mirrors import Kind
from .options_flow import MowDeckOptionsFlow
from .supervised import find_app
from .vendor_account_flow import VendorAccountFlow

PASSWORD = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))

ADDRESS_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_HOST): TextSelector(),
        probatio.Required(CONF_PORT, default=DEFAULT_PORT): cv.port,
        probatio.Required(probatio.Secret(CONF_TOKEN)): PASSWORD,
    }
)

TOKEN_SCHEMA = probatio.Schema({probatio.Required(probatio.Secret(CONF_TOKEN)): PASSWORD})


class MowDeckConfigFlow(DiscoverySteps, domain=DOMAIN):
    """Asks for a gateway's address and token, and tries them before they are kept."""

    # Entries have had one form so far. Home Assistant itself takes those of a newer minor version, and no others.
    VERSION = 1
    MINOR_VERSION = 1

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: MowDeckConfigEntry) -> MowDeckOptionsFlow:
        """Return what asks for the options."""
        return MowDeckOptionsFlow()

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(cls, config_entry: ConfigEntry) -> dict[str, type[ConfigSubentryFlow]]:
        """Return what asks for logins, bridges and groups."""
        return {Kind.VENDOR_ACCOUNT: VendorAccountFlow, Kind.BRIDGE: BridgeFlow, Kind.GROUP: GroupFlow}

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Take a gateway's address and token; those of the app are known to the Supervisor."""
        errors: dict[str, str] = {}
        if user_input is None and (app := await find_app(self.hass)) is not None:
            found = await self._take_app(app)
            if found["type"] is FlowResultType.FORM:
                return found
        if user_input is not None:
            given = _cleaned(user_input)
            info, errors = await self._try(given)
            if info is not None:
                await self.async_set_unique_id(info.gateway_id)
                # Whoever knows the token has found the same gateway under the address of today.
                self._abort_if_unique_id_configured(updates=given)
                return self.async_create_entry(title=info.name, data=given)
        return self.async_show_form(
            step_id="user",
            data_schema=self.add_suggested_values_to_schema(ADDRESS_SCHEMA, user_input or {}),
            errors=errors,
        )

    async def async_step_reauth(self, _entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Begin to ask for the token again."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Take the token of the gateway that no longer takes the old one."""
        entry = self._get_reauth_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            given = _cleaned({**entry.data, **user_input})
            info, errors = await self._try(given)
            if info is not None:
                await self.async_set_unique_id(info.gateway_id)
                self._abort_if_unique_id_mismatch(reason="wrong_gateway")
                return self.async_update_reload_and_abort(entry, data_updates=given)
        return self.async_show_form(
            step_id="reauth_confirm",
            data_schema=TOKEN_SCHEMA,
            description_placeholders={"name": entry.title, "host": entry.data[CONF_HOST]},
            errors=errors,
        )

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Take the address to which the gateway moved."""
        entry = self._get_reconfigure_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            given = _cleaned(user_input)
            info, errors = await self._try(given)
            if info is not None:
                await self.async_set_unique_id(info.gateway_id)
                self._abort_if_unique_id_mismatch(reason="wrong_gateway")
                return self.async_update_reload_and_abort(entry, data_updates=given)
        suggested = user_input or {CONF_HOST: entry.data[CONF_HOST], CONF_PORT: entry.data[CONF_PORT]}
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=self.add_suggested_values_to_schema(ADDRESS_SCHEMA, suggested),
            description_placeholders={"name": entry.title},
            errors=errors,
        )

    @override
    async def _try(self, given: Mapping[str, Any]) -> tuple[Info | None, dict[str, str]]:
        """Ask a gateway what it is; the answer, or the errors to show."""
        try:
            client = Client(
                async_get_clientsession(self.hass),
                host=given[CONF_HOST],
                port=given[CONF_PORT],
                token=given[CONF_TOKEN],
            )
        except ValueError:
            return None, {CONF_HOST: "invalid_host"}
        try:
            return await client.get_info(), {}
        except AuthenticationError:
            return None, {CONF_TOKEN: "invalid_auth"}
        except VersionError as error:
            return None, {"base": "gateway_too_old" if error.gateway_is_older else "integration_too_old"}
        except ClientError as error:
            LOGGER.debug("No gateway at %s: %s", client.address, error)
            return None, {"base": "cannot_connect"}
        except Exception:  # noqa: BLE001  # it is logged; the person in the dialog gets an answer
            LOGGER.exception("Unexpected error while %s was tried", client.address)
            return None, {"base": "unknown"}


def _cleaned(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the input without the blanks and line breaks that come along when something is copied."""
    return {**given, CONF_HOST: given[CONF_HOST].strip(), CONF_TOKEN: "".join(given[CONF_TOKEN].split())}
