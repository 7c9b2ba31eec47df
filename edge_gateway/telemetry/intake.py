"""Takes the states of one partition in for as long as its lease is held."""

import asyncio

import structlog

from edge_gateway.bus.protocol import EventBus, Lease
from edge_gateway.bus.waiting import wait_at_most
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry.ingest import AskMower, Ingest
from edge_gateway.telemetry.settings import TelemetrySettings
from edge_gateway.telemetry.sharing import Share
from edge_gateway.telemetry.store import PostgresStore

_LOG = structlog.get_logger(__name__)

_RETRY_SECONDS = 1.0


def durable_name(partition: int) -> str:
    """Return the name of the durable that takes a partition's states in."""
    return f"telemetry-ingest-{partition}"


class Intake:
    """One partition: its lease, its durable, its ingest."""

    def __init__(
        self,
        bus: EventBus,
        pool: Pool,
        settings: TelemetrySettings,
        ask_mower: AskMower,
        clock: Clock,
        *,
        partition: int,
        holder: str,
        share: Share,
    ) -> None:
        """Prepare to take the states of a partition in; `holder` is who holds the lease, `share` what it may hold."""
        self._bus = bus
        self._settings = settings
        self._subject = subjects.ALL_STATES if settings.partitions == 1 else subjects.partition_subject(partition)
        self._holder = holder
        self._share = share
        self._partition = partition
        self._lease_name = f"telemetry-partition-{partition}"
        self._durable = durable_name(partition)
        self._store = PostgresStore(pool, settings)
        self._ingest = Ingest(self._store, ask_mower, clock, partition=partition)
        self._stopping = asyncio.Event()
        self._stands = asyncio.Event()
        self._giving_up = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin; returns when the durable exists, made by this copy or by another: no state is published unheard."""
        self._task = asyncio.create_task(self._run(), name=self._durable)
        await self._stands.wait()

    async def stop(self) -> None:
        """Settle what was fetched and give the lease back."""
        self._stopping.set()
        self._stands.set()
        if self._task is not None:
            await self._task
        await self._store.close()

    async def _run(self) -> None:
        while not self._stopping.is_set():
            lease = await self._take()
            if lease is not None:
                await self._work(lease)
            else:
                await wait_at_most(self._stopping, _RETRY_SECONDS)

    async def _take(self) -> Lease | None:
        """Take the lease; null when another copy has it, when it is another's to have, or the bus is not there."""
        share = self._share
        async with share.taking:
            # Until it is known that a copy takes this partition in, this one tries whatever its share is.
            if self._stopping.is_set() or (self._stands.is_set() and not share.has_room):
                return None
            try:
                lease = await self._bus.acquire_lease(self._lease_name, holder=self._holder)
            except UnavailableError as error:
                share.reaches_bus = False
                _LOG.warning("the lease is not to be had", lease=self._lease_name, code=error.code)
                return None
            share.reaches_bus = True
            if lease is None:
                self._stands.set()
            else:
                share.held[self._partition] = self._giving_up = asyncio.Event()
            return lease

    async def _work(self, lease: Lease) -> None:
        try:
            await self._take_in(lease)
        finally:
            del self._share.held[self._partition]

    async def _take_in(self, lease: Lease) -> None:
        self._ingest.fence = lease.fence
        try:
            subscription = await self._bus.subscribe_batch(
                self._subject,
                self._ingest.handle,
                durable=self._durable,
                max_batch=self._settings.ingest_batch_max,
                max_wait_seconds=self._settings.ingest_batch_wait_seconds,
            )
        except UnavailableError as error:
            _LOG.warning("states are not taken in yet", durable=self._durable, code=error.code)
            await lease.release()
            await wait_at_most(self._stopping, _RETRY_SECONDS)
            return
        self._stands.set()
        lost = asyncio.create_task(lease.lost())
        stopping = asyncio.create_task(self._stopping.wait())
        giving_up = asyncio.create_task(self._giving_up.wait())
        await asyncio.wait({lost, stopping, giving_up}, return_when=asyncio.FIRST_COMPLETED)
        # What was fetched is stored and settled before another copy may begin.
        await subscription.unsubscribe()
        if lost.done():
            _LOG.warning("the lease was lost", lease=self._lease_name)
        else:
            await lease.release()
        for task in (lost, stopping, giving_up):
            task.cancel()
        await asyncio.gather(lost, stopping, giving_up, return_exceptions=True)
