"""A schema with an outbox and something to change in it."""

from collections.abc import AsyncIterator, Sequence

import pytest

from edge_gateway.bus import outbox
from edge_gateway.contracts import subjects
from edge_gateway.database.pools import Pool, open_pool
from tests.service.bus.events import event

SCHEMA = "garden"
SUBJECT = subjects.MOWER_CHANGED

TABLES = """
    CREATE SCHEMA garden;
    CREATE TABLE garden.outbox (
        sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id text NOT NULL,
        subject text NOT NULL,
        envelope bytea NOT NULL
    );
    CREATE TABLE garden.change (number integer PRIMARY KEY);
"""


async def change(pool: Pool, numbers: Sequence[int]) -> None:
    """Change something in one transaction, with an event `m:<number>` for each."""
    async with pool.acquire() as connection, connection.transaction():
        for number in numbers:
            await connection.execute("INSERT INTO garden.change VALUES ($1)", number)
            await outbox.put(connection, SCHEMA, SUBJECT, event(f"m:{number}"))


async def left(pool: Pool) -> int:
    """Return how many events are in the outbox."""
    return int(await pool.fetchval("SELECT count(*) FROM garden.outbox"))


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    pool = await open_pool(postgres_url, application_name="outbox test", maximum=5)
    await pool.execute(TABLES)
    yield pool
    await pool.close()
