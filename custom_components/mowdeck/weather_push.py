"""Tells the gateway the forecast of a weather entity and the word of a rain sensor, on change and regularly."""

from datetime import datetime, timedelta
from typing import Any

from homeassistant.components.weather.const import DOMAIN as WEATHER
from homeassistant.components.weather.const import WeatherEntityFeature
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import ATTR_ENTITY_ID, ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.debounce import Debouncer
from homeassistant.helpers.event import async_track_state_change_event, async_track_time_interval
from homeassistant.util import dt as dt_util

from .client.errors import ClientError
from .client.pushed_weather import PushedHour, PushedWeather
from .const import LOGGER
from .forecast_reading import read_hours, read_raining, read_unit
from .hub import Hub
from .weather_choice import CONF_WEATHER, WeatherChoice

INTERVAL = timedelta(minutes=15)
"""A forecast ages, and what a sensor said counts for 90 minutes at the gateway."""

SETTLE_SECONDS = 5.0
"""A weather entity writes several times when it is updated."""

KEPT_FOR = timedelta(hours=3)
"""So long the last forecast of an entity that is unavailable is told again, while its sensor has news."""


class WeatherPush:
    """All sites of one gateway for which a weather entity was chosen."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Any], hub: Hub) -> None:
        """Tell a gateway what the entry's options name."""
        self._hass = hass
        self._entry = entry
        self._hub = hub

    @callback
    def start(self) -> None:
        """Begin to tell; nothing is told of a site for which nothing was chosen."""
        for site_id in self._entry.options.get(CONF_WEATHER, {}):
            choice = WeatherChoice.read(self._entry.options, site_id)
            if choice is not None:
                SitePush(self._hass, self._entry, self._hub, site_id, choice).start()


class SitePush:
    """One site's weather."""

    def __init__(
        self, hass: HomeAssistant, entry: ConfigEntry[Any], hub: Hub, site_id: str, choice: WeatherChoice
    ) -> None:
        """Tell of one site what a choice names."""
        self._hass = hass
        self._entry = entry
        self._hub = hub
        self._site_id = site_id
        self._choice = choice
        self._last: tuple[datetime, tuple[PushedHour, ...]] | None = None
        self._refused: str | None = None
        self._wanted = False
        self._soon = Debouncer(
            hass, LOGGER, cooldown=SETTLE_SECONDS, immediate=True, function=self.push, background=True
        )

    @callback
    def start(self) -> None:
        """Tell now, when something changes, when the gateway comes back, and now and then."""
        watched = [self._choice.weather_entity, *filter(None, [self._choice.rain_sensor])]
        unload = self._entry.async_on_unload
        unload(async_track_state_change_event(self._hass, watched, self._changed))
        unload(async_track_time_interval(self._hass, self._again, INTERVAL))
        unload(self._hub.on_back(self._want))
        unload(self._soon.async_shutdown)
        self._want()

    @callback
    def _changed(self, _event: Event[EventStateChangedData]) -> None:
        self._want()

    @callback
    def _again(self, _now: datetime) -> None:
        self._want()

    @callback
    def _want(self) -> None:
        self._wanted = True
        self._soon.async_schedule_call()

    async def push(self) -> None:
        """Tell the weather as it is now; a gateway that is away hears it when it is back."""
        self._wanted = False
        await self._push()
        if self._wanted:
            # What is wanted while this runs for longer than it settles is dropped by Home Assistant's debouncer.
            self._soon.async_schedule_call()

    async def _push(self) -> None:
        if not self._hub.connected:
            return
        weather = await self._weather()
        if weather is None:
            return
        try:
            await self._hub.client.push_weather(self._site_id, weather)
        except ClientError as error:
            # Said once, not every quarter of an hour.
            if str(error) != self._refused:
                LOGGER.warning("The gateway did not take the weather of %s: %s", self._choice.weather_entity, error)
            self._refused = str(error)
            return
        self._refused = None

    async def _weather(self) -> PushedWeather | None:
        """Return what is to be told; None when there is nothing to tell yet."""
        now = dt_util.utcnow()
        state = self._hass.states.get(self._choice.weather_entity)
        sensor = self._choice.rain_sensor
        if state is None or state.state == STATE_UNAVAILABLE:
            if sensor is None:
                return None
            hours = self._last[1] if self._last is not None and now - self._last[0] < KEPT_FOR else ()
        else:
            hours = await self._forecast(state.attributes.get(ATTR_SUPPORTED_FEATURES, 0))
            self._last = (now, hours)
        said = None if sensor is None else self._hass.states.get(sensor)
        return PushedWeather(
            source=self._choice.weather_entity,
            attribution=None if state is None else state.attributes.get("attribution"),
            precipitation_unit=None if state is None else read_unit(state.attributes),
            hours=hours,
            sensor=sensor is not None,
            raining=read_raining(None if said is None else said.state),
            observed_at=now,
        )

    async def _forecast(self, features: int) -> tuple[PushedHour, ...]:
        """Return the entity's hours; none where it has no hourly forecast: then it is unknown."""
        if not features & WeatherEntityFeature.FORECAST_HOURLY:
            return ()
        entity_id = self._choice.weather_entity
        try:
            answer: Any = await self._hass.services.async_call(
                WEATHER,
                "get_forecasts",
                {ATTR_ENTITY_ID: entity_id, "type": "hourly"},
                blocking=True,
                return_response=True,
            )
        except HomeAssistantError as error:
            LOGGER.debug("No forecast of %s: %s", entity_id, error)
            return ()
        return read_hours((answer.get(entity_id) or {}).get("forecast"))
