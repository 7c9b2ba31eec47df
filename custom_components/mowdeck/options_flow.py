"""The options of a gateway: which weather entity and rain sensor are told to it, by site."""

from collections.abc import Mapping
from typing import Any

import probatio
from homeassistant.components.weather.const import DOMAIN as WEATHER
from homeassistant.components.weather.const import WeatherEntityFeature
from homeassistant.config_entries import ConfigFlowResult, OptionsFlowWithReload
from homeassistant.const import ATTR_SUPPORTED_FEATURES, Platform
from homeassistant.helpers.selector import (
    EntitySelector,
    EntitySelectorConfig,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
)

from .client.errors import ClientError
from .client.site import WEATHER_FROM_HERE, Site
from .hub import MowDeckConfigEntry
from .weather_choice import CONF_RAIN_SENSOR, CONF_WEATHER, CONF_WEATHER_ENTITY, with_choice

CONF_SITE = "site"

SITE_SCHEMA = probatio.Schema(
    {
        probatio.Optional(CONF_WEATHER_ENTITY): EntitySelector(EntitySelectorConfig(domain=WEATHER)),
        probatio.Optional(CONF_RAIN_SENSOR): EntitySelector(
            EntitySelectorConfig(domain=[Platform.BINARY_SENSOR, Platform.SENSOR])
        ),
    }
)


class MowDeckOptionsFlow(OptionsFlowWithReload):
    """Asks which site is meant, where there are several, and what is told of it."""

    config_entry: MowDeckConfigEntry
    _site: Site

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Take the site; the only one is not asked for."""
        hub = getattr(self.config_entry, "runtime_data", None)
        if hub is None or not hub.connected:
            return self.async_abort(reason="not_connected")
        sites = sorted(hub.sites.values(), key=lambda site: site.name)
        if user_input is None and len(sites) > 1:
            choices = [SelectOptionDict(value=site.id, label=site.name) for site in sites]
            schema = probatio.Schema(
                {probatio.Required(CONF_SITE): SelectSelector(SelectSelectorConfig(options=choices))}
            )
            return self.async_show_form(step_id="init", data_schema=schema)
        self._site = sites[0] if user_input is None else hub.sites[user_input[CONF_SITE]]
        return await self.async_step_weather()

    async def async_step_weather(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Take the entities; without a weather entity the gateway looks for a forecast itself again."""
        errors: dict[str, str] = {}
        if user_input is not None:
            errors = await self._take(user_input)
            if not errors:
                return self.async_create_entry(data=with_choice(self.config_entry.options, self._site.id, user_input))
        suggested = user_input or self.config_entry.options.get(CONF_WEATHER, {}).get(self._site.id, {})
        return self.async_show_form(
            step_id="weather",
            data_schema=self.add_suggested_values_to_schema(SITE_SCHEMA, suggested),
            description_placeholders={"site": self._site.name},
            errors=errors,
        )

    async def _take(self, given: Mapping[str, Any]) -> dict[str, str]:
        """Check the choice and tell the gateway where it finds its forecasts; the errors to show."""
        entity_id = given.get(CONF_WEATHER_ENTITY)
        if entity_id is None and CONF_RAIN_SENSOR in given:
            return {CONF_WEATHER_ENTITY: "weather_needed"}
        if entity_id is not None:
            state = self.hass.states.get(entity_id)
            features = 0 if state is None else state.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
            if not features & WeatherEntityFeature.FORECAST_HOURLY:
                return {CONF_WEATHER_ENTITY: "no_hourly_forecast"}
        source = None if entity_id is None else WEATHER_FROM_HERE
        if entity_id is None and self._site.weather_source != WEATHER_FROM_HERE:
            # It looks elsewhere already, by somebody's choice.
            return {}
        try:
            await self.config_entry.runtime_data.client.update_site(self._site.id, {"weather_source": source})
        except ClientError:
            return {"base": "cannot_connect"}
        return {}
