"""A login at a maker's cloud: made, and given a new password. Neither name nor password is kept here."""

from typing import Any

import probatio
from homeassistant.config_entries import SubentryFlowResult
from homeassistant.const import CONF_PASSWORD, CONF_USERNAME
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType

from .client.errors import ClientError
from .mirrors import CONF_ID
from .subentry_flow import NOT_CONNECTED, GatewaySubentryFlow

PROVIDER = "mammotion"
"""The one maker whose cloud the gateway logs in at."""

PASSWORD = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="current-password"))

PASSWORD_SCHEMA = probatio.Schema({probatio.Required(probatio.Secret(CONF_PASSWORD)): PASSWORD})
LOGIN_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_USERNAME): TextSelector(TextSelectorConfig(autocomplete="username")),
        probatio.Required(probatio.Secret(CONF_PASSWORD)): PASSWORD,
    }
)


class VendorAccountFlow(GatewaySubentryFlow):
    """Asks for a login."""

    known_codes = frozenset({"login_refused", "vendor_account_exists", "vendor_unreachable"})

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Log in."""
        hub = self._hub
        if hub is None:
            return self.async_abort(reason=NOT_CONNECTED)
        errors: dict[str, str] = {}
        if user_input is not None:
            # No mirror is made of it meanwhile: this flow makes it.
            async with hub.mirrors.turn:
                try:
                    account = await hub.client.create_vendor_account(
                        provider=PROVIDER,
                        username=user_input[CONF_USERNAME].strip(),
                        password=user_input[CONF_PASSWORD],
                    )
                except ClientError as error:
                    errors = await self._errors_of(error, user_input)
                else:
                    return self.async_create_entry(
                        title=account.username, data={CONF_ID: account.id}, unique_id=account.id
                    )
        suggested = {} if user_input is None else {CONF_USERNAME: user_input[CONF_USERNAME]}
        return self.async_show_form(
            step_id="user",
            data_schema=self.add_suggested_values_to_schema(LOGIN_SCHEMA, suggested),
            description_placeholders=self._placeholders,
            errors=errors,
        )

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Log in again with a new password."""
        hub = self._hub
        if hub is None:
            return self.async_abort(reason=NOT_CONNECTED)
        errors: dict[str, str] = {}
        mirror = self._get_reconfigure_subentry()
        if user_input is not None:
            try:
                account = await hub.client.update_vendor_account(self._subject_id, password=user_input[CONF_PASSWORD])
            except ClientError as error:
                errors = await self._errors_of(error, user_input)
            else:
                return self.async_update_and_abort(self._get_entry(), mirror, title=account.username)
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=PASSWORD_SCHEMA,
            description_placeholders=self._placeholders | {"account": mirror.title},
            errors=errors,
        )
