"""The runner of migrations against a real server."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from edge_gateway.contracts.errors import ConfigurationError, UnavailableError
from edge_gateway.database import pools
from edge_gateway.database.migrations import migrate
from tests.eventually import eventually


def write(folder: Path, name: str, sql: str, schema: str = "garden") -> Path:
    path = folder / schema / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(sql)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(
        tmp_path, "0001_beds.sql", "CREATE TABLE garden.bed (id bigint PRIMARY KEY); INSERT INTO garden.bed VALUES (1)"
    )
    return tmp_path


async def fetch(url: str, query: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def test_applies_each_file_once_and_in_order(postgres_url: str, folder: Path) -> None:
    write(folder, "0002_roses.sql", "ALTER TABLE garden.bed ADD COLUMN roses integer; UPDATE garden.bed SET roses = 3")
    applied = await migrate(postgres_url, ["garden"], folder=folder)
    assert [str(migration) for migration in applied] == ["garden 0001_beds", "garden 0002_roses"]
    assert await migrate(postgres_url, ["garden"], folder=folder) == []
    assert await fetch(postgres_url, "SELECT sum(roses) FROM garden.bed") == 3
    assert await fetch(postgres_url, "SELECT array_agg(number ORDER BY number) FROM migrations.applied") == [1, 2]


async def test_continues_where_an_older_version_stopped(postgres_url: str, folder: Path) -> None:
    await migrate(postgres_url, ["garden"], folder=folder)
    write(folder, "0002_roses.sql", "ALTER TABLE garden.bed ADD COLUMN roses integer")
    assert [str(migration) for migration in await migrate(postgres_url, ["garden"], folder=folder)] == [
        "garden 0002_roses"
    ]


async def test_copies_that_start_together_take_turns(postgres_url: str, folder: Path) -> None:
    write(folder, "0002_slow.sql", "SELECT pg_sleep(0.2); CREATE TABLE garden.path (id bigint)")
    results = await asyncio.gather(*(migrate(postgres_url, ["garden"], folder=folder) for _ in range(4)))
    assert sorted(len(applied) for applied in results) == [0, 0, 0, 2]


async def test_a_file_that_fails_leaves_nothing_of_itself(postgres_url: str, folder: Path) -> None:
    broken = write(folder, "0002_broken.sql", "CREATE TABLE garden.path (id bigint); SELECT 1/0")
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(postgres_url, ["garden"], folder=folder)
    assert await fetch(postgres_url, "SELECT to_regclass('garden.path')") is None
    assert await fetch(postgres_url, "SELECT max(number) FROM migrations.applied") == 1
    broken.write_text("CREATE TABLE garden.path (id bigint)")
    assert len(await migrate(postgres_url, ["garden"], folder=folder)) == 1


async def test_an_interruption_is_continued_by_the_next_start(postgres_url: str, folder: Path) -> None:
    slow = "CREATE TABLE garden.path (id bigint); SELECT pg_sleep(30)"
    path = write(folder, "0002_slow.sql", slow)
    running = asyncio.create_task(migrate(postgres_url, ["garden"], folder=folder))
    await eventually(
        lambda: fetch(postgres_url, "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE%pg_sleep(30)'")
    )
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(running, 5)
    path.write_text(slow.replace("30", "0"))
    applied = await asyncio.wait_for(migrate(postgres_url, ["garden"], folder=folder), 10)
    assert [str(migration) for migration in applied] == ["garden 0002_slow"]


async def test_a_changed_file_is_refused_and_nothing_is_done(postgres_url: str, folder: Path) -> None:
    await migrate(postgres_url, ["garden"], folder=folder)
    write(folder, "0001_beds.sql", "CREATE TABLE garden.bed (id text PRIMARY KEY)")
    write(folder, "0002_roses.sql", "CREATE TABLE garden.rose (id bigint)")
    with pytest.raises(ConfigurationError, match="garden 0001_beds") as refused:
        await migrate(postgres_url, ["garden"], folder=folder)
    assert refused.value.code == "migration_changed"
    assert await fetch(postgres_url, "SELECT to_regclass('garden.rose')") is None


async def test_a_database_of_a_newer_program_is_refused(postgres_url: str, folder: Path) -> None:
    newer = write(folder, "0002_roses.sql", "CREATE TABLE garden.rose (id bigint)")
    await migrate(postgres_url, ["garden"], folder=folder)
    newer.unlink()
    with pytest.raises(ConfigurationError, match="0002_roses") as refused:
        await migrate(postgres_url, ["garden"], folder=folder)
    assert refused.value.code == "database_newer"


async def test_a_refusal_in_one_schema_leaves_the_others_as_they_are(postgres_url: str, folder: Path) -> None:
    newer = write(folder, "0002_roses.sql", "CREATE TABLE garden.rose (id bigint)")
    await migrate(postgres_url, ["garden"], folder=folder)
    newer.unlink()
    write(folder, "0001_tools.sql", "CREATE TABLE shed.tool (id bigint)", schema="shed")
    with pytest.raises(ConfigurationError):
        await migrate(postgres_url, ["shed", "garden"], folder=folder)
    assert await fetch(postgres_url, "SELECT to_regclass('shed.tool')") is None


async def test_a_name_without_its_schema_finds_nothing(postgres_url: str, folder: Path) -> None:
    write(folder, "0002_roses.sql", "CREATE TABLE rose (id bigint)")
    with pytest.raises(asyncpg.InvalidSchemaNameError):
        await migrate(postgres_url, ["garden"], folder=folder)


async def test_works_on_a_connection_that_the_caller_keeps(postgres_url: str, folder: Path) -> None:
    connection = await asyncpg.connect(postgres_url)
    try:
        assert len(await migrate(connection, ["garden"], folder=folder)) == 1
        assert await connection.fetchval("SELECT count(*) FROM garden.bed") == 1
        assert await connection.fetchval("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == 0
    finally:
        await connection.close()


async def test_a_pool_speaks_utc_under_its_name(postgres_url: str) -> None:
    pool = await pools.open_pool(postgres_url, application_name="mowdeck test")
    async with pool.acquire() as connection:
        assert await connection.fetchval("SHOW timezone") == "UTC"
        assert await connection.fetchval("SHOW application_name") == "mowdeck test"
    await pool.close()


async def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError) as unavailable:
        await pools.open_pool(f"postgresql://mowdeck@/mowdeck?host={tmp_path}", application_name="mowdeck test")
    assert unavailable.value.code == "database_unavailable"


async def test_a_database_that_is_not_there_is_a_wrong_setting(postgres_url: str) -> None:
    with pytest.raises(ConfigurationError, match="nowhere") as refused:
        await pools.connect(postgres_url.replace("/test_", "/nowhere_"), application_name="mowdeck test")
    assert refused.value.field == "MOWDECK_DATABASE_URL"
