"""The real servers as fixtures: one PostgreSQL per run with a database per test, one NATS per test."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from edge_gateway.embedded import runtime_folder
from edge_gateway.embedded.nats_server import NatsServer
from edge_gateway.embedded.postgres_server import PostgresServer
from tests.background_loop import BackgroundLoop

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
    data_folder = tmp_path_factory.mktemp("postgres")
    runtime = runtime_folder.create(data_folder, shared=True)
    server = PostgresServer(data_folder / "postgres", runtime, parameters=_FAST)
    server_loop.run(server.start())
    yield server
    server_loop.run(server.stop())
    runtime.remove()


@pytest.fixture
def postgres_url(server_loop: BackgroundLoop, postgres_server: PostgresServer) -> Iterator[str]:
    """Return the address of an empty database of the test's own."""
    name = f"test_{next(_numbers)}"
    administration = postgres_server.database_url("postgres")
    server_loop.run(_execute(administration, f"CREATE DATABASE {name} STRATEGY file_copy"))
    yield postgres_server.database_url(name)
    server_loop.run(_execute(administration, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def nats_server(server_loop: BackgroundLoop, tmp_path: Path) -> Iterator[NatsServer]:
    """Return a NATS server of the test's own, with an empty store."""
    data_folder = tmp_path / "nats-server"
    data_folder.mkdir()
    runtime = runtime_folder.create(data_folder, shared=False)
    server = NatsServer(data_folder / "nats", runtime, token="test-token")  # noqa: S106 - opens a server of one test
    server_loop.run(server.start())
    yield server
    server_loop.run(server.stop())
    runtime.remove()


@pytest.fixture
def nats_url(nats_server: NatsServer) -> str:
    """Return the address of a NATS server of the test's own."""
    return nats_server.url


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
