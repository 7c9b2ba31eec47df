"""A real PostgreSQL (fsync on) and NATS server (file storage), as the program starts them, and what they cost."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg
import msgspec

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.embedded import runtime_folder
from edge_gateway.embedded.nats_server import NatsServer
from edge_gateway.embedded.postgres_server import PostgresServer

_CLOCK_TICKS = 100
_USER_TIME, _SYSTEM_TIME, _PARENT = 11, 12, 1
"""Places in /proc/<process>/stat after the name."""


class Cpu(msgspec.Struct, frozen=True):
    """Seconds that each program has computed."""

    python: float
    postgres: float
    nats: float

    def since(self, earlier: Cpu) -> Cpu:
        """Return what was added."""
        return Cpu(self.python - earlier.python, self.postgres - earlier.postgres, self.nats - earlier.nats)

    @property
    def total(self) -> float:
        """All together."""
        return self.python + self.postgres + self.nats


class Servers:
    """Both servers, running."""

    def __init__(self, postgres: PostgresServer, nats: NatsServer) -> None:
        """Keep them."""
        self._postgres = postgres
        self._nats = nats
        self._databases = 0

    @property
    def nats_url(self) -> str:
        """The address of the bus."""
        return self._nats.url

    async def new_database(self) -> str:
        """Return the address of an empty database."""
        self._databases += 1
        name = f"side_{self._databases}"
        connection = await asyncpg.connect(self._postgres.database_url("postgres"))
        try:
            await connection.execute(f"CREATE DATABASE {name}")
            # What an earlier side left to write does not count for the next one.
            await connection.execute("CHECKPOINT")
        finally:
            await connection.close()
        return self._postgres.database_url(name)

    def cpu(self) -> Cpu:
        """Return what was computed so far."""
        return Cpu(
            time.process_time(), _family_seconds(self._postgres.process_id), _family_seconds(self._nats.process_id)
        )


@asynccontextmanager
async def running() -> AsyncIterator[Servers]:
    """Start both servers in a folder of their own and stop them afterwards."""
    with TemporaryDirectory(prefix="mowdeck-benchmark-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # noqa: ASYNC240 - nothing else runs yet
        runtime = runtime_folder.create(folder, shared=True)
        postgres = PostgresServer(folder / "postgres", runtime)
        nats = NatsServer(folder / "nats", runtime, token="benchmark")  # noqa: S106 - opens a server of one run
        try:
            await asyncio.gather(postgres.start(), nats.start())
            # Makes the streams as the program does.
            bus = await JetStreamBus.connect(nats.url, clock=SystemClock(), instance_id="benchmark")
            await bus.close()
            yield Servers(postgres, nats)
        finally:
            await asyncio.gather(postgres.stop(), nats.stop())
            runtime.remove()


def _family_seconds(process_id: int | None) -> float:
    """Return the processor time of a process and its children, ended ones included."""
    seconds = 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except FileNotFoundError, ProcessLookupError:
            continue
        own = path.parent.name == str(process_id)
        if own or fields[_PARENT] == str(process_id):
            seconds += (int(fields[_USER_TIME]) + int(fields[_SYSTEM_TIME])) / _CLOCK_TICKS
        if own:
            seconds += (int(fields[_USER_TIME + 2]) + int(fields[_SYSTEM_TIME + 2])) / _CLOCK_TICKS
    return seconds
