"""Servers that die under watch, and servers that a killed program left behind."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import asyncpg

from edge_gateway.embedded import orphans, runtime_folder
from edge_gateway.embedded.nats_server import NatsServer
from edge_gateway.embedded.postgres_server import PostgresServer
from edge_gateway.embedded.supervision import SupervisedServer
from tests.eventually import eventually


def alive(process_id: int) -> bool:
    """Tell whether a process runs; one that ended and that nobody asked for its code does not."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_watched_server_is_started_again_each_time_it_dies(tmp_path: Path) -> None:
    runtime = runtime_folder.create(tmp_path, shared=False)
    server = NatsServer(tmp_path / "nats", runtime, token="token")  # noqa: S106 - opens a server of one test
    supervised = SupervisedServer(server)
    await supervised.start()
    for _ in range(2):
        before = server.process_id
        assert before is not None
        os.kill(before, signal.SIGKILL)

        async def replaced(old: int = before) -> bool:
            return server.process_id not in (None, old)

        await eventually(replaced)
    assert await supervised.stop(patience_seconds=5)
    assert server.process_id is not None
    assert not alive(server.process_id)
    runtime.remove()


async def test_a_server_that_does_not_come_up_is_tried_again(tmp_path: Path) -> None:
    runtime = runtime_folder.create(tmp_path, shared=False)
    server = NatsServer(tmp_path / "nats", runtime, token="token")  # noqa: S106 - opens a server of one test
    supervised = SupervisedServer(server)
    await supervised.start()
    first = server.process_id
    assert first is not None
    store = tmp_path / "nats" / "jetstream"
    store.rename(tmp_path / "moved")
    store.write_text("in the way")
    os.kill(first, signal.SIGKILL)

    async def tried() -> bool:
        return server.process_id != first and not alive(server.process_id or 0)

    await eventually(tried)
    store.unlink()
    (tmp_path / "moved").rename(store)

    async def back() -> bool:
        return (Path(runtime.path) / "nats" / f"nats-server_{server.process_id}.ports").exists()

    await eventually(back)
    assert await supervised.stop(patience_seconds=5)
    runtime.remove()


_LEAVE_BEHIND = """
import asyncio, os, signal, sys
from pathlib import Path
from edge_gateway.embedded import runtime_folder
from edge_gateway.embedded.nats_server import NatsServer
from edge_gateway.embedded.postgres_server import PostgresServer

async def main():
    folder = Path(sys.argv[1])
    runtime = runtime_folder.create(folder, shared=True)
    postgres = PostgresServer(folder / "postgres", runtime)
    await postgres.start()
    nats = NatsServer(folder / "nats", runtime, token="token")
    await nats.start()
    print("servers", postgres.process_id, nats.process_id, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_what_a_killed_program_left_is_found_and_stopped(tmp_path: Path) -> None:
    """Real servers of a really killed program; a NATS server of somebody else beside them is not touched."""
    killed = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", _LEAVE_BEHIND, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        timeout=30,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    left = [int(word) for word in killed.stdout.rpartition("servers")[2].split()]
    assert len(left) == 2
    assert all(map(alive, left))
    (tmp_path / "other").mkdir()
    others_runtime = runtime_folder.create(tmp_path / "other", shared=False)
    other = NatsServer(tmp_path / "other" / "nats", others_runtime, token="token")  # noqa: S106 - of one test
    await other.start()

    old = runtime_folder.left_behind(tmp_path)
    assert old is not None
    await asyncio.wait_for(orphans.stop_servers_of(old), 20)
    assert not any(map(alive, left))
    assert other.process_id is not None
    assert alive(other.process_id)

    runtime = runtime_folder.create(tmp_path, shared=True)
    assert not old.exists()
    server = PostgresServer(tmp_path / "postgres", runtime)
    await server.start()
    connection = await asyncpg.connect(server.url)
    assert await connection.fetchval("SELECT 1") == 1
    await connection.close()
    await server.stop()
    await other.stop()
    runtime.remove()
    others_runtime.remove()
