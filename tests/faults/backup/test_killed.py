"""Power cuts: everything is killed in the middle of a backup, of a restore, of the start that continues one."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from edge_gateway.backup import folders, manifest
from edge_gateway.embedded import orphans
from tests.service.app.conftest import MakeProgram, folder, make_program
from tests.service.app.program import Program
from tests.service.backup.busy_garden import make_plan, request, states_arriving, tables

__all__ = ["folder", "make_program"]

CUTS = 8
CUT_EVERY_SECONDS = 0.35


def cut_power(program: Program) -> None:
    """Kill the program and its servers."""
    servers = program.servers()
    program.signal(signal.SIGKILL)
    for process_id in (*servers.values(), *orphans.working_in(program.folder / "postgres")):
        try:
            os.kill(process_id, signal.SIGKILL)
        except ProcessLookupError:
            continue


async def cut_after(program: Program, seconds: float) -> None:
    """Start it, and cut the power so long after, or when it has ended."""
    await program.start()
    try:
        await program.end(seconds=seconds)
    except TimeoutError:
        cut_power(program)
        await program.end()


@pytest.mark.timeout(600)
async def test_each_cut_leaves_what_was_or_what_shall_be(
    make_program: MakeProgram, folder: Path, tmp_path: Path
) -> None:
    running = make_program(variables={"MOWDECK_SIM_MOWERS": "3"})
    await running.run_until_ready()
    mower = await make_plan(running)
    async with states_arriving(running, mower, per_second=200):
        await asyncio.sleep(3)
    first = make_program(command="backup")
    await first.start()
    assert await first.end(seconds=60) == 0
    # In the middle of a backup: the one before stays, complete and readable.
    for number in range(1, CUTS):
        await cut_after(make_program(command="backup"), number * CUT_EVERY_SECONDS)
        newest = folders.newest(folder)
        assert newest
        manifest.check_dump(newest, manifest.read(newest))
    last = make_program(command="backup")
    await last.start()
    assert await last.end(seconds=60) == 0
    made = folders.newest(folder)
    assert made
    assert await running.stop() == 0
    told = manifest.read(made)

    # In the middle of a restore, and again in the middle of the start that goes on with it.
    for number in range(1, CUTS):
        elsewhere = tmp_path / f"elsewhere-{number}"
        await cut_after(make_program(elsewhere, command="restore", options=(str(made),)), number * CUT_EVERY_SECONDS)
        begun = (elsewhere / "restore_wanted").exists()
        await cut_after(make_program(elsewhere), number * CUT_EVERY_SECONDS)
        again = make_program(elsewhere, variables={"MOWDECK_SIM_MOWERS": "0"})
        await again.run_until_ready()
        plans = (await request(again, "GET", "schedules"))["items"]
        found = await tables(elsewhere)
        if begun or plans:
            assert found["telemetry.log"] == told.tables["telemetry.log"]
            assert found["scheduler.schedule"] == told.tables["scheduler.schedule"]
        assert await again.stop() == 0
