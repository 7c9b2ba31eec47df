"""Forecasts are fetched ahead: for what is due soon, what waits or is under way, and what somebody looks at."""

from datetime import timedelta

from edge_gateway.contracts.schedules import Target
from edge_gateway.scheduler.repository import mower_rows
from edge_gateway.scheduler.repository import weather as rows
from edge_gateway.scheduler.repository import weather_turns as turn_rows
from edge_gateway.scheduler.repository.transactions import connection, transaction
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.verdicts import Reason
from edge_gateway.scheduler.weather import open_meteo
from edge_gateway.scheduler.weather.known_targets import KnownTargets
from edge_gateway.scheduler.weather.places import Place, place_of
from edge_gateway.scheduler.weather.port import WeatherProvider
from edge_gateway.scheduler.weather.turns import Turns

AHEAD = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(days=7)


class Fetching:
    """Asks the weather service for the places that need it; what it answers is kept."""

    def __init__(self, surroundings: Surroundings, provider: WeatherProvider, targets: KnownTargets) -> None:
        """Ask this service."""
        self._surroundings = surroundings
        self._provider = provider
        self._targets = targets
        self._turns = Turns(surroundings, provider)

    async def fetch_all(self) -> None:
        """Ask for every place that needs a forecast and has none of the last half hour, one after the other."""
        places = await self._due_places()
        for place in sorted({*places, *self._surroundings.forecasts.wanted()}):
            await self._fetch(place)

    async def _due_places(self) -> set[Place]:
        surroundings = self._surroundings
        async with connection(surroundings.pool) as lent:
            due = await rows.due_targets(lent, surroundings.now() + AHEAD)
        places = set()
        for target in due:
            wanted = Target(mower_id=target.mower_id, group_id=target.group_id)
            for found in await self._targets.mowers_of(target.account_id, wanted):
                if surroundings.forecasts.source_of(found.site) != open_meteo.NAME:
                    continue
                async with connection(surroundings.pool) as lent:
                    mower = await mower_rows.get(lent, found.mower_id, target.account_id)
                if (place := place_of(found.site, mower)) is not None:
                    places.add(place)
        return places

    async def _fetch(self, place: Place) -> None:
        surroundings = self._surroundings
        async with self._turns.turn(place) as is_ours:
            if not is_ours:
                return
            new = await self._provider.forecast(*place)
            now = surroundings.now()
            async with transaction(surroundings.pool) as lent:
                if new is None:
                    await turn_rows.put_failure(lent, self._provider.name, place, now)
                    return
                await turn_rows.forget_failure(lent, self._provider.name, place)
                await rows.put_forecast(lent, place, new, forget_before=now - FORGOTTEN_AFTER)
                await rows.wake_waiting(lent, Reason.FORECAST, now)
        surroundings.wake()
