"""A weather entity of Home Assistant's own kind, with a forecast that a test says."""

from typing import Any, override

from homeassistant.components.weather import Forecast, WeatherEntity
from homeassistant.components.weather.const import DOMAIN, WeatherEntityFeature
from homeassistant.const import UnitOfLength, UnitOfPrecipitationDepth, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import setup_test_component_platform

SKY = "weather.sky"


class Sky(WeatherEntity):
    """The sky over the garden."""

    _attr_name = "Sky"
    _attr_condition = "cloudy"
    _attr_attribution = "Weather by Somebody"
    _attr_native_temperature = 20.0
    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_native_precipitation_unit = UnitOfPrecipitationDepth.MILLIMETERS
    _attr_native_visibility_unit = UnitOfLength.KILOMETERS

    def __init__(self, *, hourly: bool = True) -> None:
        """Have an hourly forecast, or none."""
        self._attr_supported_features = (
            WeatherEntityFeature.FORECAST_HOURLY if hourly else WeatherEntityFeature.FORECAST_DAILY
        )
        self.hours: list[Forecast] = []
        self.fails = False

    @override
    async def async_forecast_hourly(self) -> list[Forecast] | None:
        if self.fails:
            raise HomeAssistantError("The weather service is away")
        return self.hours

    def becomes(self, *, condition: str = "cloudy", available: bool = True) -> None:
        """Change, and say so."""
        self._attr_condition = condition
        self._attr_available = available
        self.async_write_ha_state()


async def rise(hass: HomeAssistant, sky: Sky) -> None:
    """Bring the entity into Home Assistant."""
    setup_test_component_platform(hass, DOMAIN, [sky])
    platform: dict[str, Any] = {DOMAIN: {"platform": "test"}}
    assert await async_setup_component(hass, DOMAIN, platform)
    await hass.async_block_till_done()
