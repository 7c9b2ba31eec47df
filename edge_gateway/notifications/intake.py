"""Takes reports in: a batch is judged in memory; watches and events are stored in one transaction."""

import time
from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
import structlog

from edge_gateway.bus import outbox
from edge_gateway.bus.protocol import Delivery, Verdict
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.commands import CommandOutcome
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.mower import MowerAvailability, MowerState
from edge_gateway.contracts.notifications import Notification
from edge_gateway.contracts.telemetry import BladeThresholdReached
from edge_gateway.database.poison import POISON
from edge_gateway.database.pools import Connection, Pool
from edge_gateway.notifications import judging, metrics, repository
from edge_gateway.notifications.directory import Directory
from edge_gateway.notifications.events import notification_event
from edge_gateway.notifications.geofences import Geofences
from edge_gateway.notifications.orders import Orders
from edge_gateway.notifications.repository import SCHEMA, WatchRow
from edge_gateway.notifications.rules import Thresholds
from edge_gateway.notifications.watch import BladeReport, Order, Watch

_log = structlog.get_logger(__name__)

type Report = MowerState | MowerAvailability | Order | BladeReport
"""What the rules judge."""

_DUE_AT_ONCE = 200


class Intake:
    """Judges reports, exactly once each, whatever is delivered twice."""

    def __init__(
        self,
        pool: Pool,
        clock: Clock,
        directory: Directory,
        orders: Orders,
        *,
        geofences: Geofences,
        thresholds: Thresholds,
    ) -> None:
        """Store through a pool; the fence is set by whoever holds the lease."""
        self._pool = pool
        self._clock = clock
        self._directory = directory
        self._orders = orders
        self._geofences = geofences
        self._thresholds = thresholds
        self.fence = 0
        """The fencing number of the lease under which reports are judged."""

    async def handle(self, deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        """Judge a batch from the bus; raises when the database cannot be used, so that all of it comes again."""
        begin = time.monotonic()
        verdicts: list[Verdict] = [Verdict.ACK] * len(deliveries)
        reports: list[tuple[int, Report]] = []
        for index, delivery in enumerate(deliveries):
            try:
                report = await self._read(delivery.envelope)
            except msgspec.DecodeError as error:
                _log.warning("report not understood", event_id=delivery.envelope.id, error=str(error))
                metrics.REPORTS.labels(delivery.envelope.type, "undecodable").inc()
                verdicts[index] = Verdict.DROP
                continue
            if report is not None:
                reports.append((index, report))
        unknown = await self._directory.learn(report.mower_id for _, report in reports)
        for index, report in reports:
            if report.mower_id in unknown:
                verdicts[index] = Verdict.REDELIVER
        await self._record([(index, report) for index, report in reports if report.mower_id not in unknown], verdicts)
        metrics.BATCH_SECONDS.observe(time.monotonic() - begin)
        return verdicts

    async def judge(self, reports: Sequence[Report]) -> None:
        """Judge reports about known mowers in one transaction, in their order."""
        async with self._pool.acquire() as connection, connection.transaction():
            await repository.claim_intake(connection, self.fence)
            rows = await repository.lock_watches(connection, sorted({report.mower_id for report in reports}))
            watches = {mower_id: row.watch for mower_id, row in rows.items()}
            told: list[Notification] = []
            for report in reports:
                row = rows.get(report.mower_id)
                if row is None:  # removed since it was learned of
                    continue
                before = watches[report.mower_id]
                watches[report.mower_id], events = await self._judge_one(connection, row, before, report)
                effect = "judged" if watches[report.mower_id] is not before else "nothing"
                metrics.REPORTS.labels(type(report).__name__, effect).inc()
                told += events
            changed = [watch for mower_id, watch in watches.items() if watch is not rows[mower_id].watch]
            await self._store(connection, changed, told)
        _count(told)

    async def settle_due(self, until: datetime) -> None:
        """Turn conditions that have lasted long enough by `until`, where no report came to do it."""
        async with self._pool.acquire() as connection, connection.transaction():
            mower_ids = await repository.due_mowers(connection, until, limit=_DUE_AT_ONCE)
            if not mower_ids:
                return
            await repository.claim_intake(connection, self.fence)
            rows = await repository.lock_watches(connection, mower_ids)
            told: list[Notification] = []
            changed: list[Watch] = []
            for row in rows.values():
                watch, events = judging.settle_all(row.watch, until, thresholds=self._thresholds)
                told += events
                changed.append(watch)
            await self._store(connection, changed, told)
        _count(told)

    async def _read(self, envelope: Envelope) -> Report | None:
        match envelope.type:
            case subjects.STATE_TYPE:
                return envelope.decode(MowerState)
            case subjects.AVAILABILITY_TYPE:
                return envelope.decode(MowerAvailability)
            case subjects.OUTCOME_TYPE:
                return await self._orders.of(envelope.decode(CommandOutcome))
            case subjects.BLADE_THRESHOLD:
                reached = envelope.decode(BladeThresholdReached)
                values = {"blade_seconds": reached.blade_seconds, "blade_life_seconds": reached.blade_life_seconds}
                return BladeReport(
                    mower_id=reached.mower_id,
                    account_id=envelope.account_id,
                    at=reached.at,
                    worn=True,
                    values=values,
                )
            case _:
                return None

    async def _record(self, reports: Sequence[tuple[int, Report]], verdicts: list[Verdict]) -> None:
        """Judge a batch; a data error halves it until the poison stands alone and is dropped."""
        if not reports:
            return
        try:
            await self.judge([report for _, report in reports])
        except POISON:
            if len(reports) == 1:
                index, report = reports[0]
                _log.exception("a report cannot be judged", mower_id=report.mower_id)
                metrics.REPORTS.labels(type(report).__name__, "poison").inc()
                verdicts[index] = Verdict.DROP
                return
            middle = len(reports) // 2
            await self._record(reports[:middle], verdicts)
            await self._record(reports[middle:], verdicts)

    async def _judge_one(self, connection: Connection, row: WatchRow, watch: Watch, report: Report) -> judging.Judged:
        thresholds = self._thresholds
        match report:
            case MowerState():
                geofence = await self._geofences.of(connection, row)
                return judging.judge_state(
                    watch, report, geofence=geofence, thresholds=thresholds, now=self._clock.now()
                )
            case MowerAvailability():
                return judging.judge_availability(watch, report, thresholds=thresholds, now=self._clock.now())
            case Order():
                return judging.judge_order(watch, report, thresholds=thresholds)
            case BladeReport():
                return judging.judge_blade(watch, report, thresholds=thresholds)

    async def _store(self, connection: Connection, changed: Iterable[Watch], told: Iterable[Notification]) -> None:
        thresholds = self._thresholds
        await repository.put_watches(
            connection, {watch.mower_id: (watch, judging.next_due_at(watch, thresholds)) for watch in changed}
        )
        for notification in told:
            await outbox.put(connection, SCHEMA, subjects.NOTIFICATION, notification_event(notification))


def _count(told: Iterable[Notification]) -> None:
    for notification in told:
        metrics.EVENTS.labels(notification.code, notification.phase).inc()
        _log.info(
            "notification",
            code=notification.code.value,
            phase=notification.phase.value,
            mower=notification.mower_id,
        )
