"""The real servers as fixtures: one PostgreSQL per run with a database per test, one NATS per test."""

import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from edge_gateway.embedded import runtime_folder
from edge_gateway.embedded.nats_server import NatsServer
from edge_gateway.embedded.postgres_server import PostgresServer
from tests.background_loop import BackgroundLoop
from tests.databases import Databases, execute

_MEMORY = Path("/dev/shm")  # noqa: S108  # nothing of it is kept, and nobody else reads it
_PREFIX = "mowdeck-tests-"
_MEMORY_ENOUGH_BYTES = 2 * 1024**3
"""Where so much memory is free the servers of the run write there: making a database takes a fifth of the time."""

_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "100"}
"""The run's databases are thrown away; faults are tested with servers of their own."""

_numbers = itertools.count()


@pytest.fixture(scope="session")
def server_loop() -> Iterator[BackgroundLoop]:
    """Return the loop in which the servers of the run live."""
    loop = BackgroundLoop()
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def postgres_server(server_loop: BackgroundLoop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """Return the PostgreSQL server of the run."""
    _remove_what_killed_runs_left()
    data_folder = _folder_in_memory() or tmp_path_factory.mktemp("postgres")
    runtime = runtime_folder.create(data_folder, shared=True)
    server = PostgresServer(data_folder / "postgres", runtime, parameters=_FAST)
    try:
        server_loop.run(server.start())
        yield server
        server_loop.run(server.stop())
    finally:
        runtime.remove()
        shutil.rmtree(data_folder, ignore_errors=True)


@pytest.fixture(scope="session")
def databases(server_loop: BackgroundLoop, postgres_server: PostgresServer) -> Databases:
    """Return what lends migrated databases, one after the other."""
    return Databases(postgres_server, server_loop)


@pytest.fixture
def postgres_url(server_loop: BackgroundLoop, postgres_server: PostgresServer) -> Iterator[str]:
    """Return the address of an empty database of the test's own."""
    name = f"test_{next(_numbers)}"
    administration = postgres_server.database_url("postgres")
    server_loop.run(execute(administration, f"CREATE DATABASE {name} STRATEGY file_copy"))
    yield postgres_server.database_url(name)
    server_loop.run(execute(administration, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def nats_server(server_loop: BackgroundLoop, tmp_path: Path) -> Iterator[NatsServer]:
    """Return a NATS server of the test's own, with an empty store."""
    data_folder = _folder_in_memory() or tmp_path / "nats-server"
    data_folder.mkdir(exist_ok=True)
    runtime = runtime_folder.create(data_folder, shared=False)
    server = NatsServer(data_folder / "nats", runtime, token="test-token")  # noqa: S106 - opens a server of one test
    server_loop.run(server.start())
    yield server
    # Its store is thrown away: there is nothing to bring to an end.
    server_loop.run(server.stop(patience_seconds=0))
    runtime.remove()
    shutil.rmtree(data_folder, ignore_errors=True)


@pytest.fixture
def nats_url(nats_server: NatsServer) -> str:
    """Return the address of a NATS server of the test's own."""
    return nats_server.url


def _folder_in_memory() -> Path | None:
    """Return a folder that is no disk's, which the server's user can reach; null where there is none or little room."""
    if not os.access(_MEMORY, os.W_OK) or shutil.disk_usage(_MEMORY).free < _MEMORY_ENOUGH_BYTES:
        return None
    folder = Path(mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=_MEMORY))
    folder.chmod(0o755)
    return folder


def _remove_what_killed_runs_left() -> None:
    """Give memory back that a run holds which ended without doing so: its process is gone."""
    for folder in _MEMORY.glob(f"{_PREFIX}*-*"):
        process_id = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if process_id.isdigit() and not Path("/proc", process_id).exists():
            shutil.rmtree(folder, ignore_errors=True)
