"""Keeps one mower's actor running: takes the lease, starts it, and begins again when either is lost."""

import asyncio
from collections.abc import Callable

import structlog

from edge_gateway.bus.protocol import EventBus, Lease
from edge_gateway.bus.waiting import wait_at_most
from edge_gateway.contracts.errors import MowDeckError, UnavailableError
from edge_gateway.device_gateway import metrics
from edge_gateway.device_gateway.actor import Actor

_log = structlog.get_logger(__name__)

_LONGEST_BACK_OFF_SECONDS = 60.0

type MakeActor = Callable[[Lease], Actor]


def lease_name(mower_id: str) -> str:
    """Return the name of the lease that lets one gateway drive a mower."""
    return f"mower-{mower_id}"


class Supervisor:
    """Runs the actor of one mower whenever this gateway holds its lease."""

    def __init__(
        self, mower_id: str, make_actor: MakeActor, *, bus: EventBus, instance_id: str, retry_seconds: float
    ) -> None:
        """Prepare; nothing runs before `start`."""
        self.actor: Actor | None = None
        """The actor while it runs here."""
        self._mower_id = mower_id
        self._make_actor = make_actor
        self._bus = bus
        self._instance_id = instance_id
        self._retry_seconds = retry_seconds
        self._stopping = asyncio.Event()
        self._reason = "gateway_stopped"
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to try for the lease."""
        self._task = asyncio.create_task(self._run(), name=f"supervisor of {self._mower_id}")

    async def stop(self, *, reason: str = "gateway_stopped") -> None:
        """Stop the actor, tell why the mower is unavailable, give the lease back."""
        self._reason = reason
        self._stopping.set()
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            lease = await self._lease()
            if lease is None:
                await wait_at_most(self._stopping, self._retry_seconds)
                continue
            failures = 0 if await self._drive(lease) else failures + 1
            if failures:
                await wait_at_most(
                    self._stopping, min(self._retry_seconds * 2 ** min(failures - 1, 10), _LONGEST_BACK_OFF_SECONDS)
                )

    async def _lease(self) -> Lease | None:
        try:
            return await self._bus.acquire_lease(lease_name(self._mower_id), holder=self._instance_id)
        except UnavailableError as error:
            _log.warning("lease not to be had", mower=self._mower_id, code=error.code)
            return None

    async def _drive(self, lease: Lease) -> bool:
        """Run the actor until the lease is lost or we stop; tell whether it had started."""
        actor = self._make_actor(lease)
        started = False
        try:
            await actor.start()
            started = True
        except MowDeckError as error:
            _log.warning("mower not followed yet", mower=self._mower_id, code=error.code, detail=error.detail)
        except Exception:  # noqa: BLE001  # a driver's fault concerns its mower alone: logged, tried again
            _log.exception("mower not followed yet", mower=self._mower_id)
        if started:
            self.actor = actor
            metrics.ACTORS.inc()
            lease = await self._hold(actor, lease)
            self.actor = None
            metrics.ACTORS.dec()
        stopping = self._stopping.is_set()
        try:
            await actor.stop(reason=self._reason if stopping and lease.held else None)
        except Exception:  # noqa: BLE001  # the lease goes back whatever a driver does on its way out
            _log.exception("mower not let go cleanly", mower=self._mower_id)
        await lease.release()
        return started

    async def _hold(self, actor: Actor, lease: Lease) -> Lease:
        """Let the actor work until we stop or another gateway has the lease; return the last lease."""
        while True:
            await self._wait_for_the_end(lease)
            if self._stopping.is_set():
                return lease
            await actor.suspend()
            regained = await self._regain(actor)
            if regained is None:
                return lease
            lease = regained

    async def _regain(self, actor: Actor) -> Lease | None:
        """Take the lost lease again, however long the bus is away; null when another gateway has it or we stop."""
        while not self._stopping.is_set():
            try:
                lease = await self._bus.acquire_lease(lease_name(self._mower_id), holder=self._instance_id)
                if lease is None:
                    _log.warning("another gateway has taken the mower over", mower=self._mower_id)
                    return None
                await actor.resume(lease)
            except UnavailableError as error:
                _log.info("lease not regained yet", mower=self._mower_id, code=error.code)
                await wait_at_most(self._stopping, self._retry_seconds)
            else:
                _log.info("lease regained", mower=self._mower_id)
                return lease
        return None

    async def _wait_for_the_end(self, lease: Lease) -> None:
        lost = asyncio.create_task(lease.lost(), name=f"lease of {self._mower_id}")
        stopping = asyncio.create_task(self._stopping.wait(), name=f"stop of {self._mower_id}")
        try:
            await asyncio.wait({lost, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if lost.done():
                _log.warning("lease lost", mower=self._mower_id)
        finally:
            for task in (lost, stopping):
                task.cancel()
            await asyncio.gather(lost, stopping, return_exceptions=True)
