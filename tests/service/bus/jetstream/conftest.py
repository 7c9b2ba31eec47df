"""A NATS server that can be killed, stopped in its tracks and started again, and clients of it."""

import os
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.limits import BusLimits
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.embedded.nats_server import NatsServer
from tests.background_loop import BackgroundLoop

type Connect = Callable[..., Awaitable[JetStreamBus]]

LIMITS = BusLimits(
    publish_seconds=3.0,
    acknowledge_wait_seconds=5.0,
    idle_wait_seconds=5.0,
    first_back_off_seconds=0.05,
    longest_back_off_seconds=0.3,
    drain_seconds=2.0,
    lease_seconds=2.0,
    lease_margin_seconds=0.5,
)


class Broker:
    """The test's server under the test's hand."""

    def __init__(self, server: NatsServer, loop: BackgroundLoop) -> None:
        """Take hold of a running server."""
        self._server = server
        self._loop = loop

    @property
    def url(self) -> str:
        """Its address."""
        return self._server.url

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the server."""
        process_id = self._server.process_id
        assert process_id is not None
        os.kill(process_id, number)

    def kill(self) -> None:
        """Kill it."""
        self.signal(signal.SIGKILL)
        self._loop.run(self._server.exited())

    def start(self) -> None:
        """Start it again, on the same port."""
        self._loop.run(self._server.start())

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()

    def lose_store(self) -> None:
        """Lose all that it kept; it must not be running."""
        shutil.rmtree(self._server.folder)


@pytest.fixture
def broker(nats_server: NatsServer, server_loop: BackgroundLoop) -> Broker:
    return Broker(nats_server, server_loop)


@pytest.fixture
async def connect(broker: Broker) -> AsyncIterator[Connect]:
    buses: list[JetStreamBus] = []

    async def connect_one(*, url: str | None = None, limits: BusLimits = LIMITS) -> JetStreamBus:
        bus = await JetStreamBus.connect(
            url or broker.url, clock=SystemClock(), instance_id=f"test-{len(buses)}", limits=limits, connect_seconds=10
        )
        buses.append(bus)
        return bus

    yield connect_one
    for bus in buses:
        await bus.close()


@pytest.fixture
async def bus(connect: Connect) -> JetStreamBus:
    return await connect()
