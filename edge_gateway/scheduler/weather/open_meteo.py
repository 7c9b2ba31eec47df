"""Open-Meteo: its settings are accepted; it is not asked yet, so that its answer is unknown."""

from typing import override

from edge_gateway.scheduler.forecast import Forecast
from edge_gateway.scheduler.weather.port import WeatherProvider


class OpenMeteo(WeatherProvider):
    """Knows nothing yet."""

    name = "open_meteo"
    needs_location = True

    @override
    async def forecast(self, latitude: float | None, longitude: float | None) -> Forecast | None:
        """Return None: unknown is a stated outcome of the rain rule, never dry."""
        return None
