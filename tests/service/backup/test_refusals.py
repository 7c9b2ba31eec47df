"""A backup that cannot be made or brought back changes nothing, and fails others only where it must."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import msgspec
import pytest

from edge_gateway import backup_commands
from edge_gateway.backup import counting, folders, manifest
from edge_gateway.contracts.errors import ConfigurationError, ConflictError
from edge_gateway.database.migrations import migrate
from edge_gateway.embedded.postgres_server import PostgresServer
from edge_gateway.examination import examine
from edge_gateway.instance import Instance
from edge_gateway.local_servers import LocalServers
from edge_gateway.settings import Settings

WORDS = "telemetry.word"


@asynccontextmanager
async def database(folder: Path) -> AsyncIterator[PostgresServer]:
    """Run the data folder's own database, as the program does."""
    opened = Instance.open(folder)
    servers = LocalServers(Settings.load().program, opened)
    try:
        yield await servers.start_database()
    finally:
        await servers.stop(lambda *, keep: 10 - keep)
        opened.close()


async def words(folder: Path) -> manifest.Table:
    """Return what the database holds of what was put there."""
    async with database(folder) as server:
        connection = await asyncpg.connect(server.url)
        try:
            return (await counting.count(connection))[WORDS]
        finally:
            await connection.close()


@pytest.fixture
async def made(folder: Path) -> Path:
    """Return a complete backup of a database with a few words in it."""
    async with database(folder) as server:
        await migrate(server.url, ["telemetry"])
        connection = await asyncpg.connect(server.url)
        await connection.execute(f"INSERT INTO {WORDS} (text) VALUES ('north'), ('south')")  # noqa: S608 - our own table
        await connection.close()
    assert await backup_commands.back_up(Settings.load(), folder) == 0
    backup = folders.newest(folder)
    assert backup
    return backup


async def test_without_any_copy_a_backup_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await backup_commands.back_up(Settings.load(), folder) == 1
    assert "no database" in capsys.readouterr().err


async def test_one_that_fails_leaves_the_older_one_and_says_so(
    folder: Path, made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MOWDECK_POSTGRES_BIN", str(folder))
    assert await backup_commands.back_up(Settings.load(), folder) == 0
    monkeypatch.delenv("MOWDECK_POSTGRES_BIN")
    assert "is still there and is used" in capsys.readouterr().err
    assert folders.newest(folder) == made
    failure = folders.read_failure(folder)
    assert failure
    assert "MOWDECK_POSTGRES_BIN" in failure.detail
    assert ("backup", True) in {
        (finding.subject, finding.remedy is not None) for finding in await examine(Settings.load(), folder)
    }
    assert await backup_commands.back_up(Settings.load(), folder) == 0
    assert folders.read_failure(folder) is None
    checked = [finding for finding in await examine(Settings.load(), folder) if finding.subject == "backup"]
    assert [(finding.detail.endswith("whole"), finding.remedy) for finding in checked] == [(True, None)]


async def test_a_database_is_replaced_only_by_what_it_was_told_and_never_by_a_lie(folder: Path, made: Path) -> None:
    with pytest.raises(ConflictError, match="database of its own"):
        await backup_commands.restore(Settings.load(), folder, None, replace=False)
    told = manifest.read(made)
    lying = told.tables | {WORDS: manifest.Table(rows=7, checksum=7)}
    manifest.write_private(made / manifest.FILE_NAME, manifest.encode(msgspec.structs.replace(told, tables=lying)))
    with pytest.raises(ConfigurationError, match=f"differs from what was backed up: {WORDS}"):
        await backup_commands.restore(Settings.load(), folder, None, replace=True)
    assert not folders.wanted(folder)
    assert await words(folder) == told.tables[WORDS]


async def test_no_empty_database_takes_the_place_of_a_damaged_backup(folder: Path, made: Path) -> None:
    shutil.rmtree(folder / "postgres")
    dump = (made / manifest.DUMP_NAME).read_bytes()
    (made / manifest.DUMP_NAME).write_bytes(b"something else")
    opened = Instance.open(folder)
    servers = LocalServers(Settings.load().program, opened)
    with pytest.raises(ConfigurationError, match="damaged or changed"):
        await servers.start()
    # Mended, it is brought back by the next start.
    (made / manifest.DUMP_NAME).write_bytes(dump)
    await servers.stop(lambda *, keep: 10 - keep)
    await servers.start()
    await servers.stop(lambda *, keep: 10 - keep)
    opened.close()
    assert (await words(folder)).rows == 2
