"""The app as a container: started, asked, told to stop."""

import asyncio
import json
import signal
import sys
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

import aiohttp

from scripts.building.buildah import buildah
from scripts.set_up.places import ROOT
from tests.emulators.supervisor.supervisor import HOST
from tests.eventually import eventually

HOSTNAME = "local-mowdeck"
SUPERVISOR_TOKEN = "token-of-the-app"  # noqa: S105 - opens the emulator
API, PAGE = 8765, 8099


class Image:
    """The files of an image and how it says that it is started."""

    def __init__(self, name: str) -> None:
        """Take the files of a built image; see `remove`."""
        self._container = buildah("from", "--pull-never", name)
        self.root = Path(buildah("mount", self._container))
        (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost {HOSTNAME}\n{HOST} supervisor\n")
        self.config: dict[str, Any] = json.loads(buildah("inspect", "--type", "image", name))["Docker"]["config"]
        self.variables = dict(line.split("=", 1) for line in self.config["Env"])

    def remove(self) -> None:
        """Give the files back."""
        buildah("rm", self._container)


class Container:
    """One start of the app; to be used in the loop of its network."""

    def __init__(
        self, image: Image, data: Path, *, options: Sequence[str] = (), variables: Mapping[str, str] | None = None
    ) -> None:
        """Describe it; `options` are those of `tests.app.enter`."""
        self.image = image
        self._data = data
        self._options = options
        self._variables = variables or {}
        self._process: asyncio.subprocess.Process | None = None
        self._output = bytearray()
        self._reader: asyncio.Task[None] | None = None

    @property
    def output(self) -> str:
        """All it said so far."""
        return self._output.decode(errors="replace")

    async def start(self) -> None:
        """Start what the image says is started, and return at once."""
        config = self.image.config
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.app.enter", str(self.image.root), str(self._data), HOSTNAME),
            *(*self._options, "--", *config["Entrypoint"], *config["Cmd"]),
            cwd=ROOT,
            env={**self.image.variables, "SUPERVISOR_TOKEN": SUPERVISOR_TOKEN, **self._variables},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        self._reader = asyncio.create_task(self._read())

    async def ready(self, *, seconds: float = 120.0) -> None:
        """Wait until every service can work; fails when the app ends instead."""

        async def look() -> bool:
            assert self._process
            assert self._process.returncode is None, self.output
            return (await self.ask("GET", "/readyz"))[0] == HTTPStatus.OK

        await eventually(look, seconds=seconds)

    async def end(self, *, seconds: float = 30.0) -> int:
        """Wait until it ends and return its exit code."""
        assert self._process
        assert self._reader
        async with asyncio.timeout(seconds):
            code = await self._process.wait()
            await asyncio.wait([self._reader], timeout=1)
        return code

    async def stop(self) -> int:
        """End it as the Supervisor does: SIGTERM, and after the seconds of `timeout:` it would be killed."""
        assert self._process
        self._process.send_signal(signal.SIGTERM)
        return await self.end(seconds=30)

    async def clean_up(self) -> None:
        """End it whatever state it is in."""
        if self._process and self._process.returncode is None:
            self._process.kill()
            await self.end()

    async def ask(
        self, method: str, path: str, *, token: str = "", port: int = API, body: object = None, came_from: str = HOST
    ) -> tuple[int, str]:
        """Send a request from an address of the network; returns status and body, 0 while nobody listens."""
        headers = {"X-MowDeck-Principal": "user:owner", "Idempotency-Key": "of-the-test"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connector = aiohttp.TCPConnector(local_addr=(came_from, 0))
        async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=20)) as session:
            try:
                async with session.request(method, f"http://127.0.0.1:{port}{path}", headers=headers, json=body) as got:
                    return got.status, await got.text()
            except aiohttp.ClientConnectionError, TimeoutError:
                return 0, ""

    async def run(self, *command: str) -> tuple[int, str]:
        """Run a command inside, as the Supervisor runs the hooks of a backup; returns exit code and output."""
        inside = self.processes()[0]
        process = await asyncio.create_subprocess_exec(
            *("nsenter", "--target", str(inside), "--mount", "--pid", "--uts", "--root", "--wd", "--", *command),
            env={**self.image.variables, "SUPERVISOR_TOKEN": SUPERVISOR_TOKEN},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, output.decode()

    def processes(self) -> list[int]:
        """Return the app's own processes, the first one first: below the init that an engine gives it."""
        assert self._process
        init = _children(self._process.pid)[0]
        found = _children(init)
        for process_id in found:
            found += _children(process_id)
        return found

    async def _read(self) -> None:
        assert self._process
        assert self._process.stdout
        while chunk := await self._process.stdout.read(65536):
            self._output += chunk


def _children(process_id: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()]


def account_of(process_id: int) -> int:
    """Return the number of the account that a process runs as."""
    return Path(f"/proc/{process_id}").stat().st_uid
