"""A backup is made while the gateway works, and brought back elsewhere with everything in it."""

import json
from pathlib import Path

import pytest

from edge_gateway.backup import folders, manifest
from tests.eventually import eventually
from tests.service.app.conftest import MakeProgram
from tests.service.backup.busy_garden import make_plan, request, states_arriving, tables

MANY = 400


@pytest.mark.timeout(150)
async def test_what_was_backed_up_while_states_arrived_is_whole_elsewhere(
    make_program: MakeProgram, folder: Path, tmp_path: Path
) -> None:
    running = make_program(variables={"MOWDECK_SIM_MOWERS": "1"})
    await running.run_until_ready()
    mower = await make_plan(running)
    async with states_arriving(running, mower, per_second=200):

        async def enough() -> bool:
            return (await tables(folder))["telemetry.log"].rows > MANY

        await eventually(enough, seconds=30)
        backup = make_program(command="backup")
        await backup.start()
        assert await backup.end(seconds=60) == 0, backup.output
    made = folders.newest(folder)
    assert made
    told = manifest.read(made)

    async def more() -> bool:
        return (await tables(folder))["telemetry.log"].rows > told.tables["telemetry.log"].rows

    await eventually(more, seconds=30)
    exported = make_program(command="export", options=(str(tmp_path / "plans.json"),))
    await exported.start()
    assert await exported.end() == 0, exported.output
    assert await running.stop() == 0

    elsewhere = tmp_path / "elsewhere"
    restore = make_program(elsewhere, command="restore", options=(str(made),))
    await restore.start()
    assert await restore.end(seconds=60) == 0, restore.output
    assert not folders.wanted(elsewhere)
    # The same key and the same gateway; logins open, and Home Assistant finds it again.
    for name in manifest.KEPT_FILES:
        assert (elsewhere / name).read_text() == (folder / name).read_text()
    again = make_program(elsewhere, variables={"MOWDECK_SIM_MOWERS": "0"})
    await again.run_until_ready()
    found = await tables(elsewhere)
    for name in ("telemetry.log", "scheduler.schedule", "device_gateway.map", "migrations.applied"):
        assert found[name] == told.tables[name], name
    assert found["telemetry.log"].rows > MANY

    # Plans also travel as a document: what is there already stays as it is.
    document = json.loads((tmp_path / "plans.json").read_text())
    assert [plan["name"] for plan in document["schedules"]] == ["Mornings"]
    document["schedules"].append(document["schedules"][0] | {"id": "another", "name": "Evenings"})
    document["schedules"].append(document["schedules"][0] | {"id": "lost", "target": {"mower_id": "nobody"}})
    (tmp_path / "plans.json").write_text(json.dumps(document))
    for _ in range(2):
        brought = make_program(elsewhere, command="import", options=(str(tmp_path / "plans.json"),))
        await brought.start()
        assert await brought.end() == 1
        assert "there is no such mower or group here (nobody)" in brought.output
    plans = (await request(again, "GET", "schedules"))["items"]
    assert isinstance(plans, list)
    assert sorted(plan["name"] for plan in plans) == ["Evenings", "Mornings"]
    assert await again.stop() == 0
