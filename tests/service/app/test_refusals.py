"""Starts that must not happen: each says what is wrong and what to do, without a traceback, and leaves nothing."""

import os
import signal
import socket
from pathlib import Path

import asyncpg
import pytest

from tests.service.app.conftest import MakeProgram
from tests.service.app.program import Program, processes


async def refusal(program: Program) -> tuple[int, str]:
    """Return exit code and words of a program that does not start; it leaves no process."""
    await program.start()
    process_id = program.process_id
    code = await program.end()
    assert "Traceback" not in program.output
    assert not [number for number, (_, parent) in processes().items() if parent == process_id]
    assert not (program.folder / "runtime").is_symlink()
    return code, program.output


async def test_all_wrong_settings_are_named_at_once(make_program: MakeProgram, folder: Path) -> None:
    variables = {
        "MOWDECK_API_PORT": "70000",
        "MOWDECK_LOG_LEVEL": "loud",
        "MOWDECK_DATABASE_URL": "mysql://user:hush@host/database",
        "MOWDECK_TELEMETRY_INGEST_BATCH_MAX": "many",
    }
    code, words = await refusal(make_program(variables=variables))
    assert code == 2
    assert "MOWDECK_API_PORT is '70000', and must be a whole number from 0 to 65535" in words
    assert "MOWDECK_LOG_LEVEL is 'loud', and must be one of debug, info, warning, error" in words
    assert "MOWDECK_TELEMETRY_INGEST_BATCH_MAX is 'many', and must be a whole number from 1 to 5000" in words
    assert "MOWDECK_DATABASE_URL" in words
    assert "hush" not in words
    assert not folder.exists()


async def test_a_variable_that_is_no_setting_is_told_with_the_nearest_one(make_program: MakeProgram) -> None:
    program = make_program(variables={"MOWDECK_API_PROT": "1"}, options=("--services", "telemetry"))
    await program.run_until_ready()
    assert {"name": "MOWDECK_API_PROT", "did_you_mean": "MOWDECK_API_PORT"}.items() <= next(
        event for event in program.events if event["level"] == "warning"
    ).items()


@pytest.mark.parametrize("names", ["mower", "telemetry,mower", ","])
async def test_a_service_that_there_is_not_is_named(make_program: MakeProgram, names: str) -> None:
    code, words = await refusal(make_program(options=("--services", names)))
    assert code == 2
    assert "telemetry" in words


async def test_a_port_in_use_is_named(make_program: MakeProgram) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        code, words = await refusal(make_program(variables={"MOWDECK_API_PORT": str(port)}))
    assert code == 2
    assert f"MOWDECK_API_PORT={port}" in words
    assert "another program listens" in words


async def test_a_second_program_on_the_same_folder_is_refused_and_the_first_goes_on(
    make_program: MakeProgram,
) -> None:
    first = make_program()
    await first.run_until_ready()
    second = make_program()
    await second.start()
    assert await second.end() == 1
    assert f"process {first.process_id}" in second.output
    assert (await first.ask("/healthz"))[0] == 200


async def test_a_folder_that_cannot_be_written_is_named(
    make_program: MakeProgram, ordinary_folder: tuple[Path, int | None]
) -> None:
    place, account = ordinary_folder
    place.chmod(0o555)
    code, words = await refusal(make_program(place / "data", account=account))
    assert code == 2
    assert f"The data folder {place / 'data'} cannot be used: this user may not write there" in words
    place.chmod(0o755)


async def test_a_file_in_the_place_of_the_folder_is_named(make_program: MakeProgram, folder: Path) -> None:
    folder.write_text("no folder")
    program = make_program()
    await program.start()
    assert await program.end() == 2
    assert f"The data folder {folder} cannot be used" in program.output


@pytest.mark.parametrize(("version", "words"), [("17", "PostgreSQL 17"), ("19", "PostgreSQL 19")])
async def test_data_of_another_postgresql_is_left_alone(
    make_program: MakeProgram, folder: Path, version: str, words: str
) -> None:
    (folder / "postgres").mkdir(parents=True)
    (folder / "postgres" / "PG_VERSION").write_text(f"{version}\n")
    (folder / "postgres" / "base").mkdir()
    code, said = await refusal(make_program())
    assert code == 2
    assert words in said
    assert "Nothing was changed" in said
    assert sorted(path.name for path in (folder / "postgres").iterdir()) == ["PG_VERSION", "base"]


