"""The bus server is killed under a gateway that drives: the mower is heard on, nothing is lost, orders come again."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.mower import Activity
from edge_gateway.embedded.nats_server import NatsServer
from tests.background_loop import BackgroundLoop
from tests.service.device_gateway.yard import Connect, Yard

LEASE_SECONDS = 2.0
"""Of the lease, so that a test need not wait for the usual ten."""
LIMITS = BusLimits(lease_seconds=LEASE_SECONDS, lease_margin_seconds=0.5, publish_seconds=1.0, drain_seconds=1.0)


@pytest.fixture
async def connect(nats_server: NatsServer, clock: SystemClock) -> AsyncIterator[Connect]:
    """Return how to connect to a real server with short leases."""
    buses: list[EventBus] = []

    async def connect() -> EventBus:
        bus = await JetStreamBus.connect(
            nats_server.url, clock=clock, instance_id=f"client-{len(buses)}", limits=LIMITS
        )
        buses.append(bus)
        return bus

    yield connect
    for bus in buses:
        await bus.close()


async def kill(server: NatsServer) -> None:
    """Kill the server."""
    assert server.process_id is not None
    os.kill(server.process_id, signal.SIGKILL)


async def start_again(server: NatsServer, loop: BackgroundLoop) -> None:
    """Start it on its port, with its store."""
    await asyncio.to_thread(loop.run, server.start())


@pytest.mark.parametrize("away_seconds", [0.3, LEASE_SECONDS + 1.5])
async def test_nothing_is_lost_when_the_server_is_killed(
    yard: Yard, nats_server: NatsServer, server_loop: BackgroundLoop, away_seconds: float
) -> None:
    """Shorter and longer than the lease lasts."""
    life = await yard.life()
    await yard.until(lambda: len(yard.states) == 1)
    await kill(nats_server)
    for number in range(20):
        yard.mower.become(Activity.MOWING, battery_percent=number)
        async with asyncio.timeout(0.5):
            await life.driver.report()
        await asyncio.sleep(away_seconds / 20)
    await start_again(nats_server, server_loop)
    await yard.until(lambda: yard.states[-1].battery_percent == 19, seconds=25)
    assert len(life.drivers) == 1, "the mower was followed all the time"
    assert [state.battery_percent for state in yard.states[1:]] == list(range(20))

    async def carried_out() -> bool:
        outcome = await yard.final(await yard.order(CommandKind.PAUSE))
        return outcome.status is CommandStatus.CONFIRMED

    async with asyncio.timeout(20):
        assert await carried_out()
    assert yard.mower.frames == ["pause"]


async def test_without_the_server_nothing_is_sent(
    yard: Yard, nats_server: NatsServer, server_loop: BackgroundLoop
) -> None:
    """The server is gone between the order's arrival and its first frame: `sent` cannot be told, so nothing leaves."""
    life = await yard.life()

    async def gone(_frame: str) -> None:
        await kill(nats_server)

    life.driver.before_frame = gone
    command_id = await yard.order(CommandKind.START_MOW)
    await asyncio.sleep(1.5)
    assert yard.mower.frames == []
    life.driver.before_frame = None
    await start_again(nats_server, server_loop)
    outcome = await yard.final(command_id)
    assert (outcome.status, outcome.reason) == (CommandStatus.FAILED, "unavailable")
    assert yard.mower.frames == []
