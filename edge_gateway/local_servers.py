"""The program's own PostgreSQL and NATS under the data folder, or the addresses of servers elsewhere."""

from typing import Protocol

import msgspec
import structlog

from edge_gateway.backup import restoration
from edge_gateway.embedded import orphans, runtime_folder
from edge_gateway.embedded.nats_server import NatsServer
from edge_gateway.embedded.postgres_server import PostgresServer
from edge_gateway.embedded.runtime_folder import RuntimeFolder
from edge_gateway.embedded.supervision import SupervisedServer
from edge_gateway.embedded.unprivileged import unprivileged_account
from edge_gateway.instance import Instance, explained
from edge_gateway.settings import ProgramSettings

_log = structlog.get_logger(__name__)


class Patience(Protocol):
    """Tells how long a step may take when later ones need `keep` seconds."""

    def __call__(self, *, keep: float) -> float:
        """Return seconds."""
        ...


class Addresses(msgspec.Struct, frozen=True):
    """Where the servers are: secrets both."""

    database_url: str
    nats_url: str


class LocalServers:
    """Both servers: started, watched over, stopped."""

    def __init__(self, settings: ProgramSettings, instance: Instance) -> None:
        """Take the addresses of servers elsewhere from the settings; what has none is run here."""
        self._settings = settings
        self._instance = instance
        self._runtime: RuntimeFolder | None = None
        self._postgres: SupervisedServer | None = None
        self._nats: SupervisedServer | None = None

    async def start(self) -> Addresses:
        """Stop what a killed program left behind, bring back a backup that is wanted, start what is to run here.

        Raises `ConfigurationError` when the data folder cannot be used, and what the servers' own starts raise.
        """
        try:
            return await self._start()
        except OSError as error:
            raise explained(self._instance.folder, error) from error

    async def start_database(self) -> PostgresServer:
        """Start the program's own PostgreSQL alone, for work on its data; raises like `start`."""
        try:
            return await self._start_postgres(await self._make_runtime())
        except OSError as error:
            raise explained(self._instance.folder, error) from error

    async def _start(self) -> Addresses:
        runtime = await self._make_runtime()
        settings = self._settings
        if settings.database_url:
            database_url = settings.database_url.get_secret_value()
        else:
            server = await self._start_postgres(runtime)
            await restoration.continue_or_begin(
                self._instance.folder,
                server.url,
                server.database_url("postgres"),
                postgres_bin=settings.postgres_bin,
            )
            database_url = server.url
        return Addresses(
            database_url=database_url,
            nats_url=settings.nats_url.get_secret_value() if settings.nats_url else await self._start_nats(runtime),
        )

    async def _make_runtime(self) -> RuntimeFolder:
        folder = self._instance.folder
        if left := runtime_folder.left_behind(folder):
            _log.warning("the program was not stopped cleanly the last time")
            await orphans.stop_servers_of(left)
        self._runtime = runtime_folder.create(folder, shared=unprivileged_account() is not None)
        return self._runtime

    async def stop(self, patience: Patience) -> None:
        """Stop NATS, then PostgreSQL."""
        ended = True
        if self._nats:
            ended &= await self._nats.stop(patience_seconds=min(1.0, patience(keep=2.0)))
        if self._postgres:
            ended &= await self._postgres.stop(patience_seconds=patience(keep=1.0))
        if self._runtime and ended:  # else the next start finds by it what still runs
            self._runtime.remove()

    async def _start_postgres(self, runtime: RuntimeFolder) -> PostgresServer:
        folder = self._instance.folder / "postgres"
        server = PostgresServer(folder, runtime, programs_folder=self._settings.postgres_bin)
        self._postgres = SupervisedServer(server)
        await self._postgres.start()
        return server

    async def _start_nats(self, runtime: RuntimeFolder) -> str:
        server = NatsServer(
            self._instance.folder / "nats",
            runtime,
            token=self._instance.nats_token,
            sync_interval_seconds=self._settings.nats_sync_interval_seconds,
        )
        self._nats = SupervisedServer(server)
        await self._nats.start()
        return server.url
