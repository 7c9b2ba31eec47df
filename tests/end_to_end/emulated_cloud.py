"""The emulated Mammotion cloud as a child process, seen through its control endpoint."""

from pathlib import Path
from typing import Any, override

import aiohttp

from scripts.running.emulated_cloud import EmulatedCloud as Program


class EmulatedCloud(Program):
    """One account with one mower, living faster than the clock."""

    def __init__(self, log: Path, *, speed: float, air: bool = False) -> None:
        """Describe it."""
        super().__init__(log, speed=speed, report_period_factor=0.2, air=air)
        self._session: aiohttp.ClientSession | None = None

    @override
    async def start(self) -> None:
        await super().start()
        self._session = aiohttp.ClientSession()

    @override
    async def stop(self) -> None:
        if self._session is not None:
            await self._session.close()
        await super().stop()

    async def received(self, name: str) -> list[dict[str, Any]]:
        """Return the protobuf messages of a name that the mower received, decoded."""
        log: list[dict[str, Any]] = await self._get("/_emulator/log")
        return [message for message in log if message["name"] == name]

    async def starts(self) -> list[dict[str, Any]]:
        """Return the orders to start a job that the mower received."""
        return [message for message in await self.received("todev_taskctrl") if message["fields"]["action"] == 1]

    async def do_to_broker(self, action: str) -> None:
        """Cut the broker off, or `restore` it."""
        assert self._session is not None
        async with self._session.post(f"{self.url}/_emulator/broker", json={"action": action}) as response:
            response.raise_for_status()

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
