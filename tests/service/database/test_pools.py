"""What a pool hands from one borrower to the next."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from edge_gateway.bus.memory import MemoryBus
from edge_gateway.bus.outbox import OutboxRelay
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.pools import Pool, open_pool
from tests.eventually import eventually

_LOCKS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
_OUTBOX = """
    CREATE SCHEMA garden;
    CREATE TABLE garden.outbox (
        sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id text NOT NULL,
        subject text NOT NULL,
        envelope bytea NOT NULL
    )
"""


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    """Return a pool of one connection."""
    pool = await open_pool(postgres_url, application_name="test pools", maximum=1)
    yield pool
    await pool.close()


@pytest.fixture
async def observer(postgres_url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """Return a connection of the test's own."""
    connection = await asyncpg.connect(postgres_url)
    yield connection
    await connection.close()


async def test_giving_a_connection_back_sends_nothing(pool: Pool, observer: asyncpg.Connection[asyncpg.Record]) -> None:
    async with pool.acquire() as lent:
        process_id = lent.get_server_pid()
        await lent.fetchval("SELECT 1 AS the_last_one")
    last = await observer.fetchval("SELECT query FROM pg_stat_activity WHERE pid = $1", process_id)
    assert last == "SELECT 1 AS the_last_one"


async def test_a_transaction_that_was_left_open_is_rolled_back(pool: Pool) -> None:
    """Also without the round trip that resets a session; asyncpg tells the loop that somebody forgot it."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    async with pool.acquire() as lent:
        await lent.execute("BEGIN; CREATE TABLE forgotten (id integer)")
    async with pool.acquire() as lent:
        assert not lent.is_in_transaction()
        assert await lent.fetchval("SELECT to_regclass('forgotten')") is None


@pytest.mark.parametrize("hard", [False, True])
async def test_a_relay_leaves_neither_lock_nor_subscription_in_its_session(
    pool: Pool,
    observer: asyncpg.Connection[asyncpg.Record],
    hard: bool,  # noqa: FBT001  # the table's column
) -> None:
    await pool.execute(_OUTBOX)
    relay = OutboxRelay(MemoryBus(SystemClock()), pool, "garden")
    await relay.start()

    async def locked() -> bool:
        return bool(await observer.fetchval(_LOCKS))

    await eventually(locked)
    if hard:
        [task] = [task for task in asyncio.all_tasks() if task.get_name() == "outbox relay garden"]
        task.cancel()
        await asyncio.wait({task})
    else:
        await relay.stop()

    async def let_go() -> bool:
        return not await locked()

    await eventually(let_go)
    async with pool.acquire() as lent:
        assert await lent.fetch("SELECT pg_listening_channels()") == []
