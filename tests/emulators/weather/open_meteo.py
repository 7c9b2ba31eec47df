"""Open-Meteo's forecast route: three days of hours from the midnight before, and every way to fail."""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from aiohttp import web

from edge_gateway.contracts.clock import Clock

UNITS = {"time": "unixtime", "precipitation": "mm", "precipitation_probability": "%", "rain": "mm"}
_HOURS = 72
_ONE_HOUR = timedelta(hours=1)


class FakeOpenMeteo:
    """Answers on a free port of the loopback address."""

    def __init__(self, clock: Clock) -> None:
        """Answer dry hours around the clock's day."""
        self._clock = clock
        self.requests: list[Mapping[str, str]] = []
        """The query of each request, oldest first."""
        self.at_once = 0
        """The most requests that were open at the same time."""
        self.status = 200
        self.headers: dict[str, str] = {}
        self.body: bytes | None = None
        """Answered in place of a forecast."""
        self.values: dict[datetime, tuple[float | None, float | None]] = {}
        """Millimetres and percent of the hour that begins at a moment."""
        self.units = dict(UNITS)
        self.left_out = 0
        """So many of the last values of each column are missing."""
        self.hanging: asyncio.Event | None = None
        """No answer before it is set."""
        self._open = 0
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def start(self) -> None:
        """Listen."""
        application = web.Application()
        application.router.add_get("/v1/forecast", self._answer)
        self._runner = web.AppRunner(application, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}"

    async def stop(self) -> None:
        """Listen no more."""
        if self.hanging is not None:
            self.hanging.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        self.requests.append(dict(request.query))
        self._open += 1
        self.at_once = max(self.at_once, self._open)
        try:
            if self.hanging is not None:
                await self.hanging.wait()
            # A moment in which another request would be seen.
            await asyncio.sleep(0.01)
        finally:
            self._open -= 1
        if self.body is not None or self.status != web.HTTPOk.status_code:
            return web.Response(status=self.status, body=self.body or b"upstream failed", headers=self.headers)
        return web.json_response(self._forecast())

    def _forecast(self) -> dict[str, Any]:
        midnight = self._clock.now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
        moments = [midnight + number * _ONE_HOUR for number in range(_HOURS)]
        # The value at a time is that of the hour before it.
        columns = [self.values.get(moment - _ONE_HOUR, (0.0, 0.0)) for moment in moments]
        kept = slice(0, _HOURS - self.left_out)
        return {
            "latitude": 52.52,
            "longitude": 13.41,
            "utc_offset_seconds": 0,
            "timezone": "GMT",
            "hourly_units": self.units,
            "hourly": {
                "time": [int(moment.timestamp()) for moment in moments],
                "precipitation": [amount for amount, _ in columns][kept],
                "precipitation_probability": [percent for _, percent in columns][kept],
                "rain": [amount for amount, _ in columns][kept],
            },
        }
