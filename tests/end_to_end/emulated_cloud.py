"""The emulated Mammotion cloud as a child process, seen through its control endpoint."""

import asyncio
import json
from pathlib import Path
from typing import Any, Self

import aiohttp

from scripts.running.process import Process
from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT

_START_SECONDS = 30.0


class EmulatedCloud:
    """One account with one mower, living faster than the clock."""

    def __init__(self, log: Path, *, speed: float) -> None:
        """Describe it."""
        self.url = ""
        self.username = ""
        self.password = ""
        self._session: aiohttp.ClientSession | None = None
        self.process = Process(
            "The emulated cloud",
            [
                str(ENVIRONMENTS["gateway"].python),
                "-m",
                "tests.emulators.mammotion",
                f"--speed={speed}",
                "--report-period-factor=0.2",
            ],
            log=log,
            variables={"PYTHONUNBUFFERED": "1"},
            folder=ROOT,
        )

    async def start(self) -> None:
        """Start it and read its address."""
        await self.process.start()
        async with asyncio.timeout(_START_SECONDS):
            while not (lines := [line for line in self._lines() if line.startswith('{"url"')]):
                self.process.check()
                await asyncio.sleep(0.05)
        address = json.loads(lines[0])
        self.url, self.username, self.password = address["url"], address["username"], address["password"]
        self._session = aiohttp.ClientSession()

    async def stop(self) -> None:
        """Stop it."""
        if self._session is not None:
            await self._session.close()
        await self.process.stop()

    async def received(self, name: str) -> list[dict[str, Any]]:
        """Return the protobuf messages of a name that the mower received, decoded."""
        log: list[dict[str, Any]] = await self._get("/_emulator/log")
        return [message for message in log if message["name"] == name]

    async def starts(self) -> list[dict[str, Any]]:
        """Return the orders to start a job that the mower received."""
        return [message for message in await self.received("todev_taskctrl") if message["fields"]["action"] == 1]

    async def mower(self) -> dict[str, Any]:
        """Return the mower's state as the mower knows it."""
        state: dict[str, Any] = await self._get("/_emulator/mower")
        return state

    async def reports(self) -> list[dict[str, Any]]:
        """Return every report that the mower sent, oldest first."""
        reports: list[dict[str, Any]] = await self._get("/_emulator/reports")
        return reports

    async def _get(self, path: str) -> Any:  # noqa: ANN401  # JSON
        assert self._session is not None
        async with self._session.get(self.url + path) as response:
            response.raise_for_status()
            return await response.json()

    def _lines(self) -> list[str]:
        return self.process.log.read_text(errors="replace").splitlines()

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop."""
        await self.stop()
