"""The whole program with simulated mowers, in this process, and its API."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from edge_gateway.app import Gateway
from edge_gateway.composition import FACTORIES
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.settings import Settings
from tests.eventually import eventually


class WholeHouse:
    """The API of a running program, asked as its owner."""

    def __init__(self, session: aiohttp.ClientSession, url: str, token: str) -> None:
        """Ask at `url`."""
        self._session = session
        self.url = url
        self.token = token

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str = "",
        principal: str = "user:owner",
    ) -> tuple[int, Any]:
        """Return the status and the body of an answer."""
        headers = {
            "Authorization": f"Bearer {self.token}",
            "X-MowDeck-Principal": principal,
            "Content-Type": "application/json",
        }
        if key:
            headers["Idempotency-Key"] = key
        data = None if body is None else msgspec.json.encode(body)
        url = f"{self.url}/api/v1{path}"
        async with self._session.request(method, url, data=data, headers=headers) as response:
            text = await response.text()
            return response.status, msgspec.json.decode(text) if text else None

    async def ready(self) -> bool:
        """Tell whether the program is ready for clients, as its probe says."""
        async with self._session.get(f"{self.url}/readyz") as response:
            return response.status == 200

    async def mowers(self, count: int) -> list[dict[str, Any]]:
        """Wait until so many mowers are reached and have a map and a state; return them."""

        async def look() -> list[dict[str, Any]]:
            _, page = await self.ask("GET", "/mowers")
            known = [mower for mower in page["items"] if mower["available"] and mower["areas"] and mower["observed_at"]]
            return known if len(known) == count else []

        return await eventually(look, seconds=20)


@asynccontextmanager
async def open_whole_house(folder: Path, *, clock: SystemClock | None = None) -> AsyncIterator[WholeHouse]:
    """Start the program as the environment says; stop it in the end."""
    gateway = Gateway(Settings.load(), folder, list(FACTORIES), clock=clock)
    try:
        await gateway.start()
        port = (folder / "port").read_text().strip()
        token = (folder / "token").read_text().strip()
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=20)) as session:
            house = WholeHouse(session, f"http://127.0.0.1:{port}", token)
            await eventually(house.ready, seconds=20)
            yield house
    finally:
        async with asyncio.timeout(20):
            await gateway.stop()
