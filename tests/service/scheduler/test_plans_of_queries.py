"""The tick's queries find what is due by an index, however many schedules are stored."""

from datetime import timedelta

import pytest

from edge_gateway.database.pools import Pool
from edge_gateway.scheduler.repository import runs, schedules, standing
from tests.service.scheduler.house import NINE

_FILL = """
INSERT INTO scheduler.schedule (id, account_id, owner, draft, mower_id, enabled, effective_time_zone, next_run_at,
    next_run_on, computed_at, created_by, created_at, changed_at)
SELECT 'schedule-' || number, 'home', 'user:owner', '{}', 'mower-1', true, 'UTC',
    $1::timestamptz + number * interval '1 minute', '2026-05-04', $1, 'user:owner', $1, $1
FROM generate_series(1, 20000) AS number
"""
_RUNS = """
INSERT INTO scheduler.run (id, account_id, schedule_id, mower_id, order_key, occurrence_at, window_ends_at, run_now,
    origin, owner, outcome, numbers, revision, final, look_again_at, refusals, attempt, followed, created_at)
SELECT 'run-' || number, 'home', 'schedule-1', 'mower-1', 'key-' || number, $1::timestamptz, $1, false,
    'scheduler', 'user:owner', CASE WHEN number > 100 THEN 'started' END, '{}', 1, number > 100,
    CASE WHEN number <= 100 THEN $1::timestamptz END, 0, 1, number % 1000 = 0, $1
FROM generate_series(1, 20000) AS number
"""


class Recorder:
    """A connection that writes down the statements, and explains instead of doing them."""

    def __init__(self, pool: Pool) -> None:
        """Explain on this database."""
        self._pool = pool
        self.plan = ""

    async def explain(self, query: str, *arguments: object) -> None:
        """Ask how it would be done."""
        self.plan = "\n".join(row[0] for row in await self._pool.fetch(f"EXPLAIN {query}", *arguments))

    async def fetchval(self, query: str, *arguments: object) -> None:
        """Explain; there is no value."""
        await self.explain(query, *arguments)

    async def fetchrow(self, query: str, *arguments: object) -> None:
        """Explain; there is no row."""
        await self.explain(query, *arguments)

    async def fetch(self, query: str, *arguments: object) -> list[object]:
        """Explain; there are no rows."""
        await self.explain(query, *arguments)
        return []


@pytest.fixture
async def recorder(pool: Pool) -> Recorder:
    """Return a recorder on a database with many schedules and runs."""
    await pool.execute(_FILL, NINE)
    await pool.execute(_RUNS, NINE)
    await pool.execute("ANALYZE scheduler.schedule; ANALYZE scheduler.run")
    return Recorder(pool)


async def test_claiming_uses_the_index_of_what_is_due(recorder: Recorder) -> None:
    await schedules.lock_due(recorder, NINE + timedelta(minutes=5))  # type: ignore[arg-type]  # records instead
    assert "Index Scan using schedule_due on schedule" in recorder.plan
    assert "Sort" not in recorder.plan
    await schedules.next_due(recorder)  # type: ignore[arg-type]  # records instead
    assert "schedule_due on schedule" in recorder.plan


async def test_a_clock_that_was_set_back_is_noticed_by_an_index(recorder: Recorder) -> None:
    await schedules.lock_computed_ahead(recorder, NINE)  # type: ignore[arg-type]  # records instead
    assert "schedule_computed on schedule" in recorder.plan


async def test_picking_up_uses_the_index_of_what_is_pending(recorder: Recorder) -> None:
    await runs.pick_up(recorder, NINE, NINE + timedelta(minutes=1))  # type: ignore[arg-type]  # records instead
    assert "run_pending on run" in recorder.plan
    assert "Sort" not in recorder.plan
    await runs.next_look(recorder)  # type: ignore[arg-type]  # records instead
    assert "run_pending on run" in recorder.plan


async def test_what_is_followed_and_what_a_mower_is_busy_with_is_found_by_an_index(recorder: Recorder) -> None:
    await runs.followed(recorder)  # type: ignore[arg-type]  # records instead
    assert "run_followed on run" in recorder.plan
    with pytest.raises(AssertionError, match="a row of values"):
        await standing.of(recorder, "schedule-1", "mower-1", but="run-1", now=NINE)  # type: ignore[arg-type]  # records
    assert "Index Scan" in recorder.plan
    assert "Seq Scan on run" not in recorder.plan
