"""Client, PostgreSQL and NATS are killed at each step of a batch: nothing is lost, nothing counted twice."""

import asyncio
import itertools
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.protocol import Delivery, Verdict
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.embedded import runtime_folder
from edge_gateway.embedded.nats_server import NatsServer
from edge_gateway.embedded.postgres_server import PostgresServer
from edge_gateway.telemetry.ingest import Ingest
from edge_gateway.telemetry.store import PostgresStore
from tests.background_loop import BackgroundLoop
from tests.eventually import eventually
from tests.service.telemetry.fault_house import LIMITS, SETTINGS, Killable, Mowers, ask, check_all_stored
from tests.service.telemetry.mortal_ingest import DURABLE, STEPS, Hooks


@pytest.fixture(scope="module")
def own_postgres(server_loop: BackgroundLoop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """Return a PostgreSQL server that may be killed; whoever kills it starts it again."""
    data_folder: Path = tmp_path_factory.mktemp("own-postgres")
    runtime = runtime_folder.create(data_folder, shared=True)
    server = PostgresServer(data_folder / "postgres", runtime, parameters={"fsync": "off"})
    server_loop.run(server.start())
    yield server
    server_loop.run(server.stop())
    runtime.remove()


_numbers = itertools.count()


@pytest.fixture
async def own_url(own_postgres: PostgresServer) -> str:
    """Return the address of a database of its own on that server."""
    name = f"faults_{next(_numbers)}"
    connection = await asyncpg.connect(own_postgres.url)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    url = own_postgres.database_url(name)
    await migrate(url, ["telemetry"])
    return url


@pytest.fixture
async def own_pool(own_url: str) -> AsyncIterator[Pool]:
    pool = await open_pool(own_url, application_name="test", minimum=0)
    yield pool
    pool.terminate()


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[JetStreamBus]:
    bus = await JetStreamBus.connect(nats_url, clock=SystemClock(), instance_id="test", limits=LIMITS)
    yield bus
    await bus.close()


async def _ack(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
    return [Verdict.ACK] * len(deliveries)


async def _make_durable(bus: JetStreamBus) -> None:
    """Make the durable, so that nothing is published unheard."""
    subscription = await bus.subscribe_batch(
        subjects.ALL_STATES, _ack, durable=DURABLE, max_batch=SETTINGS.ingest_batch_max, max_wait_seconds=0
    )
    await subscription.unsubscribe()


@asynccontextmanager
async def _client(database_url: str, nats_url: str, step: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.service.telemetry.mortal_ingest", database_url, nats_url, step),
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize("step", STEPS)
async def test_a_client_is_killed(step: str, own_url: str, own_pool: Pool, bus: JetStreamBus, nats_url: str) -> None:
    await _make_durable(bus)
    mowers = Mowers(bus)
    async with _client(own_url, nats_url, step) as client, asyncio.timeout(30):
        assert await client.wait() == -9
    # Whoever comes next takes its durable over.
    store = PostgresStore(own_pool, SETTINGS)
    ingest = Ingest(store, ask, SystemClock())
    await bus.subscribe_batch(subjects.ALL_STATES, ingest.handle, durable=DURABLE, max_batch=16, max_wait_seconds=0.01)
    await mowers.until(len(mowers.states) // 3 + 20)
    await check_all_stored(own_pool, await mowers.stop())
    await store.close()


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("victim", ["postgres", "nats"])
async def test_a_server_is_killed(
    step: str,
    victim: str,
    own_postgres: PostgresServer,
    own_pool: Pool,
    bus: JetStreamBus,
    nats_server: NatsServer,
    server_loop: BackgroundLoop,
) -> None:
    server = Killable(own_postgres if victim == "postgres" else nats_server, server_loop)
    killed = asyncio.Event()

    async def kill() -> None:
        await server.kill()
        killed.set()

    hooks = Hooks(step, kill)
    store = PostgresStore(own_pool, SETTINGS)
    ingest = Ingest(store, ask, SystemClock())

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        verdicts = await ingest.handle(deliveries)
        await hooks.at("after_commit")
        return verdicts

    try:
        await bus.subscribe_batch(
            subjects.ALL_STATES,
            handle,
            durable=DURABLE,
            max_batch=SETTINGS.ingest_batch_max,
            max_wait_seconds=SETTINGS.ingest_batch_wait_seconds,
        )
        mowers = Mowers(bus)
        async with asyncio.timeout(20):
            await killed.wait()
        await server.start()
        await mowers.until(len(mowers.states) // 3 + 20)
        await check_all_stored(own_pool, await mowers.stop())
    finally:
        hooks.remove()
        await store.close()


async def test_all_connections_are_killed_again_and_again(own_url: str, own_pool: Pool, bus: JetStreamBus) -> None:
    store = PostgresStore(own_pool, SETTINGS)
    await bus.subscribe_batch(
        subjects.ALL_STATES,
        Ingest(store, ask, SystemClock()).handle,
        durable=DURABLE,
        max_batch=16,
        max_wait_seconds=0.01,
    )
    mowers = Mowers(bus)
    killer = await open_pool(own_url, application_name="killer")
    for number in range(1, 6):
        await mowers.until(15 * number)
        await killer.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND application_name = 'test'"
        )
    await check_all_stored(own_pool, await mowers.stop())
    await killer.close()
    await store.close()


async def test_a_handler_slower_than_the_servers_patience_counts_once(own_pool: Pool, bus: JetStreamBus) -> None:
    store = PostgresStore(own_pool, SETTINGS)
    ingest = Ingest(store, ask, SystemClock())
    batches = 0

    async def slow(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        nonlocal batches
        batches += 1
        verdicts = await ingest.handle(deliveries)
        if batches == 2:
            await asyncio.sleep(1.5 * LIMITS.acknowledge_wait_seconds)
        return verdicts

    await bus.subscribe_batch(subjects.ALL_STATES, slow, durable=DURABLE, max_batch=16, max_wait_seconds=0.01)
    mowers = Mowers(bus)
    await mowers.until(60)
    await check_all_stored(own_pool, await mowers.stop())
    await store.close()


_NO_ROOM = """
CREATE SEQUENCE telemetry.refusals;
CREATE FUNCTION telemetry.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM nextval('telemetry.refusals');
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
END $$;
CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON telemetry.book
    FOR EACH STATEMENT EXECUTE FUNCTION telemetry.refuse();
"""
"""The server refuses as it does without room, after the log was written; a sequence counts what is rolled back, too."""


async def test_nothing_is_lost_while_the_disk_of_the_database_is_full(own_pool: Pool, bus: JetStreamBus) -> None:
    store = PostgresStore(own_pool, SETTINGS)
    ingest = Ingest(store, ask, SystemClock())
    await bus.subscribe_batch(subjects.ALL_STATES, ingest.handle, durable=DURABLE, max_batch=16, max_wait_seconds=0.01)
    mowers = Mowers(bus)
    await mowers.until(20)
    await own_pool.execute(_NO_ROOM)

    async def refused_thrice() -> bool:
        return bool(await own_pool.fetchval("SELECT is_called AND last_value >= 3 FROM telemetry.refusals"))

    await eventually(refused_thrice, seconds=20)
    await own_pool.execute("DROP TRIGGER refuse ON telemetry.book")
    await check_all_stored(own_pool, await mowers.stop())
    await store.close()
