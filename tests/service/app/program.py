"""The program as a child of the test, on a data folder of the test's own."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

import aiohttp

from tests.eventually import eventually

ROOT = Path(__file__).parents[3]


class Program:
    """One `mowdeck-edge run`; its log is read as JSON."""

    def __init__(
        self,
        folder: Path,
        *,
        command: str = "run",
        options: tuple[str, ...] = (),
        variables: Mapping[str, str] | None = None,
        account: int | None = None,
    ) -> None:
        """Describe it; `account` is the number of another user to run it as."""
        self.folder = folder
        self._command = [sys.executable, "-m", "edge_gateway", command, "--data-dir", str(folder), *options]
        self._variables = variables or {}
        self._account = account
        self._process: asyncio.subprocess.Process | None = None
        self._output = bytearray()
        self._reader: asyncio.Task[None] | None = None

    @property
    def process_id(self) -> int:
        """Its process."""
        assert self._process
        return self._process.pid

    @property
    def output(self) -> str:
        """All it said so far."""
        return self._output.decode()

    @property
    def events(self) -> list[dict[str, Any]]:
        """The lines of its log."""
        return [json.loads(line) for line in self.output.splitlines() if line.startswith("{") and line.endswith("}")]

    @property
    def token(self) -> str:
        """The bearer token of its API."""
        return (self.folder / "token").read_text().strip()

    async def start(self) -> None:
        """Start it, and return at once."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MOWDECK_")}
        if self._account is not None:
            # What measures the tests cannot write its records as another user.
            inherited = {name: value for name, value in inherited.items() if "COVERAGE" not in name}
        standard = {"MOWDECK_LOG_FORMAT": "json", "MOWDECK_API_PORT": "0", "MOWDECK_LOG_LEVEL": "debug"}
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=ROOT,
            env={**inherited, **standard, **self._variables},
            user=self._account,
            group=self._account,
            extra_groups=None if self._account is None else [],
        )
        self._reader = asyncio.create_task(self._read())

    async def ready(self, *, seconds: float = 30.0) -> None:
        """Wait until it says that it is ready; fails when it ends instead."""

        async def look() -> bool:
            assert self._process
            assert self._process.returncode is None, self.output
            return any(event["event"] == "ready" for event in self.events)

        await eventually(look, seconds=seconds)

    async def run_until_ready(self) -> None:
        """Start it and wait until it is ready."""
        await self.start()
        await self.ready()

    async def end(self, *, seconds: float = 20.0) -> int:
        """Wait until it ends and return its exit code."""
        assert self._process
        assert self._reader
        async with asyncio.timeout(seconds):
            code = await self._process.wait()
            # Servers that outlive a killed program hold its output open.
            await asyncio.wait([self._reader], timeout=0.5)
        self._reader.cancel()
        return code

    async def stop(self) -> int:
        """End it by SIGTERM, as the Supervisor does, which kills after ten seconds; return its exit code."""
        self.signal(signal.SIGTERM)
        return await self.end(seconds=10)

    async def clean_up(self) -> None:
        """End it whatever state it is in."""
        if self._process and self._process.returncode is None:
            self._process.terminate()
            try:
                await self.end(seconds=12)
            except TimeoutError:
                self._process.kill()
                await self.end()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process
        self._process.send_signal(number)

    def servers(self) -> dict[str, int]:
        """Return the processes of its two servers, by name."""
        found = {}
        for process_id, (program, parent) in processes().items():
            if parent == self.process_id and program in {"postgres", "nats-server"}:
                found[program] = process_id
        return found

    async def ask(self, path: str) -> tuple[int, str]:
        """Ask its API as the owner; returns status and body, 0 while nobody listens."""
        port = (self.folder / "port").read_text().strip()
        headers = {"Authorization": f"Bearer {self.token}", "X-MowDeck-Principal": "user:owner"}
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session:
            try:
                async with session.get(f"http://127.0.0.1:{port}{path}", headers=headers) as answer:
                    return answer.status, await answer.text()
            except aiohttp.ClientConnectionError:
                return 0, ""

    async def answers(self) -> None:
        """Wait until it says of itself that database, bus and services work."""

        async def look() -> bool:
            return (await self.ask("/readyz"))[0] == HTTPStatus.OK

        await eventually(look, seconds=30)

    async def _read(self) -> None:
        assert self._process
        assert self._process.stdout
        while chunk := await self._process.stdout.read(65536):
            self._output += chunk


def processes() -> dict[int, tuple[str, int]]:
    """Return the machine's living processes with their program and their parent."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            program = (entry / "exe").readlink().name
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            found[int(entry.name)] = (program, int(parent))
    return found
