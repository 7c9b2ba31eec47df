"""What is known of the weather now, and what is wanted.

Nothing here asks a weather service: no tick ever waits for one.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.fleet import Site
from edge_gateway.scheduler.forecast import CLOCK_WAS_AHEAD, Forecast
from edge_gateway.scheduler.records import MowerRecord
from edge_gateway.scheduler.repository import weather as rows
from edge_gateway.scheduler.repository.transactions import Pool, connection
from edge_gateway.scheduler.settings import SchedulerSettings
from edge_gateway.scheduler.weather import open_meteo, pushed, static
from edge_gateway.scheduler.weather.places import Place, place_of

LONGEST_AGE = timedelta(hours=6)
"""A forecast that could not be renewed counts for so long; its age is shown."""
ASKED_FOR = timedelta(minutes=30)
"""A place that somebody asked for is kept fresh for so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sky:
    """What is known of the weather at a mower."""

    source: str
    forecast: Forecast | None
    no_location: bool = False
    """No place is known that could be asked for: none will come."""
    may_come: bool = False
    """There is none, and one is being asked for."""


class Forecasts:
    """Reads what is kept; remembers which places are wanted."""

    def __init__(self, pool: Pool, clock: Clock, settings: SchedulerSettings) -> None:
        """Read from this database."""
        self._pool = pool
        self._clock = clock
        self._settings = settings
        self._wanted: dict[Place, datetime] = {}
        self.look_again = asyncio.Event()
        """A place is wanted of which nothing is known, or something is new that a verdict is made from."""
        self._looked = asyncio.Event()
        self._looks_begun = 0
        self._looks_done = 0

    def source_of(self, site: Site) -> str:
        """Return where a site's forecasts come from: its own choice, else the gateway's."""
        return site.weather_source or self._settings.weather_provider

    async def known(self, site: Site, mower: MowerRecord, *, wanted: bool = True) -> Sky:
        """Return what is known now of the weather at a mower; where it is `wanted` it is kept fresh for a while."""
        source = self.source_of(site)
        if source == static.NAME:
            forecast = static.static_forecast(self._settings.static_weather, self._clock.now())
            return Sky(source=source, forecast=forecast)
        if source == pushed.NAME:
            return Sky(source=source, forecast=await self._pushed(site))
        place = place_of(site, mower)
        if place is None:
            return Sky(source=source, forecast=None, no_location=True)
        return await self._asked(place, wanted=wanted)

    def want(self, place: Place) -> None:
        """Have a place's forecast kept fresh for a while."""
        self._wanted[place] = self._clock.now()

    def wanted(self) -> list[Place]:
        """Return the places that somebody asked for a short while ago."""
        now = self._clock.now()
        self._wanted = {place: at for place, at in self._wanted.items() if abs(now - at) < ASKED_FOR}
        return list(self._wanted)

    def begin_look(self) -> None:
        """Hear that all that is wanted by now is about to be asked for."""
        self._looks_begun += 1

    def tell_looked(self) -> None:
        """Tell those who wait that it was."""
        self._looks_done = self._looks_begun
        looked, self._looked = self._looked, asyncio.Event()
        looked.set()

    async def wait_looked(self, seconds: float) -> None:
        """Return when all that is wanted was asked for, or after so many seconds."""
        wanted = self._looks_begun + 1
        try:
            async with asyncio.timeout(seconds):
                while self._looks_done < wanted:
                    await self._looked.wait()
        except TimeoutError:
            return

    async def _asked(self, place: Place, *, wanted: bool) -> Sky:
        async with connection(self._pool) as lent:
            forecast = self._fresh(await rows.forecast(lent, open_meteo.NAME, place))
        if wanted:
            self.want(place)
            if forecast is None:
                self.look_again.set()
        return Sky(source=open_meteo.NAME, forecast=forecast, may_come=forecast is None)

    async def _pushed(self, site: Site) -> Forecast | None:
        async with connection(self._pool) as lent:
            known = await rows.pushed(lent, site.account_id, site.id)
        return None if known is None else self._fresh(pushed.forecast_of(known, self._clock.now()))

    def _fresh(self, forecast: Forecast | None) -> Forecast | None:
        if forecast is None or not -CLOCK_WAS_AHEAD <= self._clock.now() - forecast.fetched_at <= LONGEST_AGE:
            return None
        return forecast
