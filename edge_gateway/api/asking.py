"""Asks services over the bus within the time that the settings allow."""

import msgspec

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.routes import Route


class Services:
    """The services as the handlers see them."""

    def __init__(self, bus: EventBus, *, timeout_seconds: float) -> None:
        """Ask over `bus`; an answer is awaited for `timeout_seconds` where nothing else is said."""
        self._bus = bus
        self._timeout_seconds = timeout_seconds

    async def ask[Q: msgspec.Struct, A: msgspec.Struct](
        self, route: Route[Q, A], question: Q, *, timeout_seconds: float | None = None
    ) -> A:
        """Return the answer; raises what the service raises, `UnavailableError` or `DeadlineError`."""
        seconds = self._timeout_seconds if timeout_seconds is None else timeout_seconds
        return await self._bus.request(route, question, timeout_seconds=seconds)
