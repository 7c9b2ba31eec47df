"""The disk is full: the program says so when it starts and while it runs, and goes on when there is room again."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.eventually import eventually
from tests.service.app.conftest import MakeProgram

pytestmark = [pytest.mark.needs_root, pytest.mark.timeout(180)]


@pytest.fixture
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a small disk of the test's own."""
    folder = tmp_path_factory.mktemp("disk")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=192m,mode=0755", "tmpfs", folder], check=True)  # noqa: S603, S607 - fixed
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)  # noqa: S603, S607 - fixed


def _fill(path: Path) -> None:
    """Take all that is left, to the last page."""
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            return


async def _readiness(port: int) -> tuple[int, dict[str, Any]]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}/readyz") as response,
    ):
        return response.status, await response.json()


async def test_a_first_start_on_a_full_disk_says_why(disk: Path, make_program: MakeProgram) -> None:
    (disk / "data").mkdir(mode=0o700)
    _fill(disk / "filler")
    program = make_program(disk / "data")
    await program.start()
    assert await program.end(seconds=60) != 0
    assert "full" in program.output
    assert "Make room on that disk" in program.output
    assert "Traceback" not in program.output


async def test_readiness_tells_of_a_full_disk_and_comes_back_with_room(disk: Path, make_program: MakeProgram) -> None:
    variables = {"MOWDECK_SIM_MOWERS": "1", "MOWDECK_SIM_STATE_PERIOD_SECONDS": "1", "MOWDECK_LOG_LEVEL": "info"}
    program = make_program(disk / "data", variables=variables)
    await program.start()
    await program.ready(seconds=90)
    port = int((program.folder / "port").read_text())

    async def ready() -> bool:
        return (await _readiness(port))[0] == 200

    await eventually(ready, seconds=30)
    _fill(disk / "filler")

    async def telling() -> dict[str, str] | None:
        status, answer = await _readiness(port)
        reasons: dict[str, str] = answer["reasons"]
        return reasons if status == 503 and {"bus", "telemetry"} & reasons.keys() else None

    reasons = await eventually(telling, seconds=30)
    reason = reasons.get("bus") or reasons["telemetry"]
    assert "probably full" in reason
    assert "Make room on the disk that holds the data folder" in reason

    (disk / "filler").unlink()
    await eventually(ready, seconds=60)
