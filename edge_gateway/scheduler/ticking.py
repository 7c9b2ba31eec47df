"""The tick: every replica looks at the same intervals, and earlier when something becomes due."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import asyncpg
import structlog

from edge_gateway.bus.waiting import wait_at_most
from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.scheduler import metrics
from edge_gateway.scheduler.claiming import Claiming
from edge_gateway.scheduler.deciding import Deciding
from edge_gateway.scheduler.following import Following
from edge_gateway.scheduler.repository import runs as run_rows
from edge_gateway.scheduler.repository import schedules
from edge_gateway.scheduler.repository.transactions import connection
from edge_gateway.scheduler.surroundings import Surroundings

_log = structlog.get_logger(__name__)

_SHORTEST_PAUSE_SECONDS = 0.05
_RETRY_SECONDS = 1.0
"""A tick that failed is tried again after so long, however rare the ticks are."""
_WHEN_LOCKED = timedelta(seconds=1)
_STOP_SECONDS = 3.0


class Ticking:
    """Claims, decides and follows, again and again."""

    def __init__(self, surroundings: Surroundings, deciding: Deciding) -> None:
        """Work with these."""
        self._surroundings = surroundings
        claiming = Claiming(surroundings)
        self._steps: dict[str, Callable[[], Awaitable[None]]] = {
            "recompute": claiming.recompute_all,
            # First what is over: it frees mowers and slots for what is due. What starts now is looked at next time,
            # which is at once when its mower reports or its order ends.
            "follow": Following(surroundings).follow_all,
            "claim": claiming.claim_all,
            "decide": deciding.decide_all,
        }
        self._one_at_a_time = asyncio.Lock()
        self._woken = asyncio.Event()
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, with a look at once."""
        self._task = asyncio.create_task(self._run(), name="scheduler-tick")

    async def stop(self) -> None:
        """Finish the tick that is under way; one that waits for somebody is left to whoever looks next."""
        self._stopping.set()
        self.wake()
        if self._task is None:
            return
        await asyncio.wait({self._task}, timeout=_STOP_SECONDS)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Look at once."""
        self._woken.set()

    async def tick(self) -> bool:
        """Do everything that is due now; false when a step failed and is to be tried again soon."""
        async with self._one_at_a_time:
            with metrics.TICK_SECONDS.time():
                done = [await self._step(name, step) for name, step in self._steps.items()]
        return all(done)

    async def _run(self) -> None:
        while not self._stopping.is_set():
            self._woken.clear()
            done = await self.tick()
            await wait_at_most(self._woken, await self._seconds_to_wait() if done else _RETRY_SECONDS)
            if self._woken.is_set():
                # Wakes that come close together are one look.
                await asyncio.sleep(_SHORTEST_PAUSE_SECONDS)

    async def _step(self, name: str, step: Callable[[], Awaitable[None]]) -> bool:
        done = False
        try:
            await step()
            done = True
        except* (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, MowDeckError) as failures:
            metrics.FAILED_TICKS.labels(name).inc()
            _log.warning("tick failed; it is tried again", step=name, failures=[str(e) for e in failures.exceptions])
        except* Exception:  # noqa: BLE001  # whatever fails here must not end the ticking; it is logged
            metrics.FAILED_TICKS.labels(name).inc()
            _log.exception("tick failed; it is tried again", step=name)
        return done

    async def _seconds_to_wait(self) -> float:
        """Return how long to wait: a tick, or until the next thing is due."""
        tick = timedelta(seconds=self._surroundings.settings.tick_seconds)
        try:
            async with connection(self._surroundings.pool) as lent:
                dues = (await schedules.next_due(lent), await run_rows.next_look(lent))
        except (MowDeckError, asyncpg.PostgresError) as error:
            _log.warning("next due not to be had", error=str(error))
            return _RETRY_SECONDS
        now = self._surroundings.now()
        # What is due already was locked by somebody a moment ago.
        waits = (due - now if due > now else _WHEN_LOCKED for due in dues if due is not None)
        return min([tick, *waits]).total_seconds()
