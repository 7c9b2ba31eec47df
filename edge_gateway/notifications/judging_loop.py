"""Judges reports while the lease is held: of several replicas one works, the others wait for its lease."""

import asyncio
import time
from collections.abc import Sequence
from datetime import timedelta

import asyncpg
import structlog

from edge_gateway.bus.protocol import Delivery, EventBus, Lease, Subscription, Verdict
from edge_gateway.bus.waiting import wait_at_most
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.errors import MowDeckError, UnavailableError
from edge_gateway.notifications.blades import Blades
from edge_gateway.notifications.intake import Intake
from edge_gateway.notifications.settings import NotificationsSettings

_log = structlog.get_logger(__name__)

_LEASE = "notifications-intake"
_SUBJECTS = {
    subjects.ALL_AVAILABILITIES: "notifications-availability",
    subjects.ALL_OUTCOMES: "notifications-outcomes",
    subjects.BLADE_THRESHOLD: "notifications-blades",
}
"""Besides the states: few reports each, judged as they come."""
_STATES_DURABLE = "notifications-states"
_LEASE_RETRY_SECONDS = 1.0
_LAG = timedelta(seconds=2)
"""A report may be on its way so long: conditions turn by themselves only when it would have come."""
_BEHIND_SECONDS = 5.0
"""After a full batch more reports wait, which may say otherwise than the silence."""
_AWAY = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, MowDeckError)


class JudgingLoop:
    """Subscriptions and the tick, under one lease."""

    def __init__(
        self,
        bus: EventBus,
        clock: Clock,
        intake: Intake,
        blades: Blades,
        *,
        settings: NotificationsSettings,
        instance_id: str,
    ) -> None:
        """Hear from `bus`; `instance_id` is the holder of the lease."""
        self._bus = bus
        self._clock = clock
        self._intake = intake
        self._blades = blades
        self._settings = settings
        self._instance_id = instance_id
        self._full_at: float | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._stands = asyncio.Event()
        """The durables exist: from now on no report is published unheard."""

    async def start(self) -> None:
        """Begin; returns when reports are judged, by this copy or by another."""
        self._task = asyncio.create_task(self._judge_while_leased(), name="notifications-intake")
        await self._stands.wait()

    async def stop(self) -> None:
        """Settle what was fetched and give the lease back."""
        self._stopping.set()
        self._stands.set()
        if self._task is not None:
            await self._task
            self._task = None

    async def _judge_while_leased(self) -> None:
        while not self._stopping.is_set():
            try:
                lease = await self._bus.acquire_lease(_LEASE, holder=self._instance_id)
            except UnavailableError as error:
                _log.warning("lease not to be had", lease=_LEASE, code=error.code)
            else:
                if lease is not None:
                    await self._judge_under(lease)
                    continue
                self._stands.set()
            await wait_at_most(self._stopping, _LEASE_RETRY_SECONDS)

    async def _judge_under(self, lease: Lease) -> None:
        self._intake.fence = lease.fence
        subscriptions: list[Subscription] = []
        try:
            await self._subscribe(subscriptions)
        except UnavailableError as error:
            _log.warning("intake not started", code=error.code)
            await self._end(subscriptions)
            await lease.release()
            await wait_at_most(self._stopping, _LEASE_RETRY_SECONDS)
            return
        self._stands.set()
        lost = asyncio.create_task(lease.lost())
        stopping = asyncio.create_task(self._stopping.wait())
        ticking = asyncio.create_task(self._tick_on(), name="notifications-tick")
        await asyncio.wait({lost, stopping}, return_when=asyncio.FIRST_COMPLETED)
        ticking.cancel()
        await asyncio.gather(ticking, return_exceptions=True)
        await self._end(subscriptions)
        if lost.done():
            _log.warning("lease of the intake lost", lease=_LEASE)
        else:
            await lease.release()
        for task in (lost, stopping):
            task.cancel()
        await asyncio.gather(lost, stopping, return_exceptions=True)

    async def _subscribe(self, subscriptions: list[Subscription]) -> None:
        """Subscribe to everything, orders before the states that follow them."""
        settings = self._settings
        for subject, durable in _SUBJECTS.items():
            subscriptions.append(
                await self._bus.subscribe_batch(
                    subject,
                    self._intake.handle,
                    durable=durable,
                    max_batch=settings.state_batch_max,
                    max_wait_seconds=0,
                )
            )
        subscriptions.append(
            await self._bus.subscribe_batch(
                subjects.ALL_STATES,
                self._handle_states,
                durable=_STATES_DURABLE,
                max_batch=settings.state_batch_max,
                max_wait_seconds=settings.state_batch_wait_seconds,
            )
        )

    @staticmethod
    async def _end(subscriptions: Sequence[Subscription]) -> None:
        await asyncio.gather(*(subscription.unsubscribe() for subscription in subscriptions))

    async def _handle_states(self, deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        if len(deliveries) >= self._settings.state_batch_max > 1:
            self._full_at = time.monotonic()
        return await self._intake.handle(deliveries)

    async def _tick_on(self) -> None:
        while True:
            await asyncio.sleep(self._settings.tick_seconds)
            try:
                await self._tick()
            except _AWAY as error:
                _log.warning("tick failed", reason=str(error) or type(error).__name__)
            except Exception:  # noqa: BLE001  # whatever fails here must not end the tick; it is logged
                _log.exception("tick failed")

    async def _tick(self) -> None:
        await self._blades.look()
        behind = self._full_at is not None and time.monotonic() - self._full_at < _BEHIND_SECONDS
        if behind or not await self._bus.ready():
            return
        await self._intake.settle_due(self._clock.now() - _LAG)
