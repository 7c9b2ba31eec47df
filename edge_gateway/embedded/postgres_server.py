"""A local PostgreSQL server in the data folder, reachable by a private unix socket only."""

import asyncio
import signal
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import asyncpg
import structlog

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.embedded import postgres_folder, postgres_programs
from edge_gateway.embedded.child_process import ChildProcess
from edge_gateway.embedded.postgres_programs import PostgresPrograms
from edge_gateway.embedded.runtime_folder import RuntimeFolder
from edge_gateway.embedded.unprivileged import unprivileged_account

_log = structlog.get_logger(__name__)

DATABASE = "mowdeck"

PARAMETERS: Mapping[str, str] = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "cluster_name": "mowdeck",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "",
    # A statement may hold what somebody typed.
    "log_min_error_statement": "panic",
    "log_checkpoints": "off",
    # Small: it shares a Raspberry Pi with Home Assistant (measured: five processes, 13 MB).
    "max_connections": "60",
    "shared_buffers": "32MB",
    "huge_pages": "off",
    "jit": "off",
    "max_parallel_workers": "0",
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    "autovacuum_max_workers": "1",
    # Nobody replicates from it.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    # Fewer full pages in the log: an SD card is worn by writing.
    "checkpoint_timeout": "15min",
    "max_wal_size": "256MB",
    "min_wal_size": "48MB",
}
_NEWER_PARAMETERS: Mapping[int, Mapping[str, str]] = {18: {"io_method": "sync"}}

_START_SECONDS = 600.0
"""Replaying the log after a cut of power takes minutes on an SD card."""
_POLL_SECONDS = 0.01
_QUIT_SECONDS = 1.0
_LEVELS = {"WARNING": "warning", "PANIC": "error"}


class PostgresServer:
    """The server of one data folder; started again with the same address after it died."""

    name = "postgres"

    def __init__(
        self,
        folder: Path,
        runtime: RuntimeFolder,
        *,
        programs_folder: Path | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> None:
        """Name the database folder; `parameters` overrule the server's (tests do without fsync)."""
        self._folder = folder
        self._runtime = runtime
        self._programs_folder = programs_folder
        self._parameters = parameters or {}
        self._account = unprivileged_account()
        self._socket_folder = runtime.subfolder("postgres", self._account)
        self._child: ChildProcess | None = None

    @property
    def url(self) -> str:
        """The address of the database."""
        return self.database_url(DATABASE)

    @property
    def process_id(self) -> int | None:
        """The server's process; null when it was not started."""
        return self._child.process_id if self._child else None

    def database_url(self, database: str) -> str:
        """Return the address of another database of the same server."""
        return f"postgresql://{postgres_folder.SUPERUSER}@/{database}?host={quote(str(self._socket_folder))}"

    async def start(self) -> None:
        """Start the server and return when it answers.

        Raises `ConfigurationError` when the folder cannot be used, `UnavailableError` (`postgres_start`) with the
        server's own words when it does not come up.
        """
        programs = await postgres_programs.find(self._programs_folder, self._runtime, self._account)
        self._runtime.subfolder("postgres", self._account)
        await postgres_folder.prepare(self._folder, programs, self._account)
        with postgres_folder.opened(self._folder, self._account) as place:
            self._child = await ChildProcess.launch(
                self.name,
                [programs.postgres, "-D", place.name, "-k", self._socket_folder, *self._options(programs)],
                level=_level,
                environment=postgres_folder.ENVIRONMENT,
                account=self._account,
                descriptors=place.descriptors,
            )
        try:
            await self._ready(self._child)
            await self._create_database()
        except BaseException:
            await self.stop()
            raise

    async def exited(self) -> str:
        """Return the server's last words when it has ended by itself."""
        if self._child is None:
            return ""
        code = await self._child.wait()
        return f"ended with {code}: {self._child.last_words}"

    async def stop(self, *, patience_seconds: float = 4.0) -> bool:
        """Stop the server: fast, and if that takes longer than it may, at once (its log is replayed at the next start).

        Never by SIGKILL, which would leave its own children behind.
        """
        steps = ((signal.SIGINT, patience_seconds), (signal.SIGQUIT, _QUIT_SECONDS))
        if self._child is None or await self._child.stop(steps):
            return True
        _log.error("PostgreSQL does not stop; the next start will see to it", process_id=self._child.process_id)
        return False

    def _options(self, programs: PostgresPrograms) -> list[str]:
        parameters = dict(PARAMETERS)
        for major, newer in _NEWER_PARAMETERS.items():
            if programs.major >= major:
                parameters |= newer
        parameters |= self._parameters
        return [part for name, value in parameters.items() for part in ("-c", f"{name}={value}")]

    async def _ready(self, child: ChildProcess) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        told = started
        while not self._says_ready(child.process_id):
            if child.exit_code is not None:
                await child.wait()
                raise UnavailableError(code="postgres_start", detail=f"PostgreSQL did not start: {child.last_words}")
            if loop.time() - started > _START_SECONDS:
                raise UnavailableError(
                    code="postgres_start", detail=f"PostgreSQL was not ready after {_START_SECONDS:.0f} s."
                )
            if loop.time() - told > 10:  # noqa: PLR2004 - seconds between two signs of life
                told = loop.time()
                _log.info("PostgreSQL is replaying its log", seconds=round(loop.time() - started))
            await asyncio.sleep(_POLL_SECONDS)

    def _says_ready(self, process_id: int) -> bool:
        """Read the status that the server itself keeps in the eighth line of its lock file."""
        try:
            lines = (self._folder / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        status_line = 7
        return len(lines) > status_line and lines[0] == str(process_id) and lines[status_line].strip() == "ready"

    async def _create_database(self) -> None:
        connection = await asyncpg.connect(self.database_url("postgres"), timeout=10)
        try:
            if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", DATABASE):
                await connection.execute(f"CREATE DATABASE {DATABASE}")
        finally:
            await connection.close(timeout=5)


def _level(line: str) -> str:
    return _LEVELS.get(line.partition(":")[0], "debug")
