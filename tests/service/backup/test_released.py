"""What each released version left behind is brought forward by this one, also when it is interrupted."""

import signal
from pathlib import Path

import pytest

from edge_gateway.backup import manifest
from edge_gateway.database import migration_files
from tests.eventually import eventually
from tests.service.app.conftest import MakeProgram
from tests.service.backup.busy_garden import request, tables

RELEASED = sorted((Path(__file__).parent / "released").iterdir())
SCHEMAS = sorted(path.name for path in migration_files.FOLDER.iterdir() if path.is_dir())


@pytest.mark.timeout(120)
@pytest.mark.parametrize("left", RELEASED, ids=lambda path: path.name)
async def test_an_older_database_is_brought_forward(make_program: MakeProgram, folder: Path, left: Path) -> None:
    restore = make_program(command="restore", options=(str(left),))
    await restore.start()
    assert await restore.end(seconds=60) == 0, restore.output
    told = manifest.read(left)

    # The first start is killed while it brings the database forward, or soon after; the next one goes on.
    cut = make_program()
    await cut.start()

    async def servers_are_up() -> bool:
        return "postgres" in cut.servers()

    await eventually(servers_are_up, seconds=30)
    cut.signal(signal.SIGKILL)
    await cut.end()

    again = make_program(variables={"MOWDECK_SIM_MOWERS": "0"})
    await again.run_until_ready()
    found = await tables(folder)
    assert found["migrations.applied"].rows == sum(len(migration_files.read(schema)) for schema in SCHEMAS)
    # What later versions may reshape, but never lose.
    for name in ("telemetry.log", "scheduler.run", "scheduler.schedule", "device_gateway.map", "fleet.mower"):
        assert found[name].rows == told.tables[name].rows > 0, name
    plans = (await request(again, "GET", "schedules"))["items"]
    assert isinstance(plans, list)
    assert [plan["name"] for plan in plans] == ["Mornings"]
    assert await again.stop() == 0


def test_every_release_is_here() -> None:
    """A release without what it left behind cannot be upgraded from with a good conscience."""
    assert [path.name for path in RELEASED][-1] == manifest.read(RELEASED[-1]).program_version
