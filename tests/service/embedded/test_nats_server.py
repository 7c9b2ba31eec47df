"""The local NATS server: a token, a store that lasts, the same address after a kill."""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import nats
import pytest
import pytest_asyncio
from nats.aio.client import Client

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.embedded import nats_server, runtime_folder
from edge_gateway.embedded.nats_server import NatsServer

TOKEN = "garden-gate"  # noqa: S105 - opens a server of one test


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[NatsServer]:
    runtime = runtime_folder.create(tmp_path, shared=False)
    server = NatsServer(tmp_path / "nats", runtime, token=TOKEN)
    await server.start()
    yield server
    await server.stop()
    runtime.remove()


async def connect(url: str) -> Client:
    return await nats.connect(url, allow_reconnect=False, connect_timeout=5)


async def store(server: NatsServer) -> None:
    client = await connect(server.url)
    stream = client.jetstream()
    await stream.add_stream(name="KEPT", subjects=["kept"])
    await stream.publish("kept", b"7")
    await client.close()


async def stored(server: NatsServer) -> bytes | None:
    client = await connect(server.url)
    message = await client.jetstream().get_msg("KEPT", 1)
    await client.close()
    return message.data


async def greet(server: NatsServer, greeting: dict[str, str]) -> bytes:
    """Speak the protocol by hand: the client library leaves a connection open that was refused."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
    await reader.readline()
    writer.write(f"CONNECT {json.dumps({'verbose': False, **greeting})}\r\nPING\r\n".encode())
    answer = await asyncio.wait_for(reader.readline(), 5)
    writer.close()
    await writer.wait_closed()
    return answer


async def test_only_who_has_the_token_gets_in(server: NatsServer) -> None:
    assert b"Authorization Violation" in await greet(server, {})
    assert b"Authorization Violation" in await greet(server, {"auth_token": "guessed"})
    assert b"PONG" in await greet(server, {"auth_token": TOKEN})


async def test_the_token_is_nowhere_where_others_look(server: NatsServer, tmp_path: Path) -> None:
    assert TOKEN.encode() not in Path(f"/proc/{server.process_id}/cmdline").read_bytes()
    folder = (tmp_path / "runtime").readlink() / "nats"
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / "server.conf").stat().st_mode & 0o077 == 0


async def test_what_was_published_is_there_after_a_restart(server: NatsServer) -> None:
    await store(server)
    assert await server.stop()
    await server.start()
    assert await stored(server) == b"7"


async def test_a_killed_server_comes_back_under_the_same_address_with_its_store(server: NatsServer) -> None:
    await store(server)
    url = server.url
    assert server.process_id is not None
    os.kill(server.process_id, signal.SIGKILL)
    assert "-9" in await asyncio.wait_for(server.exited(), 10)
    await server.start()
    assert server.url == url
    assert await stored(server) == b"7"


async def test_listens_on_loopback_alone(server: NatsServer) -> None:
    port = int(server.url.rpartition(":")[2])
    listening = [
        line.split()[1]
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
        if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")
    ]
    assert listening == [f"0100007F:{port:04X}"]


async def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    runtime = runtime_folder.create(tmp_path, shared=False)
    (tmp_path / "nats").mkdir()
    (tmp_path / "nats" / "jetstream").write_text("no folder")
    with pytest.raises(UnavailableError, match="not a directory"):
        await NatsServer(tmp_path / "nats", runtime, token=TOKEN).start()
    runtime.remove()


async def test_writing_through_with_each_message_can_be_asked_for(tmp_path: Path) -> None:
    runtime = runtime_folder.create(tmp_path, shared=False)
    server = NatsServer(tmp_path / "nats", runtime, token=TOKEN, sync_interval_seconds=0)
    await server.start()
    await store(server)
    await server.stop()
    runtime.remove()


STAND_IN = """#!{python}
import json, os, pathlib, sys, time
folder = pathlib.Path(json.loads(pathlib.Path(sys.argv[2]).read_text())["ports_file_dir"])
(folder / f"nats-server_{{os.getpid()}}.ports").write_text(json.dumps({{"nats": ["nats://127.0.0.1:4"]}}))
print("[7] [ERR] JetStream stream '$G > KEPT' critical write error: no space left on device", flush=True)
time.sleep(60)
"""
"""A server whose disk is full: a real one would need a disk of the test's own."""


async def test_a_server_that_refuses_to_write_ends_when_there_is_room_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "nats-server"
    program.write_text(STAND_IN.format(python=sys.executable))
    program.chmod(0o700)
    room = {"free": 0}
    monkeypatch.setattr(nats_server, "_program", lambda: str(program))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(**room))
    monkeypatch.setattr(nats_server, "_LOOK_SECONDS", 0.01)
    runtime = runtime_folder.create(tmp_path, shared=False)
    server = NatsServer(tmp_path / "nats", runtime, token=TOKEN)
    await server.start()
    ending = asyncio.create_task(server.exited())
    await asyncio.wait({ending}, timeout=0.5)
    assert not ending.done()
    room["free"] = 1 << 30
    assert "critical write error" in await asyncio.wait_for(ending, 10)
    assert await server.stop()
    runtime.remove()
