"""An older holder of the lease writes nothing more; batches and single states leave the same rows."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.mower import Activity, MowerState
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry import repository
from edge_gateway.telemetry.ingest import Ingest
from tests.service.telemetry.conftest import state


async def _home(_mower_id: str) -> str:
    return "home"


async def _known(pool: Pool, *mower_ids: str) -> None:
    async with pool.acquire() as connection:
        for mower_id in mower_ids:
            await repository.put_directory(connection, mower_id, "home")


async def test_an_older_holder_of_the_lease_is_refused(pool: Pool) -> None:
    await _known(pool, "m1")
    older, newer = Ingest(pool, _home), Ingest(pool, _home)
    older.fence, newer.fence = 1, 2
    await older.record_states([state(0)])
    await newer.record_states([state(1)])

    with pytest.raises(UnavailableError, match="taken over"):
        await older.record_states([state(2)])

    assert await pool.fetchval("SELECT count(*) FROM telemetry.log") == 2


_states = st.builds(
    state,
    seconds=st.integers(0, 20),
    mower_id=st.sampled_from(["m1", "m2"]),
    activity=st.sampled_from([Activity.MOWING, Activity.DOCKED, Activity.UNKNOWN]),
    battery_percent=st.sampled_from([None, 79, 80]),
    progress_percent=st.sampled_from([None, 33.3]),
    account_id=st.sampled_from(["home", "home", "home", "elsewhere"]),
)


async def _stored(pool: Pool, batches: Sequence[Sequence[MowerState]]) -> list[list[tuple[object, ...]]]:
    await pool.execute("TRUNCATE telemetry.log, telemetry.latest")
    ingest = Ingest(pool, _home)
    for batch in batches:
        await ingest.record_states(batch)
    return [
        [tuple(row) for row in await pool.fetch(f"SELECT * FROM telemetry.{table} ORDER BY 1, 2")]  # noqa: S608  # two fixed names
        for table in ("log", "latest")
    ]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(states=st.lists(_states, min_size=1, max_size=40), size=st.integers(2, 15))
async def test_a_batch_leaves_the_same_rows_as_its_states_one_at_a_time(
    pool: Pool, states: list[MowerState], size: int
) -> None:
    await _known(pool, "m1", "m2")
    batches = [states[begin : begin + size] for begin in range(0, len(states), size)]

    assert await _stored(pool, batches) == await _stored(pool, [[each] for each in states])
