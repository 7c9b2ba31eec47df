"""A process that dies at a chosen step: before or after a question on the bus, a statement, a look at the clock."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import msgspec

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.routes import Route
from edge_gateway.database.pools import Pool


class Death(BaseException):  # nothing may take it for an error that can be handled
    """The process is gone: nothing of it runs any more."""


class Steps:
    """Counts steps; at the chosen one, and at every later one, the process is dead."""

    def __init__(self, dies_at: int) -> None:
        """Die at this step, from 0."""
        self._dies_at = dies_at
        self.die_at_name: str | None = None
        """Die at the first step of this name instead."""
        self.taken: list[str] = []

    @property
    def died(self) -> bool:
        """Tell whether the step was reached."""
        return len(self.taken) > self._dies_at or self.die_at_name in self.taken

    def step(self, name: str) -> None:
        """Take a step."""
        self.taken.append(name)
        if self.died:
            raise Death(name)


class MortalClock:
    """Dies when it is looked at."""

    def __init__(self, clock: Clock, steps: Steps) -> None:
        """Show another clock."""
        self._clock = clock
        self._steps = steps

    def now(self) -> datetime:
        """Return the moment."""
        self._steps.step("clock")
        return self._clock.now()


class MortalBus:
    """Dies before or after a question; all else is the bus's own."""

    def __init__(self, bus: EventBus, steps: Steps) -> None:
        """Ask over a bus."""
        self._bus = bus
        self._steps = steps

    async def request[Q: msgspec.Struct, A: msgspec.Struct](
        self, route: Route[Q, A], question: Q, *, timeout_seconds: float = 5.0
    ) -> A:
        """Ask."""
        self._steps.step(f"before {route.subject}")
        try:
            return await self._bus.request(route, question, timeout_seconds=timeout_seconds)
        finally:
            self._steps.step(f"after {route.subject}")

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the bus has
        """Be the bus in everything else."""
        return getattr(self._bus, name)


class MortalConnection:
    """Dies before a statement."""

    def __init__(self, connection: Any, steps: Steps) -> None:  # noqa: ANN401  # a lent connection
        """Work on a connection."""
        self._connection = connection
        self._steps = steps

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the connection has
        """Take a step before each statement."""
        if name in {"execute", "fetch", "fetchrow", "fetchval"}:
            self._steps.step(name)
        return getattr(self._connection, name)


class MortalPool:
    """Dies when a connection is given back: its transaction is committed then, and nothing after it was done."""

    def __init__(self, pool: Pool, steps: Steps) -> None:
        """Lend from a pool."""
        self._pool = pool
        self._steps = steps

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[MortalConnection]:
        """Lend."""
        async with self._pool.acquire() as connection:
            yield MortalConnection(connection, self._steps)
        self._steps.step("committed")
