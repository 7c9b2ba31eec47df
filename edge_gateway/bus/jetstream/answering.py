"""The answering side of requests: a member of its service's queue group."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import override

import msgspec
import structlog
from nats.aio.msg import Msg

from edge_gateway.bus import metrics
from edge_gateway.bus.deadline import HostClock, deadline
from edge_gateway.bus.jetstream.connection import Connection, Standing
from edge_gateway.bus.jetstream.paging import pages
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.protocol import Subscription
from edge_gateway.bus.questions import answer
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.routes import Route

_log = structlog.get_logger(__name__)

_AT_ONCE = 64
"""Questions of one route that are handled at the same time; the others wait, and lapse by their deadline."""


class Answering[Q: msgspec.Struct, A: msgspec.Struct](Subscription):
    """A standing reply."""

    def __init__(
        self,
        connection: Connection,
        route: Route[Q, A],
        handler: Callable[[Q], Awaitable[A]],
        *,
        limits: BusLimits,
    ) -> None:
        """Prepare to answer a route."""
        self._connection = connection
        self._route = route
        self._handler = handler
        self._limits = limits
        self._clock = HostClock.of_here()
        self._standing: Standing | None = None
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._running: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Join the service's queue group; whoever asks from now on is answered."""
        self._standing = await self._connection.add(
            self._route.subject, self._asked, queue=self._route.service, seconds=self._limits.publish_seconds
        )
        await self._connection.confirm(seconds=self._limits.publish_seconds)

    @override
    async def unsubscribe(self) -> None:
        standing, self._standing = self._standing, None
        if standing is not None:
            await self._connection.remove(standing, drain_seconds=self._limits.drain_seconds)
        if self._running:
            _, unfinished = await asyncio.wait(self._running, timeout=self._limits.drain_seconds)
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*unfinished, return_exceptions=True)

    async def _asked(self, message: Msg) -> None:
        over_at = deadline(message.headers, clock_id=self._clock.id, arrived_at=self._clock.now())
        task = asyncio.create_task(self._answer(message, over_at), name=f"reply {self._route.subject}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _answer(self, message: Msg, over_at: float | None) -> None:
        async with self._turns:
            if over_at is not None and self._clock.now() >= over_at:
                _log.warning("question dropped past its deadline", route=self._route.subject)
                metrics.REQUESTS.labels(self._route.subject, "past_deadline").inc()
                return
            given = await answer(self._route, self._handler, message.data)
        metrics.REQUESTS.labels(self._route.subject, "error" if given.error else "answered").inc()
        try:
            for data, headers in pages(given):
                client = await self._connection.client(seconds=self._limits.publish_seconds)
                with unavailable_when(f"the answer of {self._route.subject} cannot be sent"):
                    await client.publish(message.reply, data, headers=headers)
        except UnavailableError as error:
            _log.warning("answer lost", route=self._route.subject, reason=error.detail)
