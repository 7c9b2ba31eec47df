"""Programs that end with the test that started them."""

import os
import pwd
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from edge_gateway.embedded import orphans, runtime_folder
from tests.service.app.program import Program

type MakeProgram = Callable[..., Program]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest_asyncio.fixture
async def make_program(folder: Path) -> AsyncIterator[MakeProgram]:
    """Make programs on the test's one data folder, unless another is named."""
    made: list[Program] = []

    def make(place: Path = folder, **options: object) -> Program:
        made.append(Program(place, **options))  # type: ignore[arg-type]  # Program checks its own options
        return made[-1]

    yield make
    for program in made:
        await program.clean_up()
        if left := runtime_folder.left_behind(program.folder):
            await orphans.stop_servers_of(left)
            runtime_folder.RuntimeFolder(left, program.folder / "runtime", shared=False).remove()


@pytest.fixture
def ordinary_folder() -> Iterator[tuple[Path, int | None]]:
    """Return a folder of an ordinary user and its number: of `nobody` when the tests are root, else null (oneself)."""
    place = Path(tempfile.mkdtemp(prefix="mowdeck-test-"))
    account = pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else None
    if account is not None:
        os.chown(place, account, account)
    yield place, account
    shutil.rmtree(place)
