"""What the Scheduler asks of a source of forecasts."""

from typing import Protocol

from edge_gateway.scheduler.forecast import Forecast


class WeatherProvider(Protocol):
    """A source of forecasts that is asked for places."""

    name: str

    async def forecast(self, latitude: float, longitude: float) -> Forecast | None:
        """Return the hours of a place (degrees); None when nothing is known. Never raises for a source that fails."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
