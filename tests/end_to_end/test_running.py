"""`scripts/run` stops what it started, also when the terminal in which it ran is closed."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

from scripts.running.gateway import Gateway
from scripts.set_up.places import ROOT
from tests.end_to_end.road import free_port

pytestmark = pytest.mark.timeout(120)


async def test_a_closed_terminal_leaves_nothing_running(tmp_path: Path) -> None:
    port = free_port()
    run = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "scripts.running", "--gateway-only", "--mowers=0", f"--gateway-port={port}"),
        f"--data-dir={tmp_path}",
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    gateway = Gateway(python=Path(sys.executable), root=ROOT, data_folder=tmp_path / "gateway", port=port)
    try:
        assert run.stdout is not None
        async with asyncio.timeout(60):
            while b"Ctrl-C stops it all" not in await run.stdout.readline():
                pass
        assert await gateway.ready()
        # Nobody hears it any more, then it is told.
        transport = run._transport  # type: ignore[attr-defined]  # noqa: SLF001  # asyncio shows no way to close one pipe
        transport.get_pipe_transport(1).close()
        run.send_signal(signal.SIGHUP)
        async with asyncio.timeout(30):
            assert await run.wait() == 0
        assert not await gateway.ready()
    finally:
        with contextlib.suppress(ProcessLookupError):
            run.kill()
        await run.wait()
        if await gateway.ready():
            os.kill(int((gateway.data_folder / "lock").read_text()), signal.SIGTERM)
        await gateway.stop()
