"""A row that somebody else is writing at this moment."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from edge_gateway.database.pools import connect
from tests.eventually import eventually


@asynccontextmanager
async def waiting_for(
    database_url: str, statement: str, *, writers: int
) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """Lock rows with a statement that is committed at the end; yield what awaits that so many writers wait for it."""
    connection = await connect(database_url, application_name="test lock")
    # Another one: within a transaction, what others wait for stays as it was at the first look.
    looking = await connect(database_url, application_name="test look")

    async def wait() -> bool:
        asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        return bool(await looking.fetchval(asked) == writers)

    async def all_wait() -> None:
        await eventually(wait)

    try:
        async with connection.transaction():
            await connection.execute(statement)
            yield all_wait
    finally:
        await connection.close()
        await looking.close()
