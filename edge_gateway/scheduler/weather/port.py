"""What the Scheduler asks of a source of forecasts."""

from typing import Protocol

from edge_gateway.scheduler.forecast import Forecast


class WeatherProvider(Protocol):
    """A source of forecasts."""

    name: str
    needs_location: bool
    """It cannot answer without coordinates."""

    async def forecast(self, latitude: float | None, longitude: float | None) -> Forecast | None:
        """Return the hours of a place (degrees); None when nothing is known. Never raises for a source that fails."""
        ...
