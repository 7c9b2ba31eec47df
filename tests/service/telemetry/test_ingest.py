"""An older holder of the lease writes nothing more; batches and single states leave the same rows, everywhere."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.mower import Activity, Job, MowerState, Position, Problem
from edge_gateway.contracts.telemetry import Zone
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry.ingest import Ingest
from edge_gateway.telemetry.repository import directory
from edge_gateway.telemetry.repository.directory import DirectoryEntry
from edge_gateway.telemetry.settings import TelemetrySettings
from edge_gateway.telemetry.store import PostgresStore, Store
from tests.service.telemetry.conftest import state
from tests.service.telemetry.memory_store import MemoryStore
from tests.service.telemetry.stored import Rows, rows_of_database, rows_of_memory


class StandingClock:
    """A clock that stands still."""

    def __init__(self, moment: datetime) -> None:
        """Let it stand."""
        self._moment = moment

    def now(self) -> datetime:
        """Return where it stands."""
        return self._moment


_SETTINGS = TelemetrySettings(blade_life_hours=0.05)
_MIDNIGHT = datetime(2026, 3, 28, 23, tzinfo=UTC)
"""Of the day on which Berlin's clocks go forward."""
_NOW = StandingClock(_MIDNIGHT)
_NEAR = (Position(latitude=52.5, longitude=13.4), Position(latitude=52.5001, longitude=13.4002))
_FAR = Position(latitude=52.6, longitude=13.5)
_ZONE = Zone(id="z1", name="Orchard", boundary=((52.4999, 13.3999), (52.4999, 13.4001), (52.50005, 13.4001)))
_SIZES = {"a1": 120.0, "a2": None}


def _entry(mower_id: str) -> DirectoryEntry:
    return DirectoryEntry(
        mower_id=mower_id, account_id="home", site_id="home", time_zone="Europe/Berlin", provider="simulator"
    )


async def _ask(mower_id: str) -> DirectoryEntry:
    return _entry(mower_id)


async def _know(store: Store) -> None:
    for mower_id in ("m1", "m2"):
        await store.put_mower(_entry(mower_id))


@pytest.fixture
async def store(pool: Pool) -> AsyncIterator[PostgresStore]:
    """Return a store that knows two mowers: one with a map, one with a zone of the owner's."""
    store = PostgresStore(pool, _SETTINGS)
    await _know(store)
    async with pool.acquire() as connection:
        await directory.put_area_sizes(connection, "m1", _SIZES)
        await directory.put_zones(connection, "m2", [_ZONE])
    yield store
    await store.close()


async def test_an_older_holder_of_the_lease_is_refused(pool: Pool, store: PostgresStore) -> None:
    other = PostgresStore(pool, _SETTINGS)
    older, newer = Ingest(store, _ask, _NOW), Ingest(other, _ask, _NOW)
    older.fence, newer.fence = 1, 2
    await older.record_states([state(0)])
    await newer.record_states([state(1)])

    with pytest.raises(UnavailableError, match="taken over"):
        await older.record_states([state(2)])

    assert await pool.fetchval("SELECT count(*) FROM telemetry.log") == 2
    await other.close()


_moments = st.one_of(
    st.integers(-30, 30),  # around midnight
    st.integers(0, 7200),  # gaps of up to two hours
    st.sampled_from([-86_400, 86_400, 82_800, 90_000]),  # a clock that jumps; a day of 23 hours
)
_jobs = st.one_of(
    st.none(),
    st.builds(
        Job,
        id=st.sampled_from(["j1", "j2"]),
        command_id=st.sampled_from([None, "c1"]),
        area_ids=st.sampled_from([(), ("a1",), ("a1", "a2")]),
    ),
)


def _at(seconds: int, **changes: Any) -> MowerState:  # noqa: ANN401  # fields by name
    return state(0, observed_at=_MIDNIGHT.fromtimestamp(_MIDNIGHT.timestamp() + seconds, UTC), **changes)


_states = st.builds(
    _at,
    seconds=_moments,
    mower_id=st.sampled_from(["m1", "m2"]),
    activity=st.sampled_from([Activity.MOWING, Activity.MOWING, *Activity]),
    battery_percent=st.sampled_from([None, 79, 80]),
    progress_percent=st.sampled_from([None, 33.3, 50.0, 99.5]),
    charging=st.sampled_from([None, False, True]),
    area_id=st.sampled_from([None, "a1"]),
    position=st.sampled_from([None, *_NEAR, _FAR]),
    problem=st.sampled_from([None, Problem(code="stuck")]),
    job=_jobs,
    backfill=st.booleans(),
    account_id=st.sampled_from(["home", "home", "home", "elsewhere"]),
)


async def _in_database(pool: Pool, batches: Sequence[Sequence[MowerState]]) -> Rows:
    await pool.execute("TRUNCATE telemetry.log, telemetry.book, telemetry.day, telemetry.area_day, telemetry.job")
    await pool.execute("TRUNCATE telemetry.outbox")
    store = PostgresStore(pool, _SETTINGS)
    ingest = Ingest(store, _ask, _NOW)
    for batch in batches:
        await ingest.record_states(batch)
    await store.close()
    return await rows_of_database(pool)


async def _in_memory(batches: Sequence[Sequence[MowerState]]) -> Rows:
    store = MemoryStore(_SETTINGS)
    await _know(store)
    store.area_sizes["m1"] = _SIZES
    store.zones["m2"] = (_ZONE,)
    ingest = Ingest(store, _ask, _NOW)
    for batch in batches:
        await ingest.record_states(batch)
    return rows_of_memory(store)


@pytest.mark.usefixtures("store")
@example(
    # A clock that was ahead; behind it a moment that has its row already comes again.
    states=[_at(61), _at(0, backfill=True), _at(0, problem=Problem(code="stuck"))],
    size=3,
)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(states=st.lists(_states, min_size=1, max_size=40), size=st.integers(2, 40))
async def test_a_batch_leaves_the_same_rows_as_its_states_one_at_a_time(
    pool: Pool, states: list[MowerState], size: int
) -> None:
    batches = [states[begin : begin + size] for begin in range(0, len(states), size)]
    singles = [[each] for each in states]

    expected = await _in_memory(singles)
    assert await _in_memory(batches) == expected
    assert await _in_database(pool, batches) == expected
    assert await _in_database(pool, singles) == expected