async def test_a_database_of_a_newer_program_is_left_alone(
    make_program: MakeProgram, postgres_url: str, nats_url: str
) -> None:
    connection = await asyncpg.connect(postgres_url)
    await connection.execute("""
        CREATE SCHEMA migrations;
        CREATE TABLE migrations.applied (schema text, number integer, name text, checksum text,
            applied_at timestamptz DEFAULT now(), PRIMARY KEY (schema, number));
        INSERT INTO migrations.applied SELECT 'telemetry', number, 'later', 'x' FROM generate_series(1, 99) number
    """)
    code, words = await refusal(
        make_program(variables={"MOWDECK_DATABASE_URL": postgres_url, "MOWDECK_NATS_URL": nats_url})
    )
    assert code == 2
    assert "newer version of the program: telemetry is at 0099_later" in words
    assert await connection.fetchval("SELECT to_regnamespace('telemetry')") is None
    await connection.close()


async def test_a_database_elsewhere_that_refuses_is_a_wrong_setting(
    make_program: MakeProgram, postgres_url: str, nats_url: str
) -> None:
    elsewhere = postgres_url.replace("/test_", "/nowhere_")
    code, words = await refusal(
        make_program(variables={"MOWDECK_DATABASE_URL": elsewhere, "MOWDECK_NATS_URL": nats_url})
    )
    assert code == 2
    assert "MOWDECK_DATABASE_URL" in words


async def test_a_damaged_key_is_no_reason_to_make_a_new_one(make_program: MakeProgram, folder: Path) -> None:
    folder.mkdir()
    (folder / "secret.key").write_text("")
    code, words = await refusal(make_program())
    assert code == 2
    assert "secret.key" in words
    assert (folder / "secret.key").read_text() == ""


async def test_check_finds_what_is_wrong_without_starting_anything(make_program: MakeProgram, folder: Path) -> None:
    (folder / "postgres").mkdir(parents=True)
    (folder / "postgres" / "PG_VERSION").write_text("17\n")
    before = sorted(folder.rglob("*"))
    code, words = await refusal(make_program(command="check"))
    assert code == 2
    assert "PostgreSQL 17" in words
    assert sorted(folder.rglob("*")) == before


async def test_check_of_a_new_folder_finds_nothing_and_makes_nothing(make_program: MakeProgram, folder: Path) -> None:
    code, words = await refusal(make_program(command="check"))
    assert code == 0
    assert "WRONG" not in words
    assert not folder.exists()


async def test_check_names_a_port_in_use_and_a_strange_variable(make_program: MakeProgram) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        variables = {"MOWDECK_API_PORT": port, "MOWDECK_API_HOTS": "garden"}
        code, words = await refusal(make_program(command="check", variables=variables))
    assert code == 2
    assert f"WRONG API: cannot listen on 127.0.0.1, port {port}" in words
    assert "Did you mean MOWDECK_API_HOST?" in words


async def test_doctor_asks_the_running_program(make_program: MakeProgram) -> None:
    program = make_program()
    await program.run_until_ready()
    await program.answers()
    doctor = make_program(command="doctor")
    await doctor.start()
    assert await doctor.end() == 0
    assert "running and ready" in doctor.output
    os.kill(program.servers()["nats-server"], signal.SIGSTOP)
    sick = make_program(command="doctor")
    await sick.start()
    assert await sick.end() == 2
    assert "WRONG gateway: running, " in sick.output
    os.kill(program.servers()["nats-server"], signal.SIGCONT)
    os.kill(program.process_id, signal.SIGKILL)
    await program.end()
    again = make_program(command="doctor")
    await again.start()
    assert await again.end() == 0
    assert "did not end cleanly" in again.output


@pytest.mark.parametrize(("name", "kind"), [("nats", "file"), ("postgres", "file"), ("runtime", "folder")])
async def test_a_place_in_the_folder_that_is_something_else_is_named(
    make_program: MakeProgram, folder: Path, name: str, kind: str
) -> None:
    folder.mkdir(mode=0o700)
    if kind == "folder":
        (folder / name).mkdir()
    else:
        (folder / name).write_text("in the way")
    code, words = await refusal(make_program())
    assert code == 2
    assert str(folder / name) in words
