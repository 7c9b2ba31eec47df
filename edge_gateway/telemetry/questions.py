"""Answers what Telemetry is asked: for whom it may be told, within bounds, in pages."""

from datetime import UTC, datetime, timedelta

import msgspec

from edge_gateway.bus.protocol import EventBus, Subscription
from edge_gateway.contracts import routes
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import MowerRequest
from edge_gateway.contracts.errors import InvalidError, NotFoundError
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.principals import PermissionCheckRequest, Relation
from edge_gateway.contracts.telemetry import (
    DaysReply,
    DaysRequest,
    HistoryReply,
    HistoryRequest,
    JobsReply,
    JobsRequest,
    LatestStatesReply,
    LatestStatesRequest,
    MowedAreasReply,
    MowerHealth,
    PositionRow,
    PositionsReply,
    PutZonesRequest,
    TrackReply,
    TrackRequest,
    ZonesReply,
)
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry import zone_checks
from edge_gateway.telemetry.events import MICROSECONDS, MILLIMETRES, SQUARE_CENTIMETRES, job_record
from edge_gateway.telemetry.repository import directory, log, totals
from edge_gateway.telemetry.segments import thin
from edge_gateway.telemetry.settings import TelemetrySettings

_LONGEST_PAGE = 5000
_LONGEST_JOB_PAGE = 500
_LONGEST_SPAN_DAYS = 3660
_TRACK_POINTS = 2000
_TRACK_READ = 50_000
"""A job of 14 hours at one position a second."""


