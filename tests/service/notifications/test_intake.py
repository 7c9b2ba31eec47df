"""Batches leave the same watches and events as their reports one at a time, also when they come again."""

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edge_gateway.bus.memory import MemoryBus
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.database.pools import Pool
from edge_gateway.notifications import repository
from edge_gateway.notifications.directory import Directory
from edge_gateway.notifications.geofence import Drawn
from edge_gateway.notifications.geofences import Geofences
from edge_gateway.notifications.intake import Intake
from edge_gateway.notifications.orders import Orders
from tests.unit.notifications import strategies
from tests.unit.notifications.reports import GARDEN_DRAWN, THRESHOLDS, Report


class _Later:
    """A clock after all reports."""

    def now(self) -> datetime:
        """Return the moment."""
        return datetime(2026, 6, 2, tzinfo=UTC)


def _intake(pool: Pool) -> Intake:
    bus = MemoryBus(SystemClock())
    geofences = Geofences(margin_metres=20)
    return Intake(pool, _Later(), Directory(bus, pool), Orders(bus), geofences=geofences, thresholds=THRESHOLDS)


async def _stored(pool: Pool, batches: Sequence[Sequence[Report]], drawn: Drawn) -> list[list[tuple[object, ...]]]:
    await pool.execute("TRUNCATE notifications.directory, notifications.watch, notifications.told")
    async with pool.acquire() as connection:
        for mower_id in strategies.MOWERS:
            await repository.put_mower(connection, mower_id, "home", "home")
            await repository.put_geofence(connection, "home", "mower", mower_id, drawn)
    intake = _intake(pool)
    for batch in batches:
        await intake.judge(batch)
    return [
        [tuple(row) for row in await pool.fetch("SELECT * FROM notifications.watch ORDER BY mower_id")],
        [tuple(row) for row in await pool.fetch("SELECT event_id FROM notifications.told ORDER BY event_id")],
    ]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sources=strategies.sources, size=st.integers(2, 15))
async def test_a_batch_is_its_reports_one_at_a_time(pool: Pool, sources: tuple[list[Report], ...], size: int) -> None:
    reports = list(itertools.chain.from_iterable(sources))
    batches = list(itertools.batched(reports, size, strict=False))
    again = [batch for each in batches for batch in (each, each)]

    single = await _stored(pool, [[each] for each in reports], GARDEN_DRAWN)

    assert await _stored(pool, batches, GARDEN_DRAWN) == single
    assert await _stored(pool, again, GARDEN_DRAWN) == single
