"""Services that do not stop, or fail to: the servers are stopped in time all the same."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import override

import pytest

from edge_gateway import app, composition
from edge_gateway.composition import House
from edge_gateway.contracts.service import Service
from edge_gateway.settings import Settings
from tests.service.app.program import ROOT, processes

_TOLD_TO_STOP_SECONDS = 10


class Stubborn(Service):
    """Does not stop, not even when it is cancelled."""

    name = "stubborn"

    def __init__(self) -> None:
        """Remember whether it was asked."""
        self.started = asyncio.Event()
        self.let_go = asyncio.Event()

    @override
    async def start(self) -> None:
        self.started.set()

    @override
    async def stop(self) -> None:
        while not self.let_go.is_set():
            try:
                await self.let_go.wait()
            except asyncio.CancelledError:
                continue


class Failing(Service):
    """Fails to stop."""

    name = "failing"

    @override
    async def start(self) -> None:
        return

    @override
    async def stop(self) -> None:
        message = "lost in the lawn"
        raise RuntimeError(message)


def own_servers() -> set[int]:
    return {
        number
        for number, (program, parent) in processes().items()
        if parent == os.getpid() and program in {"postgres", "nats-server"}
    }


async def test_servers_are_stopped_in_time_whatever_services_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn = Stubborn()

    async def make_stubborn(_: House) -> Service:
        return stubborn

    async def make_failing(_: House) -> Service:
        return Failing()

    monkeypatch.setattr(composition, "FACTORIES", {"stubborn": make_stubborn, "failing": make_failing})
    monkeypatch.setattr(app, "FACTORIES", composition.FACTORIES)
    before = own_servers()
    running = asyncio.create_task(app.run(Settings.load(), tmp_path / "data", composition.chosen(None)))
    await asyncio.wait_for(stubborn.started.wait(), 30)
    assert len(own_servers() - before) == 2
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(running, _TOLD_TO_STOP_SECONDS)
    assert own_servers() == before
    assert not (tmp_path / "data" / "runtime").is_symlink()
    stubborn.let_go.set()


_STUCK = """
import asyncio, sys, time
from edge_gateway import app, cli, composition

class Stuck:
    name = "stuck"
    async def start(self):
        asyncio.get_running_loop().run_in_executor(None, time.sleep, 600)
    async def stop(self):
        return

async def make(house):
    return Stuck()

app.FACTORIES = composition.FACTORIES = {"stuck": make}
sys.exit(cli.main(["run", "--data-dir", sys.argv[1]]))
"""


async def test_a_thread_that_never_ends_does_not_keep_the_program(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _STUCK, str(tmp_path / "data")), cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr
    async with asyncio.timeout(30):
        while b" ready " not in await process.stderr.readline():
            continue
    process.terminate()
    async with asyncio.timeout(_TOLD_TO_STOP_SECONDS):
        rest = await process.stderr.read()
        assert await process.wait() == 0, rest.decode()
    assert not (tmp_path / "data" / "runtime").is_symlink()
