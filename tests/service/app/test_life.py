"""Starting, stopping, being killed: what the program leaves and what it finds again."""

import asyncio
import os
import signal
from pathlib import Path

import asyncpg
import pytest

from tests.eventually import eventually
from tests.service.app.conftest import MakeProgram
from tests.service.app.program import processes


def database_url(folder: Path) -> str:
    return f"postgresql://mowdeck@/mowdeck?host={(folder / 'runtime').readlink() / 'postgres'}"


async def remember(folder: Path) -> None:
    """Store something that later starts must find."""
    connection = await asyncpg.connect(database_url(folder))
    await connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    await connection.close()


async def remembered(folder: Path) -> object:
    connection = await asyncpg.connect(database_url(folder))
    try:
        return await connection.fetchval("SELECT number FROM kept")
    finally:
        await connection.close()


async def test_a_first_start_makes_a_private_data_folder_and_answers(make_program: MakeProgram, folder: Path) -> None:
    program = make_program()
    await program.run_until_ready()
    assert folder.stat().st_mode & 0o777 == 0o700
    for secret in ("token", "secret.key", "nats_token", "lock", "gateway_id"):
        assert (folder / secret).stat().st_mode & 0o777 == 0o600, secret
    await program.answers()
    assert (await program.ask("/healthz"))[0] == 200


async def test_sigterm_stops_everything_in_time_and_the_next_start_finds_it(
    make_program: MakeProgram, folder: Path
) -> None:
    first = make_program()
    await first.run_until_ready()
    await remember(folder)
    servers = first.servers()
    assert servers.keys() == {"postgres", "nats-server"}
    runtime = (folder / "runtime").readlink()
    token, gateway_id = first.token, (folder / "gateway_id").read_text()
    assert await first.stop() == 0
    assert servers.values() & processes().keys() == set()
    assert not runtime.exists()
    assert not (folder / "port").exists()

    second = make_program()
    await second.run_until_ready()
    assert second.token == token
    assert (folder / "gateway_id").read_text() == gateway_id
    assert await remembered(folder) == 7


async def test_ctrl_c_stops_as_cleanly(make_program: MakeProgram) -> None:
    program = make_program()
    await program.run_until_ready()
    servers = program.servers()
    program.signal(signal.SIGINT)
    assert await program.end(seconds=10) == 0
    assert servers.values() & processes().keys() == set()


@pytest.mark.parametrize("seconds", [0.2, 0.7, 1.0, 1.3, 1.6, 1.9, 2.4])
async def test_sigterm_while_starting_stops_cleanly_and_loses_nothing(
    make_program: MakeProgram, folder: Path, seconds: float
) -> None:
    """At moments spread over a first start: the imports, initdb, the servers, the migrations, the services."""
    interrupted = make_program()
    await interrupted.start()
    await asyncio.sleep(seconds)
    children = {number for number, (_, parent) in processes().items() if parent == interrupted.process_id}
    code = await interrupted.stop()
    # Before Python runs at all, the signal ends the process as it is.
    assert code == 0 or (code == -signal.SIGTERM and not folder.exists())
    assert children & processes().keys() == set()

    second = make_program()
    await second.run_until_ready()
    assert await second.stop() == 0


async def test_after_a_kill_the_next_start_stops_what_was_left_and_finds_its_data(
    make_program: MakeProgram, folder: Path
) -> None:
    killed = make_program()
    await killed.run_until_ready()
    await remember(folder)
    token, servers = killed.token, killed.servers()
    killed.signal(signal.SIGKILL)
    assert await killed.end() == -signal.SIGKILL
    assert (folder / "runtime").is_symlink()

    second = make_program()
    await second.run_until_ready()
    assert servers.values() & processes().keys() == set()
    assert second.token == token
    assert await remembered(folder) == 7
    await second.answers()


@pytest.mark.parametrize("server", ["postgres", "nats-server"])
async def test_a_killed_server_comes_back_and_the_services_go_on(
    make_program: MakeProgram, folder: Path, server: str
) -> None:
    program = make_program()
    await program.run_until_ready()
    await program.answers()
    await remember(folder)
    before = program.servers()
    os.kill(before[server], signal.SIGKILL)

    async def back() -> bool:
        return program.servers().get(server, before[server]) != before[server]

    await eventually(back, seconds=20)
    await program.answers()
    assert await remembered(folder) == 7
    others = set(before) - {server}
    assert {name: program.servers()[name] for name in others} == {name: before[name] for name in others}
    assert await program.stop() == 0


async def test_no_secret_is_told_even_when_everything_is(make_program: MakeProgram, folder: Path) -> None:
    program = make_program()
    await program.run_until_ready()
    await program.answers()
    await program.stop()
    for secret in ("token", "nats_token", "secret.key"):
        assert (folder / secret).read_text().strip() not in program.output, secret


async def test_an_ordinary_user_can_run_it(make_program: MakeProgram, ordinary_folder: tuple[Path, int | None]) -> None:
    place, account = ordinary_folder
    program = make_program(place / "data", account=account)
    await program.run_until_ready()
    await program.answers()
    assert await program.stop() == 0


async def test_servers_elsewhere_are_used_and_none_started(
    make_program: MakeProgram, postgres_url: str, nats_url: str
) -> None:
    program = make_program(variables={"MOWDECK_DATABASE_URL": postgres_url, "MOWDECK_NATS_URL": nats_url})
    await program.run_until_ready()
    await program.answers()
    assert program.servers() == {}
    connection = await asyncpg.connect(postgres_url)
    assert await connection.fetchval("SELECT count(*) > 0 FROM migrations.applied")
    await connection.close()
    assert await program.stop() == 0


async def test_one_service_runs_alone(make_program: MakeProgram, postgres_url: str, nats_url: str) -> None:
    program = make_program(
        options=("--services", "telemetry"),
        variables={"MOWDECK_DATABASE_URL": postgres_url, "MOWDECK_NATS_URL": nats_url},
    )
    await program.run_until_ready()
    connection = await asyncpg.connect(postgres_url)
    assert await connection.fetchval("SELECT array_agg(DISTINCT schema) FROM migrations.applied") == ["telemetry"]
    await connection.close()
    assert not (program.folder / "port").exists()
    assert await program.stop() == 0
