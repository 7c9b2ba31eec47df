"""Books are remembered between batches, and what is not over stands in them: nothing that others change is missed."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime, timedelta

import asyncpg
import pytest

from edge_gateway.contracts.mower import Job, MowerState
from edge_gateway.contracts.telemetry import Zone
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry.ingest import Ingest
from edge_gateway.telemetry.repository import directory, totals
from edge_gateway.telemetry.store import PostgresStore
from tests.service.telemetry.conftest import state
from tests.service.telemetry.fault_house import SETTINGS, ask, entry
from tests.service.telemetry.test_housekeeping import Calendar

_NIGHT = datetime(2026, 5, 4, 22, tzinfo=UTC)
"""Midnight of the mower's garden."""
_EVENING = _NIGHT - timedelta(seconds=60)
_ZONE = Zone(id="z1", name="Orchard", boundary=((52.4, 13.3), (52.4, 13.5), (52.6, 13.4)))
_DAY, _NEXT = date(2026, 5, 4), date(2026, 5, 5)


def _mowing(seconds: Sequence[int], job_id: str = "j1") -> list[MowerState]:
    """Return reports of a job, some seconds after the evening begins."""
    job = Job(id=job_id, started_at=_EVENING, area_ids=("a1",))
    return [
        state(
            second,
            observed_at=_EVENING + timedelta(seconds=second),
            job=job,
            area_id="a1",
            progress_percent=float(second) / 10,
        )
        for second in seconds
    ]


@pytest.fixture
async def store(pool: Pool) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(pool, SETTINGS)
    await store.put_mower(entry("m1"))
    yield store
    await store.close()


def _ingest(store: PostgresStore, *, fence: int = 1) -> Ingest:
    ingest = Ingest(store, ask, Calendar(_NIGHT))
    ingest.fence = fence
    return ingest


async def test_what_is_not_over_is_told_with_what_is(pool: Pool, store: PostgresStore) -> None:
    ingest = _ingest(store)
    for second in range(0, 130, 10):  # sixty seconds of each day
        await ingest.record_states(_mowing([second]))
    async with pool.acquire() as connection:
        days = await totals.read_days(connection, "m1", _DAY, _NEXT)
        assert [(each.day, each.mowing_seconds) for each in days] == [(_DAY, 60.0), (_NEXT, 60.0)]
        assert [each.day for each in await totals.read_days(connection, "m1", _DAY, _DAY)] == [_DAY]
        (area,) = await totals.read_areas(connection, "m1", _DAY, _NEXT)
        assert (area.area_id, area.mowing_seconds, area.last_mowed_at) == ("a1", 120.0, _NIGHT + timedelta(seconds=60))
        (area,) = await totals.read_areas(connection, "m1", _NEXT, _NEXT)
        assert area.mowing_seconds == 60.0

        await ingest.record_states(_mowing([130], "j2"))
        newest, first = await totals.list_jobs(connection, "m1", before=None, limit=10)
        assert (newest.job_id, newest.ended_at, newest.last_at) == ("j2", None, _NIGHT + timedelta(seconds=70))
        assert (first.job_id, first.mowing_microseconds, first.ending) == ("j1", 130_000_000, "replaced")
        (older,) = await totals.list_jobs(connection, "m1", before=(newest.started_at, "j2"), limit=10)
        assert older == first
        await ingest.record_states(_mowing([140], "j2"))
        assert await totals.find_job(connection, "m1", "j1") == first
        underway = await totals.find_job(connection, "m1", "j2")
        assert underway is not None
        assert underway.mowing_microseconds == 10_000_000
        assert await totals.find_job(connection, "m1", "j3") is None
        assert await totals.read_days(connection, "m2", _DAY, _NEXT) == ()


async def test_what_others_change_between_batches_counts(pool: Pool, store: PostgresStore) -> None:
    ingest = _ingest(store)
    await ingest.record_states(_mowing([0, 10]))
    async with pool.acquire() as connection:
        async with connection.transaction():
            await directory.lock_to_change(connection, "m1")
            await totals.reset_blades(connection, "m1", _NIGHT)
        await directory.put_area_sizes(connection, "m1", {"a1": 100.0})
        await directory.put_zones(connection, "m1", [_ZONE])
        await ingest.record_states(_mowing([20]))
        health = await totals.read_mower_health(connection, "m1")
    assert (health.mowing_microseconds, health.blade_microseconds) == (20_000_000, 10_000_000)
    assert (health.blades_reset_at, health.area_square_centimetres) == (_NIGHT, 20_000)
    assert health.zone_ids == ("z1",)


async def test_what_another_copy_stored_in_between_counts(pool: Pool, store: PostgresStore) -> None:
    other = PostgresStore(pool, SETTINGS)
    first, second = _ingest(store, fence=1), _ingest(other, fence=2)
    await first.record_states(_mowing([0, 10]))
    await second.record_states(_mowing([20, 30]))
    first.fence = 3
    await first.record_states(_mowing([40]))
    async with pool.acquire() as connection:
        assert (await totals.read_mower_health(connection, "m1")).mowing_microseconds == 40_000_000
    await other.close()


async def test_a_batch_that_is_not_stored_leaves_nothing_remembered(pool: Pool, store: PostgresStore) -> None:
    ingest = _ingest(store)
    await ingest.record_states(_mowing([0, 10]))
    # Judged, and refused by the database.
    poison = state(20, observed_at=_EVENING + timedelta(seconds=20), battery_percent=101)
    with pytest.raises(asyncpg.CheckViolationError):
        await ingest.record_states([*_mowing([15]), poison])
    await ingest.record_states(_mowing([20]))
    async with pool.acquire() as connection:
        assert (await totals.read_mower_health(connection, "m1")).mowing_microseconds == 20_000_000
