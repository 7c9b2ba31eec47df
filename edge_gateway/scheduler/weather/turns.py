"""Turns at a weather service: of all copies of the Scheduler one asks at a time, and none while it refuses.

A turn is a row with an end, so that a copy that dies in the middle keeps nobody from theirs. No lock is held while the
service is asked, and no tick ever waits for a turn: only the loop that fetches forecasts does.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from edge_gateway.contracts.identifiers import new_id
from edge_gateway.scheduler.repository import weather as forecasts
from edge_gateway.scheduler.repository import weather_turns as rows
from edge_gateway.scheduler.repository.transactions import connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.weather import open_meteo
from edge_gateway.scheduler.weather.places import Place
from edge_gateway.scheduler.weather.port import WeatherProvider

_MARGIN_SECONDS = 5.0
"""For what comes before and after the question itself."""
_LOOK_AGAIN_SECONDS = 0.1


class Turns:
    """One copy's turns."""

    def __init__(self, surroundings: Surroundings, provider: WeatherProvider) -> None:
        """Take none yet."""
        self._surroundings = surroundings
        self._provider = provider
        self._holder = new_id()
        self._longest_seconds = surroundings.settings.open_meteo_deadline_seconds + _MARGIN_SECONDS

    @asynccontextmanager
    async def turn(self, place: Place) -> AsyncIterator[bool]:
        """Wait for the turn to ask for a place; false when there is nothing to ask now.

        That is so when a forecast is kept that is fresh (another copy has just asked), when the place was asked for in
        vain a moment ago, and while the service refuses.
        """
        if not await self._taken(place):
            yield False
            return
        try:
            yield True
        finally:
            now = self._surroundings.now()
            async with connection(self._surroundings.pool) as lent:
                paused_until = self._provider.paused_until
                await rows.give_back(lent, self._provider.name, self._holder, until=paused_until or now)

    async def _taken(self, place: Place) -> bool:
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self._longest_seconds
        while loop.time() < give_up_at:
            async with transaction(self._surroundings.pool) as lent:
                now = self._surroundings.now()
                kept = await forecasts.forecast(lent, self._provider.name, place)
                failed_at = await rows.failed_at(lent, self._provider.name, place)
                if kept is not None and timedelta() <= now - kept.fetched_at < open_meteo.KEPT_FOR:
                    return False
                if failed_at is not None and timedelta() <= now - failed_at < open_meteo.FAILURE_KEPT_FOR:
                    return False
                until = now + timedelta(seconds=self._longest_seconds)
                if await rows.take(
                    lent,
                    self._provider.name,
                    self._holder,
                    now,
                    until=until,
                    longest_pause=open_meteo.LONGEST_PAUSE,
                ):
                    return True
                if not await rows.is_taken(lent, self._provider.name):
                    return False
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        return False
