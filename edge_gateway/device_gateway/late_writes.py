"""Rows of one mower that may be written a little later: in order, tried again until they are."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from edge_gateway.contracts.errors import UnavailableError

_log = structlog.get_logger(__name__)

_RETRY_SECONDS = 1.0
_MAXIMUM = 1000

type Write = Callable[[], Awaitable[None]]


class LateWrites:
    """Writes one after the other behind the driver's back, so that a slow database never holds a report up."""

    def __init__(self, *, mower_id: str) -> None:
        """Prepare an empty queue."""
        self._log = _log.bind(mower=mower_id)
        self._queue: asyncio.Queue[Write] = asyncio.Queue(_MAXIMUM)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="device gateway late writes")

    def put(self, write: Write) -> None:
        """Have it written; a full queue loses it with a log line."""
        try:
            self._queue.put_nowait(write)
        except asyncio.QueueFull:
            self._log.error("row lost: the database has been away too long")

    async def stop(self, *, drain_seconds: float) -> None:
        """Write what waits for at most so long."""
        try:
            async with asyncio.timeout(drain_seconds):
                await self._queue.join()
        except TimeoutError:
            self._log.warning("rows not written before the stop", lost=self._queue.qsize())
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            write = await self._queue.get()
            while True:
                if await self._done(write):
                    break
                await asyncio.sleep(_RETRY_SECONDS)
            self._queue.task_done()

    async def _done(self, write: Write) -> bool:
        try:
            await write()
        except UnavailableError as error:
            self._log.warning("row waits for the database", code=error.code)
            return False
        except Exception:  # noqa: BLE001  # a row that the database refuses would hold up everything behind it
            self._log.exception("row refused by the database")
        return True
