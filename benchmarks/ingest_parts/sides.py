"""The sides of the benchmark: each takes the same kind of states in, end to end from JetStream to commit and ack."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import islice

import msgspec
import nats
from nats.aio.client import Client
from nats.js.api import ConsumerConfig

from benchmarks.ingest_parts import naive_tables
from benchmarks.ingest_parts import states as made
from benchmarks.ingest_parts.ceiling import Ceiling
from benchmarks.ingest_parts.naive import Naive
from benchmarks.ingest_parts.servers import Cpu, Servers
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.protocol import BatchHandler, Delivery, Verdict
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.identifiers import state_event_id
from edge_gateway.contracts.mower import MowerState
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.telemetry.ingest import Ingest
from edge_gateway.telemetry.months import month_of
from edge_gateway.telemetry.repository import directory, partitions
from edge_gateway.telemetry.repository.directory import DirectoryEntry
from edge_gateway.telemetry.settings import TelemetrySettings
from edge_gateway.telemetry.store import PostgresStore

_DURABLE = "benchmark"
_STATISTICS_SECONDS = 1.5
"""A backend of PostgreSQL tells its counters at most once a second."""
_LINGER_SECONDS = 0.2


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What one side did."""

    states: int
    seconds: float
    cpu: Cpu
    commits: int
    rows: int
    """Of the log."""

    @property
    def states_per_second(self) -> float:
        """The speed."""
        return self.states / self.seconds

    @property
    def cpu_milliseconds_per_state(self) -> float:
        """The cost, of all three programs."""
        return self.cpu.total * 1000 / self.states


async def prepared_pool(url: str, mowers: int) -> Pool:
    """Return a pool on a database that knows the mowers and has the months' partitions."""
    await migrate(url, ["telemetry"])
    pool = await open_pool(url, application_name="benchmark", minimum=1, maximum=4)
    async with pool.acquire() as connection:
        await partitions.make(connection, month_of(made.BEGIN))
        for mower_id in made.mower_ids(mowers):
            await directory.put_mower(
                connection,
                DirectoryEntry(
                    mower_id=mower_id,
                    account_id="home",
                    site_id="home",
                    time_zone="Europe/Berlin",
                    provider="simulator",
                ),
            )
            await directory.put_area_sizes(connection, mower_id, made.AREA_SIZES)
    return pool


async def batched(servers: Servers, *, batch: int, total: int, mowers: int = 10) -> Measured:
    """Measure the product's own ingest."""

    async def run(pool: Pool) -> BatchHandler:
        return Ingest(PostgresStore(pool, TelemetrySettings()), nobody, SystemClock()).handle

    return await _through_worker(servers, run, batch=batch, total=total, mowers=mowers)


async def ceiling(servers: Servers, *, batch: int, total: int, mowers: int = 10) -> Measured:
    """Measure the same loop without rules."""

    async def run(pool: Pool) -> BatchHandler:
        connection = await pool.acquire()
        rows = await connection.fetch("SELECT mower_id, number FROM telemetry.directory")
        return Ceiling(connection, {row["mower_id"]: row["number"] for row in rows}).handle  # type: ignore[arg-type]  # a pool's connection works like one

    return await _through_worker(servers, run, batch=batch, total=total, mowers=mowers)


async def naive(servers: Servers, *, total: int, mowers: int = 10) -> Measured:
    """Measure one transaction per state."""
    pool = await prepared_pool(await servers.new_database(), mowers)
    client = await nats.connect(servers.nats_url)
    await _publish(client, made.states(total, mowers=mowers))
    await naive_tables.make(pool)
    store = Naive(pool)
    subscription = await client.jetstream().pull_subscribe(
        subjects.ALL_STATES, durable=_DURABLE, stream=subjects.TELEMETRY.name
    )
    await _settle(pool)
    commits, cpu, begin = await _commits(pool), servers.cpu(), time.monotonic()
    done = 0
    while done < total:
        for message in await subscription.fetch(64, timeout=5):
            await store.handle(message.data)
            await message.ack()
            done += 1
    await client.flush()
    seconds, used = time.monotonic() - begin, servers.cpu().since(cpu)
    measured = await _measured(pool, total, seconds, used, commits)
    await client.close()
    await _clear(servers)
    await pool.close()
    return measured


