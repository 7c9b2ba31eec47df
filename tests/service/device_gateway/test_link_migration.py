"""What an older version kept of a mower's links."""

import shutil
from pathlib import Path

import asyncpg

from edge_gateway.database.migration_files import FOLDER
from edge_gateway.database.migrations import migrate

_BEFORE = ("0001_mowers.sql", "0002_vendor_account.sql", "0003_bridges.sql")


async def test_home_assistants_bluetooth_is_not_used_unasked_after_an_update(postgres_url: str, tmp_path: Path) -> None:
    older = tmp_path / "device_gateway"
    older.mkdir()
    for name in _BEFORE:
        shutil.copy(FOLDER / "device_gateway" / name, older)
    await migrate(postgres_url, ["device_gateway"], folder=tmp_path)
    connection = await asyncpg.connect(postgres_url)
    try:
        await connection.execute(
            "INSERT INTO device_gateway.mower_links VALUES ('a', '{bridge,cloud,home_assistant}'), ('b', '{cloud}')"
        )
        await migrate(postgres_url, ["device_gateway"])
        rows = await connection.fetch("SELECT link_order FROM device_gateway.mower_links ORDER BY mower_id")
    finally:
        await connection.close()
    assert [row["link_order"] for row in rows] == [["bridge", "cloud"], ["cloud"]]
