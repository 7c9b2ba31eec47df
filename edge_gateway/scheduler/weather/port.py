"""What the Scheduler asks of a source of forecasts."""

from datetime import datetime
from typing import Protocol

from edge_gateway.scheduler.forecast import Forecast


class WeatherProvider(Protocol):
    """A source of forecasts that is asked for places."""

    name: str

    @property
    def paused_until(self) -> datetime | None:
        """Until when nothing is asked because the source refuses; None when it does not."""
        ...

    async def forecast(self, latitude: float, longitude: float) -> Forecast | None:
        """Return the hours of a place (degrees); None when nothing is known. Never raises for a source that fails."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
