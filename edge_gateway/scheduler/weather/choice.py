"""Which source of forecasts the settings name."""

from edge_gateway.contracts.clock import Clock
from edge_gateway.scheduler.settings import SchedulerSettings
from edge_gateway.scheduler.weather.open_meteo import OpenMeteo
from edge_gateway.scheduler.weather.port import WeatherProvider
from edge_gateway.scheduler.weather.static import StaticWeather


def weather_of(settings: SchedulerSettings, clock: Clock) -> WeatherProvider:
    """Return the provider that the settings name."""
    match settings.weather_provider:
        case "static":
            return StaticWeather(settings.static_weather, clock)
        case "open_meteo":
            return OpenMeteo()
