"""Events leave with their transaction: never without it, never twice, in order."""

import asyncio
from collections.abc import AsyncIterator
from typing import override

import pytest

from edge_gateway.bus import outbox
from edge_gateway.bus.memory import MemoryBus
from edge_gateway.bus.outbox import OutboxRelay
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import InvalidError, UnavailableError
from edge_gateway.database.pools import Pool
from tests.eventually import eventually
from tests.service.bus.events import Recorder, RefusedError, event, ids
from tests.service.bus.outbox.conftest import SCHEMA, SUBJECT, change, left


class FragileBus(MemoryBus):
    """A memory bus that can be away, and that remembers every attempt."""

    def __init__(self) -> None:
        """Start in good health."""
        super().__init__(SystemClock())
        self.attempts: list[str] = []
        self.away = False
        self.taken_but_silent = False
        """The stream takes the event, and its answer is lost."""

    @override
    async def publish(self, subject: str, envelope: Envelope) -> None:
        self.attempts.append(envelope.id)
        if self.away:
            code, detail = "bus_unavailable", "away"
            raise UnavailableError(code, detail)
        await super().publish(subject, envelope)
        if self.taken_but_silent:
            code, detail = "bus_unavailable", "silent"
            raise UnavailableError(code, detail)


@pytest.fixture
async def bus() -> AsyncIterator[FragileBus]:
    bus = FragileBus()
    yield bus
    await bus.close()


@pytest.fixture
async def recorder(bus: FragileBus) -> Recorder:
    recorder = Recorder()
    await bus.subscribe(SUBJECT, recorder)
    return recorder


@pytest.fixture
async def relay(bus: FragileBus, pool: Pool) -> AsyncIterator[OutboxRelay]:
    relay = OutboxRelay(bus, pool, SCHEMA)
    await relay.start()
    yield relay
    await relay.stop()


async def empty(pool: Pool) -> None:
    async def is_empty() -> bool:
        return await left(pool) == 0

    await eventually(is_empty)


@pytest.mark.usefixtures("relay")
async def test_commit_wakes_the_relay(pool: Pool, recorder: Recorder) -> None:
    await change(pool, [1])
    await recorder.until_count(1)
    await empty(pool)
    await change(pool, [2])
    await recorder.until_count(2, seconds=3)  # it looks by itself every 10 s only
    await empty(pool)


@pytest.mark.usefixtures("relay")
async def test_nothing_leaves_without_its_transaction(pool: Pool, recorder: Recorder) -> None:
    async def fail() -> None:
        async with pool.acquire() as connection, connection.transaction():
            await outbox.put(connection, SCHEMA, SUBJECT, event("m:0"))
            raise RefusedError

    with pytest.raises(RefusedError):
        await fail()
    async with pool.acquire() as connection, connection.transaction():
        await outbox.put(connection, SCHEMA, SUBJECT, event("m:1"))
        assert await recorder.quiet() == []
    await recorder.until_count(1)
    assert await recorder.quiet() == ["m:1"]


@pytest.mark.usefixtures("relay")
async def test_order_is_that_of_the_table(pool: Pool, bus: FragileBus, recorder: Recorder) -> None:
    for start in range(0, 400, 8):
        await change(pool, range(start, start + 8))
    await recorder.until_count(400)
    assert recorder.events == ids("m", range(400))
    assert bus.attempts == ids("m", range(400))
    await empty(pool)


@pytest.mark.usefixtures("relay")
async def test_many_events_of_one_statement_keep_their_order(pool: Pool, recorder: Recorder) -> None:
    async with pool.acquire() as connection, connection.transaction():
        await outbox.put_all(connection, SCHEMA, [(SUBJECT, event(f"m:{number}")) for number in range(50)])
        await outbox.put_all(connection, SCHEMA, [])
    assert await recorder.until_count(50, seconds=5) == ids("m", range(50))


async def test_what_was_written_before_the_start_leaves_then(pool: Pool, bus: FragileBus, recorder: Recorder) -> None:
    await change(pool, range(150))
    relay = OutboxRelay(bus, pool, SCHEMA)
    await relay.start()
    await recorder.until_count(150)
    await relay.stop()
    assert recorder.events == ids("m", range(150))


async def test_bus_that_is_away_is_waited_for(
    pool: Pool, bus: FragileBus, recorder: Recorder, relay: OutboxRelay
) -> None:
    assert relay is not None
    bus.away = True
    await change(pool, range(5))

    async def tried() -> bool:
        return len(bus.attempts) >= 2

    await eventually(tried)
    assert await left(pool) == 5
    bus.away = False
    await recorder.until_count(5)
    assert recorder.events == ids("m", range(5))
    await empty(pool)


@pytest.mark.usefixtures("relay")
async def test_event_whose_answer_was_lost_is_doubled_only_with_the_same_id(
    pool: Pool, bus: FragileBus, recorder: Recorder
) -> None:
    bus.taken_but_silent = True
    await change(pool, range(2))
    await recorder.until_count(1)
    bus.taken_but_silent = False
    await recorder.until_count(2)
    await empty(pool)
    assert await recorder.quiet() == ids("m", range(2))
    assert bus.attempts.count("m:0") > 1


async def test_one_of_several_relays_works_and_the_next_takes_over(
    pool: Pool, bus: FragileBus, recorder: Recorder
) -> None:
    relays = [OutboxRelay(bus, pool, SCHEMA) for _ in range(3)]
    for relay in relays:
        await relay.start()
    for number in range(3):
        await change(pool, range(number * 10, number * 10 + 10))
        await recorder.until_count(number * 10 + 10)
        await relays[number].stop()
    await empty(pool)
    assert await recorder.quiet() == ids("m", range(30))
    assert bus.attempts == ids("m", range(30))


async def test_stopping_leaves_the_rest_in_the_outbox(pool: Pool, bus: FragileBus) -> None:
    bus.away = True
    await change(pool, range(3))
    relay = OutboxRelay(bus, pool, SCHEMA)
    await relay.start()

    async def tried() -> bool:
        return bool(bus.attempts)

    await eventually(tried)
    async with asyncio.timeout(2):
        await relay.stop()
    assert await left(pool) == 3
    await relay.stop()


async def test_what_cannot_be_published_is_refused_before_it_is_written(pool: Pool) -> None:
    async with pool.acquire() as connection:
        with pytest.raises(ValueError, match="no stream keeps"):
            await outbox.put(connection, SCHEMA, "garden.flowers", event("m:1"))
        with pytest.raises(InvalidError):
            await outbox.put(connection, SCHEMA, SUBJECT, event("m:1", text="x" * 1024 * 1024))
        with pytest.raises(ValueError, match="not the name of a schema"):
            await outbox.put(connection, "garden; DROP", SUBJECT, event("m:1"))
    assert await left(pool) == 0


@pytest.mark.usefixtures("relay")
async def test_what_another_version_wrote_does_not_block_the_rest(pool: Pool, recorder: Recorder) -> None:
    insert = "INSERT INTO garden.outbox (event_id, subject, envelope) VALUES ($1, $2, $3)"
    await pool.execute(insert, "m:a", "garden.flowers", b"{}")
    await pool.execute(insert, "m:b", subjects.MOWER_CHANGED, b"not an event")
    await change(pool, [1])
    assert await recorder.until_count(1) == ["m:1"]
    await empty(pool)