class Questions:
    """The answering side of Telemetry."""

    def __init__(self, bus: EventBus, pool: Pool, clock: Clock, settings: TelemetrySettings) -> None:
        """Read from `pool`; ask the fleet over `bus` who may see what."""
        self._bus = bus
        self._pool = pool
        self._clock = clock
        self._blade_life = timedelta(hours=settings.blade_life_hours)

    async def start(self) -> list[Subscription]:
        """Begin to answer."""
        reply = self._bus.reply
        return [
            await reply(routes.STATES_LATEST, self._latest),
            await reply(routes.HISTORY_LIST, self._history),
            await reply(routes.POSITIONS_LIST, self._positions),
            await reply(routes.HEALTH_READ, self._health),
            await reply(routes.BLADES_RESET, self._reset_blades),
            await reply(routes.DAYS_LIST, self._days),
            await reply(routes.MOWED_AREAS_LIST, self._areas),
            await reply(routes.JOBS_LIST, self._jobs),
            await reply(routes.JOBS_TRACK, self._track),
            await reply(routes.ZONES_LIST, self._zones),
            await reply(routes.ZONES_PUT, self._put_zones),
        ]

    async def _latest(self, question: LatestStatesRequest) -> LatestStatesReply:
        async with self._pool.acquire() as connection:
            items = await log.read_latest(connection, question.account_id, question.mower_ids)
        return LatestStatesReply(items=items)

    async def _history(self, question: HistoryRequest) -> HistoryReply:
        begins_at = await self._checked_begin(question)
        async with self._pool.acquire() as connection:
            rows = await log.read_history(
                connection, question.mower_id, begins_at, question.until, limit=question.limit + 1
            )
        page = rows[: question.limit]
        return HistoryReply(items=page, next=page[-1].observed_at if len(rows) > len(page) else None)

    async def _positions(self, question: HistoryRequest) -> PositionsReply:
        begins_at = await self._checked_begin(question)
        async with self._pool.acquire() as connection:
            rows = await log.read_positions(
                connection, question.mower_id, begins_at, question.until, limit=question.limit + 1
            )
        page = rows[: question.limit]
        return PositionsReply(items=page, next=page[-1].observed_at if len(rows) > len(page) else None)

    async def _health(self, question: MowerRequest) -> MowerHealth:
        await self._check(question, question.mower_id)
        async with self._pool.acquire() as connection:
            health = await totals.read_mower_health(connection, question.mower_id)
        return MowerHealth(
            mower_id=question.mower_id,
            mowing_seconds=health.mowing_microseconds / MICROSECONDS,
            distance_m=health.distance_millimetres / MILLIMETRES,
            area_m2=health.area_square_centimetres / SQUARE_CENTIMETRES,
            charge_cycles=health.charge_cycles,
            blade_seconds=health.blade_microseconds / MICROSECONDS,
            blade_life_seconds=self._blade_life.total_seconds(),
            blades_reset_at=health.blades_reset_at,
        )

    async def _reset_blades(self, question: MowerRequest) -> MowerHealth:
        await self._check(question, question.mower_id, Relation.CAN_CONTROL)
        async with self._pool.acquire() as connection, connection.transaction():
            await directory.lock_to_change(connection, question.mower_id)
            await totals.reset_blades(connection, question.mower_id, self._clock.now())
        return await self._health(question)

    async def _days(self, question: DaysRequest) -> DaysReply:
        await self._check_days(question)
        async with self._pool.acquire() as connection:
            items = await totals.read_days(connection, question.mower_id, question.since, question.until)
        return DaysReply(items=items)

    async def _areas(self, question: DaysRequest) -> MowedAreasReply:
        await self._check_days(question)
        async with self._pool.acquire() as connection:
            items = await totals.read_areas(connection, question.mower_id, question.since, question.until)
        return MowedAreasReply(items=items)

    async def _jobs(self, question: JobsRequest) -> JobsReply:
        if not 1 <= question.limit <= _LONGEST_JOB_PAGE:
            raise InvalidError("out_of_range", f"limit must lie between 1 and {_LONGEST_JOB_PAGE}.", field="limit")
        before = None if question.before is None else _read_cursor(question.before)
        await self._check(question, question.mower_id)
        async with self._pool.acquire() as connection:
            rows = await totals.list_jobs(connection, question.mower_id, before=before, limit=question.limit + 1)
        page = rows[: question.limit]
        following = len(rows) > len(page)
        return JobsReply(
            items=tuple(job_record(question.mower_id, row) for row in page),
            next=f"{page[-1].started_at.astimezone(UTC).isoformat()}~{page[-1].job_id}" if following else None,
        )

    async def _track(self, question: TrackRequest) -> TrackReply:
        await self._check(question, question.mower_id)
        async with self._pool.acquire() as connection:
            job = await totals.find_job(connection, question.mower_id, question.job_id)
            if job is None:
                raise NotFoundError("not_found", "There is no such job.", field="job_id")
            ends_at = (job.ended_at or job.last_at) + datetime.resolution
            points = await log.read_positions(connection, question.mower_id, job.started_at, ends_at, limit=_TRACK_READ)
        return TrackReply(items=_thinned(points))

    async def _zones(self, question: MowerRequest) -> ZonesReply:
        await self._check(question, question.mower_id)
        async with self._pool.acquire() as connection:
            return ZonesReply(items=await directory.read_zones(connection, question.mower_id))

    async def _put_zones(self, question: PutZonesRequest) -> ZonesReply:
        zone_checks.check(question.zones)
        await self._check(question, question.mower_id, Relation.CAN_CONTROL)
        async with self._pool.acquire() as connection, connection.transaction():
            await directory.lock_to_change(connection, question.mower_id)
            await directory.put_zones(connection, question.mower_id, question.zones)
        return ZonesReply(items=question.zones)

    async def _checked_begin(self, question: HistoryRequest) -> datetime:
        """Check rights and bounds; returns where the page begins (just after the one before)."""
        if not 1 <= question.limit <= _LONGEST_PAGE:
            raise InvalidError("out_of_range", f"limit must lie between 1 and {_LONGEST_PAGE}.", field="limit")
        if question.until <= question.since:
            raise InvalidError("out_of_range", "until must lie after since.", field="until")
        await self._check(question, question.mower_id)
        if question.after is None or question.after < question.since:
            return question.since
        return question.after + datetime.resolution

    async def _check_days(self, question: DaysRequest) -> None:
        if not 0 <= (question.until - question.since).days <= _LONGEST_SPAN_DAYS:
            raise InvalidError(
                "out_of_range", f"until must lie at most {_LONGEST_SPAN_DAYS} days after since.", field="until"
            )
        await self._check(question, question.mower_id)

    async def _check(self, question: Asking, mower_id: str, relation: Relation = Relation.CAN_VIEW) -> None:
        """Raise `NotFoundError` for a mower that the principal does not see."""
        answer = await self._bus.request(
            routes.PERMISSIONS_CHECK,
            PermissionCheckRequest(
                principal=question.on_behalf_of,
                relation=relation,
                account_id=question.account_id,
                mower_ids=(mower_id,),
            ),
        )
        if not answer.allowed.get(mower_id, False):
            raise NotFoundError("not_found", "There is no such mower, or you may not see it.", field="mower_id")


def _thinned(points: tuple[PositionRow, ...]) -> tuple[PositionRow, ...]:
    """Return so few points, evenly apart in time, that a track can be drawn at once."""
    if len(points) <= _TRACK_POINTS:
        return points
    apart = (points[-1].observed_at - points[0].observed_at) / (_TRACK_POINTS - 2)
    return tuple(thin(points, apart))


def _read_cursor(cursor: str) -> tuple[datetime, str]:
    moment, _, job_id = cursor.partition("~")
    try:
        started_at = msgspec.convert(moment, datetime)
    except msgspec.ValidationError:
        started_at = None
    if started_at is None or started_at.tzinfo is None or not job_id:
        raise InvalidError("invalid", "before is not the `next` of a page.", field="before")
    return started_at, job_id
