"""Open-Meteo, asked seldom: one request at a time, each place every half hour, and not while it refuses.

Its free service counts requests per address and is for non-commercial use; a plan has another address and a key.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import override

import aiohttp
import structlog

from edge_gateway.contracts.clock import Clock
from edge_gateway.scheduler import metrics
from edge_gateway.scheduler.forecast import Forecast
from edge_gateway.scheduler.settings import SchedulerSettings
from edge_gateway.scheduler.weather import open_meteo_answer
from edge_gateway.scheduler.weather.open_meteo_answer import UnreadableAnswerError
from edge_gateway.scheduler.weather.places import Place, rounded
from edge_gateway.scheduler.weather.port import WeatherProvider

_log = structlog.get_logger(__name__)

NAME = "open_meteo"
ATTRIBUTION = "Weather data by Open-Meteo.com (https://open-meteo.com/), CC BY 4.0"
FREE_URL = "https://api.open-meteo.com"
PLAN_URL = "https://customer-api.open-meteo.com"

KEPT_FOR = timedelta(minutes=30)
FAILURE_KEPT_FOR = timedelta(seconds=60)
LONGEST_PAUSE = timedelta(minutes=30)
_LONGEST_ANSWER_BYTES = 1024 * 1024
_PATH = "/v1/forecast"


class _RefusedError(Exception):
    """The service is overloaded, or we ask too much: nobody asks for a while."""

    def __init__(self, status: int, wait_seconds: int) -> None:
        super().__init__(f"status {status}")
        self.wait_seconds = wait_seconds


@dataclass(frozen=True, slots=True)
class _Kept:
    asked_at: datetime
    forecast: Forecast | None

    def counts(self, now: datetime) -> bool:
        """Tell whether it is asked again later only; never after the clock was set back."""
        kept_for = FAILURE_KEPT_FOR if self.forecast is None else KEPT_FOR
        return timedelta() <= now - self.asked_at < kept_for


class OpenMeteo(WeatherProvider):
    """Asks Open-Meteo, and remembers what it said."""

    name = NAME

    def __init__(self, settings: SchedulerSettings, clock: Clock) -> None:
        """Ask where the settings say; nothing is asked yet."""
        key = settings.open_meteo_key
        self._key = None if key is None else key.get_secret_value()
        base = settings.open_meteo_url or (FREE_URL if self._key is None else PLAN_URL)
        self.url = base.rstrip("/") + _PATH
        self._deadline_seconds = settings.open_meteo_deadline_seconds
        self._clock = clock
        self._kept: dict[Place, _Kept] = {}
        self._one_at_a_time = asyncio.Lock()
        self._refusals = 0
        self._refused_at: datetime | None = None
        self._pause = timedelta()
        self._session: aiohttp.ClientSession | None = None

    @override
    async def forecast(self, latitude: float, longitude: float) -> Forecast | None:
        """Return the hours of a place: those of the last half hour, else asked for within the deadline."""
        place = rounded(latitude, longitude)
        async with self._one_at_a_time:
            now = self._clock.now()
            kept = self._kept.get(place)
            if kept is not None and kept.counts(now):
                return kept.forecast
            if self._is_pausing(now):
                return None
            forecast = await self._ask(place, now)
            self._kept[place] = _Kept(now, forecast)
            return forecast

    @property
    @override
    def paused_until(self) -> datetime | None:
        """Until when nothing is asked because it refuses."""
        return None if self._refused_at is None else self._refused_at + self._pause

    @override
    async def close(self) -> None:
        """Close the connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _is_pausing(self, now: datetime) -> bool:
        return self._refused_at is not None and timedelta() <= now - self._refused_at < self._pause

    async def _ask(self, place: Place, now: datetime) -> Forecast | None:
        try:
            body = await self._request(place)
            hours = open_meteo_answer.read(body)
        except _RefusedError as refusal:
            self._refusals += 1
            self._refused_at = now
            doubled = FAILURE_KEPT_FOR * (1 << min(self._refusals - 1, 10))
            wanted = max(doubled, timedelta(seconds=refusal.wait_seconds))
            self._pause = min(LONGEST_PAUSE, wanted)
            metrics.FORECASTS.labels(NAME, "refused").inc()
            _log.warning("weather service refuses", error=str(refusal), pause_seconds=self._pause.total_seconds())
            return None
        except (aiohttp.ClientError, TimeoutError, OSError, UnreadableAnswerError) as error:
            # Only the kind of an error of the connection is told: its text may hold the address with the key.
            metrics.FORECASTS.labels(NAME, "failed").inc()
            told = str(error) if isinstance(error, UnreadableAnswerError) else type(error).__name__
            _log.warning("forecast not to be had", error=told)
            return None
        self._refusals = 0
        self._refused_at = None
        metrics.FORECASTS.labels(NAME, "answered").inc()
        if wrong := open_meteo_answer.wrong_units(body):
            _log.warning("forecast in units that were not asked for; those values are unknown", units=wrong)
        return Forecast(NAME, self._clock.now(), hours, ATTRIBUTION)

    async def _request(self, place: Place) -> bytes:
        if self._session is None:
            timeout = aiohttp.ClientTimeout(total=self._deadline_seconds)
            self._session = aiohttp.ClientSession(timeout=timeout, headers={"User-Agent": "MowDeck"})
        query = {
            "latitude": f"{place.latitude:g}",
            "longitude": f"{place.longitude:g}",
            "hourly": ",".join(open_meteo_answer.VARIABLES),
            "past_days": "1",
            "forecast_days": "2",
            "timeformat": "unixtime",
        }
        if self._key is not None:
            query["apikey"] = self._key
        async with self._session.get(self.url, params=query, allow_redirects=False) as response:
            refused = response.status == HTTPStatus.TOO_MANY_REQUESTS
            if refused or response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise _RefusedError(response.status, _wait_seconds(response.headers.get("Retry-After", "")))
            if response.status != HTTPStatus.OK:
                message = f"it answers {response.status}"
                raise UnreadableAnswerError(message)
            body = bytearray()
            async for part in response.content.iter_any():
                body += part
                if len(body) > _LONGEST_ANSWER_BYTES:
                    message = "the answer is too long"
                    raise UnreadableAnswerError(message)
            return bytes(body)


def _wait_seconds(header: str) -> int:
    """Return what `Retry-After` asks for; 0 where it says nothing that is a number."""
    return int(header) if header.isascii() and header.isdigit() and len(header) < len(str(10**6)) else 0