async def _through_worker(
    servers: Servers, make: Callable[[Pool], Awaitable[BatchHandler]], *, batch: int, total: int, mowers: int
) -> Measured:
    pool = await prepared_pool(await servers.new_database(), mowers)
    handler = await make(pool)
    bus = await JetStreamBus.connect(servers.nats_url, clock=SystemClock(), instance_id="benchmark")
    finished = asyncio.Event()
    handled = 0

    async def counting(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        nonlocal handled
        verdicts = await handler(deliveries)
        handled += len(deliveries)
        if handled >= total:
            finished.set()
        return verdicts

    async def nothing(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        return [Verdict.ACK] * len(deliveries)

    # The durable exists before anything is published: it starts at new messages.
    made_first = await bus.subscribe_batch(
        subjects.ALL_STATES, nothing, durable=_DURABLE, max_batch=batch, max_wait_seconds=0
    )
    await made_first.unsubscribe()
    client = await nats.connect(servers.nats_url)
    await _publish(client, made.states(total, mowers=mowers))
    await client.close()
    await _settle(pool)
    commits, cpu, begin = await _commits(pool), servers.cpu(), time.monotonic()
    subscription = await bus.subscribe_batch(
        subjects.ALL_STATES, counting, durable=_DURABLE, max_batch=batch, max_wait_seconds=_LINGER_SECONDS
    )
    await finished.wait()
    # Drains, which waits until the server knows of the last acknowledgement.
    await subscription.unsubscribe()
    seconds, used = time.monotonic() - begin, servers.cpu().since(cpu)
    measured = await _measured(pool, total, seconds, used, commits)
    await bus.close()
    await _clear(servers)
    pool.terminate()
    return measured


async def publish_some(client: Client, all_states: Iterator[MowerState], number: int) -> int:
    """Publish the next states; return how many there were."""
    some = list(islice(all_states, number))
    await _publish(client, some)
    return len(some)


async def _publish(client: Client, all_states: Iterable[MowerState]) -> None:
    context = client.jetstream()
    stream = subjects.TELEMETRY.name
    before = (await context.stream_info(stream)).state.last_seq
    number = 0
    for state in all_states:
        number += 1
        event_id = state_event_id(state.mower_id, state.observed_at)
        envelope = wrap(
            state,
            id=event_id,
            type=subjects.STATE_TYPE,
            occurred_at=state.observed_at,
            account_id=state.account_id,
            subject_id=state.mower_id,
        )
        await client.publish(
            subjects.state_subject(state.mower_id), msgspec.json.encode(envelope), headers={"Nats-Msg-Id": event_id}
        )
        if number % 1000 == 0:
            await client.flush()
    await client.flush()
    while (await context.stream_info(stream)).state.last_seq < before + number:  # noqa: ASYNC110 - no event tells
        await asyncio.sleep(0.05)


async def _clear(servers: Servers) -> None:
    """Check that all was acknowledged, and leave nothing to the next side, remembered ids neither."""
    client = await nats.connect(servers.nats_url)
    context = client.jetstream()
    stream = subjects.TELEMETRY.name
    info = await context.consumer_info(stream, _DURABLE)
    if info.num_ack_pending or info.num_pending:
        message = f"{info.num_ack_pending} states were not acknowledged, {info.num_pending} not delivered"
        raise AssertionError(message)
    config: ConsumerConfig = info.config
    await context.delete_consumer(stream, str(config.durable_name))
    definition = (await context.stream_info(stream)).config
    await context.delete_stream(stream)
    await context.add_stream(definition)
    await client.close()


async def _settle(pool: Pool) -> None:
    await asyncio.sleep(_STATISTICS_SECONDS)
    await pool.fetchval("SELECT 1")


async def _commits(pool: Pool) -> int:
    await asyncio.sleep(_STATISTICS_SECONDS)
    return int(await pool.fetchval("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"))


async def _measured(pool: Pool, total: int, seconds: float, used: Cpu, commits: int) -> Measured:
    async with pool.acquire() as connection:
        await connection.execute("SELECT pg_stat_force_next_flush()")
    measured = Measured(
        states=total,
        seconds=seconds,
        cpu=used,
        commits=await _commits(pool) - commits,
        rows=await pool.fetchval("SELECT count(*) FROM telemetry.log"),
    )
    if measured.rows != total:
        message = f"{measured.rows} rows for {total} states"
        raise AssertionError(message)
    return measured


async def nobody(_mower_id: str) -> DirectoryEntry | None:
    """Know no mower: the directory has all of them."""
    return None
