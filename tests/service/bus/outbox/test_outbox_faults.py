"""Bus and database are killed while events go through the outbox: every committed one arrives, in order."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.outbox import OutboxRelay
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.embedded import runtime_folder
from edge_gateway.embedded.nats_server import NatsServer
from edge_gateway.embedded.postgres_server import PostgresServer
from tests.background_loop import BackgroundLoop
from tests.eventually import eventually
from tests.service.bus.events import Recorder, ids
from tests.service.bus.jetstream.conftest import LIMITS
from tests.service.bus.outbox.conftest import SCHEMA, SUBJECT, TABLES, change, left


@pytest.fixture
def own_postgres(server_loop: BackgroundLoop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """Return a PostgreSQL server that may be killed."""
    data_folder: Path = tmp_path_factory.mktemp("own-postgres")
    runtime = runtime_folder.create(data_folder, shared=True)
    server = PostgresServer(data_folder / "postgres", runtime, parameters={"fsync": "off"})
    server_loop.run(server.start())
    yield server
    server_loop.run(server.stop())
    runtime.remove()


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[JetStreamBus]:
    bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id="test", limits=LIMITS)
    yield bus
    await bus.close()


class Garden:
    """Changes, each with its event, through every fault."""

    def __init__(self, pool: Pool) -> None:
        """Prepare to change."""
        self._pool = pool
        self._stopping = asyncio.Event()
        self._grown = asyncio.Event()
        self.committed = 0
        self._task = asyncio.create_task(self._change())
        self._task.add_done_callback(lambda _: self._grown.set())

    async def until(self, number: int) -> None:
        """Wait until so many changes are committed."""
        async with asyncio.timeout(40):
            while self.committed < number and not self._task.done():
                self._grown.clear()
                await self._grown.wait()
        if self._task.done():
            await self._task

    async def stop(self) -> None:
        """End."""
        self._stopping.set()
        await self._task

    async def _change(self) -> None:
        while not self._stopping.is_set():
            try:
                await change(self._pool, [self.committed])
            except asyncpg.UniqueViolationError:
                # The commit arrived and its answer did not.
                pass
            except OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError:
                await asyncio.sleep(0.05)
                continue
            self.committed += 1
            self._grown.set()
            await asyncio.sleep(0.005)


def send(process_id: int | None, number: signal.Signals) -> None:
    assert process_id is not None
    os.kill(process_id, number)


async def test_every_committed_event_arrives_in_order_through_all_kills(
    server_loop: BackgroundLoop, own_postgres: PostgresServer, nats_server: NatsServer, bus: JetStreamBus
) -> None:
    pool = await open_pool(own_postgres.url, application_name="outbox test", maximum=4)
    await pool.execute(TABLES)
    recorder = Recorder()
    await bus.subscribe(SUBJECT, recorder, durable="reader")
    relay = OutboxRelay(bus, pool, SCHEMA)
    await relay.start()
    garden = Garden(pool)

    await garden.until(50)
    send(nats_server.process_id, signal.SIGKILL)
    await asyncio.to_thread(server_loop.run, nats_server.exited())
    await garden.until(80)
    await asyncio.to_thread(server_loop.run, nats_server.start())

    await garden.until(120)
    send(own_postgres.process_id, signal.SIGQUIT)  # an immediate stop: the next start recovers from a crash
    await asyncio.to_thread(server_loop.run, own_postgres.exited())
    await asyncio.sleep(0.5)
    await asyncio.to_thread(server_loop.run, own_postgres.start())

    await garden.until(160)
    for _ in range(5):
        administration = await asyncpg.connect(own_postgres.url)
        await administration.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'outbox test'"
        )
        await administration.close()
        await garden.until(garden.committed + 10)

    await relay.stop()
    relay = OutboxRelay(bus, pool, SCHEMA)
    await relay.start()
    await garden.until(garden.committed + 20)
    await garden.stop()

    wanted = ids("m", range(garden.committed))
    await recorder.until_all(wanted)
    assert list(dict.fromkeys(recorder.events)) == wanted

    async def empty() -> bool:
        return await left(pool) == 0

    await eventually(empty)
    await relay.stop()
    await pool.close()


async def test_relay_starts_before_its_database(
    server_loop: BackgroundLoop, own_postgres: PostgresServer, bus: JetStreamBus
) -> None:
    pool = await open_pool(own_postgres.url, application_name="outbox test", maximum=4)
    await pool.execute(TABLES)
    await change(pool, [0])
    send(own_postgres.process_id, signal.SIGQUIT)
    await asyncio.to_thread(server_loop.run, own_postgres.exited())
    recorder = Recorder()
    await bus.subscribe(SUBJECT, recorder)
    relay = OutboxRelay(bus, pool, SCHEMA)
    await relay.start()
    assert await recorder.quiet() == []
    await asyncio.to_thread(server_loop.run, own_postgres.start())
    assert await recorder.until_count(1) == ["m:0"]
    await relay.stop()
    await pool.close()
