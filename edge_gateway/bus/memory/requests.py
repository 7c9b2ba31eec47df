"""Questions in memory: still encoded and decoded, so that what does not survive the wire fails here too."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from edge_gateway.bus.memory.server import MemoryServer
from edge_gateway.bus.questions import Answer, answer, no_answer, no_responder, read_answer
from edge_gateway.contracts.routes import Route


async def ask[Q: msgspec.Struct, A: msgspec.Struct](
    server: MemoryServer, route: Route[Q, A], question: Q, *, timeout_seconds: float
) -> A:
    """Ask and return the typed answer (see `EventBus.request`)."""
    responder = server.responder(route.subject)
    if responder is None:
        raise no_responder(route.subject)
    asked = asyncio.ensure_future(responder(msgspec.json.encode(question)))
    # The answering side goes on when the asking side gives up, as it does behind a real server.
    await asyncio.wait({asked}, timeout=timeout_seconds)
    if not asked.done():
        raise no_answer(route.subject, timeout_seconds)
    return read_answer(route, asked.result())


class MemoryReply[Q: msgspec.Struct, A: msgspec.Struct]:
    """A standing reply (`Subscription`)."""

    def __init__(
        self, server: MemoryServer, route: Route[Q, A], handler: Callable[[Q], Awaitable[A]], *, drain_seconds: float
    ) -> None:
        """Join those who answer the route."""
        self._server = server
        self._route = route
        self._handler = handler
        self._drain_seconds = drain_seconds
        self._running: set[asyncio.Task[Answer]] = set()
        server.add_responder(route.subject, self._respond)

    async def unsubscribe(self) -> None:
        """Take no more questions; answer those that were taken within the drain time-out."""
        self._server.remove_responder(self._route.subject, self._respond)
        if self._running:
            _, unfinished = await asyncio.wait(self._running, timeout=self._drain_seconds)
            for task in unfinished:
                task.cancel()

    async def _respond(self, data: bytes) -> Answer:
        task = asyncio.create_task(answer(self._route, self._handler, data), name=f"reply {self._route.subject}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)
