"""Old positions are packed, old months dropped, on a disk with no room left, too; queries go on over both."""

import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg
import pytest

from edge_gateway.database import fitness
from edge_gateway.database.migrations import migrate
from edge_gateway.database.pools import Pool, open_pool
from edge_gateway.embedded import runtime_folder
from edge_gateway.embedded.postgres_server import PostgresServer
from edge_gateway.telemetry.housekeeping import Housekeeping
from edge_gateway.telemetry.ingest import Ingest
from edge_gateway.telemetry.months import Month
from edge_gateway.telemetry.repository import log, partitions
from edge_gateway.telemetry.store import PostgresStore
from tests.background_loop import BackgroundLoop
from tests.service.telemetry.conftest import state
from tests.service.telemetry.fault_house import SETTINGS, ask, entry

MAY = datetime(2026, 5, 4, 9, tzinfo=UTC)


class Calendar:
    """A clock that stands where it is put."""

    def __init__(self, now: datetime) -> None:
        """Put it somewhere."""
        self.moment = now

    def now(self) -> datetime:
        """Return where it stands."""
        return self.moment


async def _mow(pool: Pool, *, begin: datetime, seconds: int) -> None:
    """Store a report a second of the mower m1."""
    store = PostgresStore(pool, SETTINGS)
    await store.put_mower(entry("m1"))
    reports = [state(second, observed_at=begin + timedelta(seconds=second)) for second in range(seconds)]
    await Ingest(store, ask, Calendar(begin)).import_history(reports)
    await store.close()


async def _positions(pool: Pool, begin: datetime, until: datetime) -> list[datetime]:
    async with pool.acquire() as connection:
        rows = await log.read_positions(connection, "m1", begin, until, limit=100_000)
    return [row.observed_at for row in rows]


async def test_months_are_dropped_and_their_ways_stay(pool: Pool) -> None:
    clock = Calendar(MAY)
    housekeeping = Housekeeping(pool, clock, SETTINGS)
    await housekeeping.make_partitions()
    await _mow(pool, begin=MAY, seconds=600)
    before = await _positions(pool, MAY, MAY + timedelta(hours=1))
    assert len(before) == 600

    clock.moment = MAY + timedelta(days=7, hours=15)
    await housekeeping.round()
    assert await _positions(pool, MAY, MAY + timedelta(hours=1)) == before

    clock.moment = datetime(2026, 8, 30, tzinfo=UTC)
    await housekeeping.round()
    async with pool.acquire() as connection:
        assert Month(2026, 5) not in await partitions.months(connection)
    assert await pool.fetchval("SELECT count(*) FROM telemetry.log") == 0
    kept = await _positions(pool, MAY, MAY + timedelta(hours=1))
    assert set(kept) <= set(before)
    assert len(kept) == 41
    assert await _positions(pool, MAY + timedelta(seconds=60), MAY + timedelta(seconds=121)) == [
        each for each in kept if 60 <= (each - MAY).total_seconds() < 121
    ]

    clock.moment = MAY + timedelta(days=1100)
    await housekeeping.round()
    assert await _positions(pool, MAY, MAY + timedelta(hours=1)) == []


async def test_a_round_that_is_repeated_changes_nothing(pool: Pool) -> None:
    clock = Calendar(MAY + timedelta(days=20))
    housekeeping = Housekeeping(pool, clock, SETTINGS)
    await housekeeping.make_partitions()
    await _mow(pool, begin=MAY, seconds=100)
    await housekeeping.round()
    segments = await pool.fetch("SELECT * FROM telemetry.segment")
    await Housekeeping(pool, clock, SETTINGS).round()
    assert await pool.fetch("SELECT * FROM telemetry.segment") == segments
    assert segments


async def test_a_step_that_fails_keeps_none_of_the_others_from_its_work(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    housekeeping = Housekeeping(pool, Calendar(MAY), SETTINGS)
    purged = []

    async def fail() -> None:
        message = "a backend was killed in the middle of a statement"
        raise asyncpg.InternalClientError(message)

    async def purge() -> None:
        purged.append(True)

    monkeypatch.setattr(housekeeping, "make_segments", fail)
    monkeypatch.setattr(housekeeping, "purge", purge)
    await housekeeping.round()
    assert purged


async def test_rows_without_a_month_of_their_own_are_purged_too(pool: Pool) -> None:
    await _mow(pool, begin=datetime(2025, 1, 10, tzinfo=UTC), seconds=10)
    assert await pool.fetchval("SELECT count(*) FROM telemetry.log_default") == 10
    await Housekeeping(pool, Calendar(MAY), SETTINGS).round()
    assert await pool.fetchval("SELECT count(*) FROM telemetry.log_default") == 0


@pytest.fixture
def small_disk(
    server_loop: BackgroundLoop, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[PostgresServer, Path]]:
    """Return a PostgreSQL server on a small disk of its own."""
    folder = tmp_path_factory.mktemp("small-disk")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=192m,mode=0755", "tmpfs", folder], check=True)  # noqa: S603, S607 - fixed
    runtime = runtime_folder.create(folder, shared=True)
    server = PostgresServer(folder / "postgres", runtime, parameters={"fsync": "off", "max_wal_size": "64MB"})
    try:
        server_loop.run(server.start())
        yield server, folder
        server_loop.run(server.stop())
    finally:
        runtime.remove()
        subprocess.run(["umount", "--lazy", folder], check=True)  # noqa: S603, S607 - fixed


@pytest.mark.needs_root
async def test_a_full_disk_refuses_and_purging_makes_room(small_disk: tuple[PostgresServer, Path]) -> None:
    server, folder = small_disk
    await migrate(server.url, ["telemetry"])
    pool = await open_pool(server.url, application_name="test")
    clock = Calendar(MAY)
    housekeeping = Housekeeping(pool, clock, SETTINGS)
    await housekeeping.make_partitions()
    await _mow(pool, begin=MAY, seconds=20_000)
    stored = await pool.fetchval("SELECT count(*) FROM telemetry.log")
    clock.moment = datetime(2026, 8, 30, tzinfo=UTC)
    await housekeeping.make_partitions()
    # The log of the database has its room; nothing else has any.
    _fill(folder / "filler")

    found = await fitness.health("fleet", pool, started_at=None)
    assert not found.ready
    assert "probably full" in str(found.detail)
    august = datetime(2026, 8, 29, tzinfo=UTC)
    with pytest.raises(asyncpg.DiskFullError):
        await _mow(pool, begin=august, seconds=20_000)
    after_refusal = await pool.fetchval("SELECT count(*) FROM telemetry.log")
    await housekeeping.round()
    async with pool.acquire() as connection:
        assert Month(2026, 5) not in await partitions.months(connection)
    await _mow(pool, begin=august, seconds=5000)
    assert (await fitness.health("fleet", pool, started_at=None)).ready

    assert after_refusal % 200 == stored % 200 == 0
    assert await pool.fetchval("SELECT count(*) FROM telemetry.log") >= 5000
    await pool.close()


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 65_536)
        except OSError:
            return
