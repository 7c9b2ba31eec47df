"""A month's partition takes over the rows that the default one held for it."""

from edge_gateway.database.pools import Pool
from edge_gateway.telemetry.months import month_of
from edge_gateway.telemetry.repository import partitions
from tests.service.telemetry.conftest import BEGIN


async def _count(pool: Pool, table: str) -> int:
    return int(await pool.fetchval(f"SELECT count(*) FROM telemetry.{table}"))  # noqa: S608  # fixed names


async def test_rows_move_from_the_default_partition(pool: Pool) -> None:
    await pool.execute(
        "INSERT INTO telemetry.log (mower, observed_at, activity, changed) VALUES (1, $1, 0, true)", BEGIN
    )
    before = await _count(pool, "log_default")
    month = month_of(BEGIN)

    async with pool.acquire() as connection:
        made = await partitions.make(connection, month)

    assert (made, before) == (True, 1)
    assert (await _count(pool, "log_default"), await _count(pool, month.table), await _count(pool, "log")) == (0, 1, 1)


async def test_a_partition_is_made_once(pool: Pool) -> None:
    async with pool.acquire() as connection:
        assert await partitions.make(connection, month_of(BEGIN))
        assert not await partitions.make(connection, month_of(BEGIN))
