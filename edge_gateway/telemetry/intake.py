"""Takes the states of one partition in for as long as its lease is held."""

import asyncio

import structlog

from edge_gateway.bus.protocol import EventBus, Lease
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.database.pools import Pool
from edge_gateway.telemetry.ingest import AskMower, Ingest
from edge_gateway.telemetry.settings import TelemetrySettings
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
        subject: str,
        holder: str,
    ) -> None:
        """Prepare to take the states of `subject` in; `holder` is who holds the lease."""
        self._bus = bus
        self._settings = settings
        self._subject = subject
        self._holder = holder
        self._lease_name = f"telemetry-partition-{partition}"
        self._durable = durable_name(partition)
        self._store = PostgresStore(pool, settings)
        self._ingest = Ingest(self._store, ask_mower, clock, partition=partition)
        self._stopping = asyncio.Event()
        self._stands = asyncio.Event()
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
            try:
                lease = await self._bus.acquire_lease(self._lease_name, holder=self._holder)
            except UnavailableError as error:
                _LOG.warning("lease_not_to_be_had", lease=self._lease_name, code=error.code)
            else:
                if lease is not None:
                    await self._work(lease)
                    continue
                self._stands.set()
            await self._pause()

    async def _work(self, lease: Lease) -> None:
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
            _LOG.warning("ingest_not_started", durable=self._durable, code=error.code)
            await lease.release()
            await self._pause()
            return
        self._stands.set()
        lost = asyncio.create_task(lease.lost())
        stopping = asyncio.create_task(self._stopping.wait())
        await asyncio.wait({lost, stopping}, return_when=asyncio.FIRST_COMPLETED)
        await subscription.unsubscribe()
        if lost.done():
            _LOG.warning("ingest_lease_lost", lease=self._lease_name)
        else:
            await lease.release()
        for task in (lost, stopping):
            task.cancel()
        await asyncio.gather(lost, stopping, return_exceptions=True)

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(_RETRY_SECONDS):
                await self._stopping.wait()
        except TimeoutError:
            return
