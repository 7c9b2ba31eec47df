"""Telemetry: takes states in under a lease and answers for what is stored."""

import asyncio
from datetime import datetime

import asyncpg
import structlog

from edge_gateway.bus.protocol import EventBus, Lease, Subscription
from edge_gateway.contracts import routes, subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.device import Health, Nothing
from edge_gateway.contracts.errors import InvalidError, NotFoundError, UnavailableError
from edge_gateway.contracts.fleet import ResolveTargetRequest
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.principals import PermissionCheckRequest, Relation
from edge_gateway.contracts.telemetry import (
    HistoryReply,
    HistoryRequest,
    LatestStatesReply,
    LatestStatesRequest,
    PositionsReply,
)
from edge_gateway.telemetry import repository
from edge_gateway.telemetry.ingest import Ingest
from edge_gateway.telemetry.months import months_needed
from edge_gateway.telemetry.partitions import Partitions
from edge_gateway.telemetry.settings import TelemetrySettings

_LOG = structlog.get_logger(__name__)

_LEASE = "telemetry-partition-0"
_DURABLE = "telemetry-ingest-0"
_LEASE_RETRY_SECONDS = 1.0
_PARTITIONS_SECONDS = 3600.0
_MAXIMUM_PAGE = 5000


class TelemetryService:
    """The service that stores what mowers report."""

    name = "telemetry"

    def __init__(
        self,
        *,
        bus: EventBus,
        pool: asyncpg.Pool[asyncpg.Record],
        clock: Clock,
        settings: TelemetrySettings,
        instance_id: str,
    ) -> None:
        """Put the service together; `instance_id` is the holder of its lease."""
        self._bus = bus
        self._pool = pool
        self._clock = clock
        self._settings = settings
        self._instance_id = instance_id
        self._ingest = Ingest(pool, self._ask_account)
        self._partitions = Partitions(pool)
        self._replies: list[Subscription] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._stopping = asyncio.Event()
        self._intake_stands = asyncio.Event()
        """The durable exists: from now on no state is published unheard."""
        self._started_at: datetime | None = None

    async def start(self) -> None:
        """Make the partitions, answer questions; returns when states are taken in, by this copy or by another."""
        await self._make_partitions()
        bus = self._bus
        self._replies = [
            await bus.reply(routes.STATES_LATEST, self._latest),
            await bus.reply(routes.HISTORY_LIST, self._history),
            await bus.reply(routes.POSITIONS_LIST, self._positions),
            await bus.reply(routes.health_route(self.name), self._health),
        ]
        self._started_at = self._clock.now()
        self._tasks = [
            asyncio.create_task(self._ingest_while_leased(), name="telemetry-ingest"),
            asyncio.create_task(self._keep_partitions(), name="telemetry-partitions"),
        ]
        await self._intake_stands.wait()

    async def stop(self) -> None:
        """Settle what was fetched, give the lease back, stop answering."""
        self._stopping.set()
        self._intake_stands.set()
        await asyncio.gather(*self._tasks)
        for reply in self._replies:
            await reply.unsubscribe()

    async def _ingest_while_leased(self) -> None:
        while not self._stopping.is_set():
            try:
                lease = await self._bus.acquire_lease(_LEASE, holder=self._instance_id)
            except UnavailableError as error:
                _LOG.warning("lease_not_to_be_had", lease=_LEASE, code=error.code)
            else:
                if lease is not None:
                    await self._ingest_under(lease)
                    continue
                self._intake_stands.set()
            await self._pause(_LEASE_RETRY_SECONDS)

    async def _ingest_under(self, lease: Lease) -> None:
        self._ingest.fence = lease.fence
        try:
            subscription = await self._bus.subscribe_batch(
                subjects.ALL_STATES,
                self._ingest.handle,
                durable=_DURABLE,
                max_batch=self._settings.ingest_batch_max,
                max_wait_seconds=self._settings.ingest_batch_wait_seconds,
            )
        except UnavailableError as error:
            _LOG.warning("ingest_not_started", code=error.code)
            await lease.release()
            await self._pause(_LEASE_RETRY_SECONDS)
            return
        self._intake_stands.set()
        lost = asyncio.create_task(lease.lost())
        stopping = asyncio.create_task(self._stopping.wait())
        await asyncio.wait({lost, stopping}, return_when=asyncio.FIRST_COMPLETED)
        await subscription.unsubscribe()
        if lost.done():
            _LOG.warning("ingest_lease_lost", lease=_LEASE)
        else:
            await lease.release()
        for task in (lost, stopping):
            task.cancel()
        await asyncio.gather(lost, stopping, return_exceptions=True)

    async def _keep_partitions(self) -> None:
        while not self._stopping.is_set():
            await self._pause(_PARTITIONS_SECONDS)
            try:
                await self._make_partitions()
            except OSError, asyncpg.PostgresError, asyncpg.InterfaceError:
                # The default partition takes the rows until the next hour's attempt.
                _LOG.exception("partitions_not_made")

    async def _make_partitions(self) -> None:
        for month in months_needed(self._clock.now()):
            if await self._partitions.make(month):
                _LOG.info("partition_made", table=month.table)

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return

    async def _ask_account(self, mower_id: str) -> str | None:
        question = ResolveTargetRequest(account_id=ACCOUNT_ID, mower_id=mower_id)
        try:
            await self._bus.request(routes.TARGETS_RESOLVE, question)
        except NotFoundError:
            return None
        return ACCOUNT_ID

    async def _health(self, _question: Nothing) -> Health:
        try:
            async with asyncio.timeout(2):
                await self._pool.fetchval("SELECT 1")
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            detail = f"PostgreSQL does not answer ({type(error).__name__})."
            return Health(service=self.name, ready=False, detail=detail, started_at=self._started_at)
        return Health(service=self.name, ready=True, started_at=self._started_at)

    async def _latest(self, question: LatestStatesRequest) -> LatestStatesReply:
        async with self._pool.acquire() as connection:
            items = await repository.read_latest(connection, question.account_id, question.mower_ids)
        return LatestStatesReply(items=items)

    async def _history(self, question: HistoryRequest) -> HistoryReply:
        begins_at = await self._checked_begin(question)
        async with self._pool.acquire() as connection:
            rows = await repository.read_history(
                connection, question.mower_id, begins_at, question.until, limit=question.limit + 1
            )
        page = rows[: question.limit]
        return HistoryReply(items=page, next=page[-1].observed_at if len(rows) > len(page) else None)

    async def _positions(self, question: HistoryRequest) -> PositionsReply:
        begins_at = await self._checked_begin(question)
        async with self._pool.acquire() as connection:
            rows = await repository.read_positions(
                connection, question.mower_id, begins_at, question.until, limit=question.limit + 1
            )
        page = rows[: question.limit]
        return PositionsReply(items=page, next=page[-1].observed_at if len(rows) > len(page) else None)

    async def _checked_begin(self, question: HistoryRequest) -> datetime:
        """Check rights and bounds; returns where the page begins (just after the one before)."""
        if not 1 <= question.limit <= _MAXIMUM_PAGE:
            raise InvalidError("out_of_range", f"limit must lie between 1 and {_MAXIMUM_PAGE}.", field="limit")
        if question.until <= question.since:
            raise InvalidError("out_of_range", "until must lie after since.", field="until")
        answer = await self._bus.request(
            routes.PERMISSIONS_CHECK,
            PermissionCheckRequest(
                principal=question.on_behalf_of,
                relation=Relation.CAN_VIEW,
                account_id=question.account_id,
                mower_ids=(question.mower_id,),
            ),
        )
        if not answer.allowed.get(question.mower_id, False):
            raise NotFoundError("not_found", "There is no such mower, or you may not see it.")
        if question.after is None or question.after < question.since:
            return question.since
        return question.after + datetime.resolution
