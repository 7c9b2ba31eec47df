"""Keeps house: makes partitions ahead, packs old positions into segments, purges what is older than it is kept."""

import asyncio
from datetime import UTC, datetime, time, timedelta

import structlog

from edge_gateway.contracts.clock import Clock
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry import metrics
from edge_gateway.telemetry.months import months_needed, months_to_purge
from edge_gateway.telemetry.repository import partitions, segments
from edge_gateway.telemetry.segments import pack, thin
from edge_gateway.telemetry.settings import TelemetrySettings

_LOG = structlog.get_logger(__name__)

_EVERY_SECONDS = 3600.0
_DAY = timedelta(days=1)


class Housekeeping:
    """The hourly round. Each step stands for itself: one that fails keeps none of the others from its work."""

    def __init__(self, pool: Pool, clock: Clock, settings: TelemetrySettings) -> None:
        """Prepare."""
        self._pool = pool
        self._clock = clock
        self._segment_after = timedelta(days=settings.segment_after_days)
        self._apart = timedelta(seconds=settings.segment_point_seconds)
        self._keep_log = timedelta(days=settings.log_days)
        self._keep_segments = timedelta(days=settings.segment_days)
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Make the partitions that are needed now; the first round and those of each hour follow by themselves."""
        await self.make_partitions()
        self._task = asyncio.create_task(self._run(), name="telemetry-housekeeping")

    async def stop(self) -> None:
        """End; what is under way is rolled back."""
        self._stopping.set()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def round(self) -> None:
        """Do everything once. Packing comes before purging, which does without it when the disk is full."""
        for step in (self.make_partitions, self.make_segments, self.purge):
            try:
                await step()
            except Exception as error:  # noqa: BLE001  # whatever fails must not end the rounds; it is told and counted
                # The next round tries again; until then the default partition takes the rows.
                reason = f"{type(error).__name__}: {error}"
                _LOG.error("a step of housekeeping failed", step=step.__name__, reason=reason)
                metrics.HOUSEKEEPING_FAILURES.labels(step.__name__).inc()

    async def make_partitions(self) -> None:
        """Make this month's partition and the next ones'."""
        async with self._pool.acquire() as connection:
            for month in months_needed(self._clock.now()):
                if await partitions.make(connection, month):
                    _LOG.info("the month has its partition", table=month.table)

    async def make_segments(self) -> None:
        """Pack the positions of each day that is old enough, a transaction each."""
        until = _day_begin(self._clock.now() - self._segment_after)
        while not self._stopping.is_set() and await self._pack_day(until):
            continue

    async def purge(self) -> None:
        """Drop the months whose last day is older than the log is kept, and segments that are too old."""
        now = self._clock.now()
        keep_from = now - self._keep_log
        async with self._pool.acquire() as connection:
            for month in months_to_purge(await partitions.months(connection), keep_from):
                await partitions.drop(connection, month)
                _LOG.info("the month was purged", table=month.table)
                metrics.PURGED_MONTHS.inc()
            first_kept = months_needed(keep_from, ahead=0)[0].begins_at
            await partitions.note_log_from(connection, first_kept)
            await partitions.purge_default(connection, first_kept)
            await segments.purge(connection, now - self._keep_segments)

    async def _pack_day(self, until: datetime) -> bool:
        """Pack one day; tell whether there may be another."""
        async with self._pool.acquire() as connection, connection.transaction():
            begins_at = await segments.lock_progress(connection)
            if begins_at is None or begins_at >= until:
                return False
            ends_at = min(_day_begin(begins_at) + _DAY, until)
            for mower, positions in (await segments.read_positions(connection, begins_at, ends_at)).items():
                await segments.put(connection, mower, pack(thin(positions, self._apart)))
            await segments.note_progress(connection, ends_at)
        return True

    async def _run(self) -> None:
        while True:
            await self.round()
            await asyncio.sleep(_EVERY_SECONDS)


def _day_begin(moment: datetime) -> datetime:
    return datetime.combine(moment.astimezone(UTC).date(), time(), UTC)
