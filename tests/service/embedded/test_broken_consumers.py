"""A cut of power broke a consumer's files: the server starts, nothing is lost, and the store holds each state once."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.embedded.nats_server import NatsServer
from tests.background_loop import BackgroundLoop
from tests.service.bus.events import Recorder, ids, publish_states


def _cut(name: str, size: int) -> Callable[[Path], None]:
    return lambda folder: os.truncate(folder / name, size)


def _scribble(folder: Path) -> None:
    (folder / "o.dat").write_bytes(b"\xff" * 64)


@pytest.mark.parametrize(
    "break_files",
    [_cut("o.dat", 4), _scribble, _cut("meta.inf", 0)],
    ids=["state cut", "state scribbled", "definition empty"],
)
async def test_a_broken_consumer_begins_anew_and_misses_nothing(
    nats_server: NatsServer, server_loop: BackgroundLoop, break_files: Callable[[Path], None]
) -> None:
    bus = await JetStreamBus.connect(nats_server.url, clock=SystemClock(), instance_id="before")
    before, sound = Recorder(), Recorder()
    await bus.subscribe(subjects.ALL_STATES, before, durable="reader")
    await bus.subscribe(subjects.ALL_STATES, sound, durable="sound")
    await publish_states(bus, "a", range(3))
    await before.until_count(3)
    await sound.until_count(3)
    await bus.close()
    publisher = await JetStreamBus.connect(nats_server.url, clock=SystemClock(), instance_id="publisher")
    await publish_states(publisher, "a", range(3, 6))
    await publisher.close()
    server_loop.run(nats_server.stop())

    break_files(nats_server.folder / "jetstream" / "$G" / "streams" / subjects.TELEMETRY.name / "obs" / "reader")
    server_loop.run(nats_server.start())

    bus = await JetStreamBus.connect(nats_server.url, clock=SystemClock(), instance_id="after")
    after = Recorder()
    await bus.subscribe(subjects.ALL_STATES, after, durable="reader")
    await bus.subscribe(subjects.ALL_STATES, sound, durable="sound")
    # What was not handled comes, in order; what was, too: readers tell by the ids.
    await after.until_all(ids("a", range(6)))
    assert after.events[-3:] == ids("a", range(3, 6))
    await sound.until_count(6)
    assert sound.events == ids("a", range(6))
    await bus.close()
    # Once mended it stays so.
    server_loop.run(nats_server.stop())
    server_loop.run(nats_server.start())
    aside = [path.name for path in (nats_server.folder / "set-aside").iterdir()]
    assert aside == [f"{subjects.TELEMETRY.name}.reader.0"]
