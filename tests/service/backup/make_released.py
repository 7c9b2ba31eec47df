"""Makes what a released version leaves behind, for the tests of later ones: run once for each release, from its commit.

    python -m tests.service.backup.make_released

writes `tests/service/backup/released/<version>/`: a backup of a gateway with a plan, a run, a map and a history.
"""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from edge_gateway import __version__
from edge_gateway.backup import folders
from tests.eventually import eventually
from tests.service.app.program import Program
from tests.service.backup.busy_garden import make_plan, request, tables

RELEASED = Path(__file__).parent / "released"


async def make() -> Path:
    """Return the folder that was written."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "data"
        program = Program(folder, variables={"MOWDECK_SIM_MOWERS": "1", "MOWDECK_SIM_SPEED": "20"})
        try:
            await program.run_until_ready()
            await make_plan(program)
            plans = (await request(program, "GET", "schedules"))["items"]
            assert isinstance(plans, list)
            await request(program, "POST", f"schedules/{plans[0]['id']}/run-now", {})

            async def lived() -> bool:
                found = await tables(folder)
                return found["telemetry.log"].rows > 20 and found["scheduler.run"].rows > 0

            await eventually(lived, seconds=120)
            backup = Program(folder, command="backup")
            await backup.start()
            assert await backup.end(seconds=60) == 0, backup.output
        finally:
            await program.clean_up()
        made = folders.newest(folder)
        assert made
        target = RELEASED / __version__
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(made, target)
    return target


if __name__ == "__main__":
    sys.stdout.write(f"{asyncio.run(make())}\n")
