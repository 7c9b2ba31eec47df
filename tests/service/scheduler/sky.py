"""The Scheduler under a sky that a test makes: a weather service on loopback, and what is asked and told of weather."""

import asyncio
from datetime import datetime
from typing import Any

from edge_gateway.contracts import routes
from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.schedules import RainSettings
from edge_gateway.contracts.weather import (
    MowerOverrides,
    MowerWeather,
    PreviewRequest,
    PushWeatherRequest,
    PutOverrideRequest,
    SchedulePreview,
    WeatherRequest,
    WeatherSourceReply,
)
from tests.emulators.weather.open_meteo import FakeOpenMeteo
from tests.service.scheduler.house import MOWER, SchedulerHouse


class Sky:
    """What the tests of weather have in common."""

    def __init__(self, house: SchedulerHouse) -> None:
        """Work with this house."""
        self.house = house
        self.server = FakeOpenMeteo(house.clock)

    async def start(self, **settings: Any) -> None:  # noqa: ANN401  # any setting
        """Have the Scheduler ask the server, for a site with coordinates."""
        await self.server.start()
        self.house.fleet.change_site(latitude=52.5212, longitude=13.4101)
        await self.restart(**settings)

    async def restart(self, **settings: Any) -> None:  # noqa: ANN401  # any setting
        """Stop the Scheduler and start another one."""
        values = {"weather_provider": "open_meteo", "open_meteo_url": self.server.url} | settings
        await self.house.restart(**values)

    async def look_at(self, moment: datetime) -> None:
        """Set the clock, and fetch and tell what is due."""
        self.house.clock.moment = moment
        await self.house.service.look_at_weather()

    async def fetch(self) -> MowerWeather:
        """Ask for the weather of a mower, and have its forecast fetched meanwhile."""
        asking = asyncio.create_task(self.weather())
        while not asking.done():
            await self.house.service.look_at_weather()
            await asyncio.sleep(0)
        return await asking

    async def weather(self, *, principal: str = OWNER, mower_id: str = MOWER, **settings: Any) -> MowerWeather:  # noqa: ANN401  # any setting
        """Ask for the weather of a mower."""
        request = WeatherRequest(
            on_behalf_of=principal, account_id="home", mower_id=mower_id, settings=RainSettings(**settings)
        )
        return await self.house.bus.request(routes.WEATHER_GET, request)

    async def hold(self, until: datetime | None, *, principal: str = OWNER, mower_id: str = MOWER) -> MowerOverrides:
        """Hold a mower until a moment."""
        request = PutOverrideRequest(on_behalf_of=principal, account_id="home", mower_id=mower_id, until=until)
        return await self.house.bus.request(routes.HOLDS_PUT, request)

    async def override_rain(
        self, until: datetime | None, *, principal: str = OWNER, mower_id: str = MOWER
    ) -> MowerOverrides:
        """Let a mower mow in the rain until a moment."""
        request = PutOverrideRequest(on_behalf_of=principal, account_id="home", mower_id=mower_id, until=until)
        return await self.house.bus.request(routes.RAIN_OVERRIDES_PUT, request)

    async def push(self, *, principal: str = OWNER, site_id: str = "home", **fields: Any) -> WeatherSourceReply:  # noqa: ANN401  # any field
        """Push weather as the integration does."""
        request = PushWeatherRequest(on_behalf_of=principal, account_id="home", site_id=site_id, **fields)
        return await self.house.bus.request(routes.WEATHER_PUSH, request)

    async def preview(self, *, principal: str = OWNER, **fields: Any) -> SchedulePreview:  # noqa: ANN401  # any field
        """Preview a schedule."""
        request = PreviewRequest(on_behalf_of=principal, account_id="home", **fields)
        return await self.house.bus.request(routes.SCHEDULES_PREVIEW, request)
