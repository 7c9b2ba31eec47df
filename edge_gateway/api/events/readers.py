"""The connected readers: each has a queue of its own, and one whose queue is full is dropped."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable, Iterator

import structlog
from aiohttp import WSCloseCode

from edge_gateway.api import metrics
from edge_gateway.api.events.sight import WHOLE, Sight, Things

_log = structlog.get_logger(__name__)

TOO_SLOW = "too_slow"
STOPPING = "stopping"
RIGHTS_LOST = "rights_lost"


PAUSE_SECONDS = 0.1
"""How long states that mowers report wait for each other after some were sent.

Fifty mowers would else wake a reader fifty times a second, which costs it three times as much as ten times with five.
"""


class Reader:
    """What waits to be sent to one connection. Nobody ever waits for a reader."""

    def __init__(
        self, limit: int, first: Iterable[bytes], sight: Sight = WHOLE, *, pause_seconds: float = PAUSE_SECONDS
    ) -> None:
        """Begin with the messages of `first`; after them at most `limit` may wait."""
        self.sight = sight
        self.rights_may_differ = asyncio.Event()
        """Set when it is to be asked anew what is seen."""
        self._first = deque(first)
        self._waiting: deque[bytes] = deque()
        self._limit = limit
        self._arrived = asyncio.Event()
        self._hurried = asyncio.Event()
        """Set when something waits that is not to wait for others."""
        self._pause_seconds = pause_seconds
        self._rested_at = 0.0
        """When the pause after what was sent is over, by the clock of the event loop."""
        self._dropped = asyncio.Event()
        self.close_code = WSCloseCode.OK
        self.close_reason = ""

    @property
    def dropped(self) -> bool:
        """Whether the reader gets nothing more."""
        return self._dropped.is_set()

    def offer(self, message: bytes, *, patient: bool = False) -> None:
        """Let a message wait, or drop the reader when too many do; a patient one may wait for others."""
        if self.dropped:
            return
        if len(self._waiting) >= self._limit:
            self.drop(WSCloseCode.TRY_AGAIN_LATER, TOO_SLOW)
            return
        self._waiting.append(message)
        self._arrived.set()
        if not patient:
            self._hurried.set()

    async def next(self) -> bytes:
        """Return the oldest message that waits: of patient ones after a pause, and then all of them together."""
        if self._first:
            return self._first.popleft()
        while not self._waiting:
            self._arrived.clear()
            self._hurried.clear()
            await self._arrived.wait()
            await self._rest()
        self._rested_at = asyncio.get_running_loop().time() + self._pause_seconds
        return self._waiting.popleft()

    async def _rest(self) -> None:
        """Wait until the pause is over, or something comes that does not wait for it."""
        if not self._hurried.is_set() and asyncio.get_running_loop().time() < self._rested_at:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(self._rested_at):
                    await self._hurried.wait()

    def drop(self, code: WSCloseCode, reason: str) -> None:
        """End the reader with a close code."""
        if self.dropped:
            return
        self.close_code = code
        self.close_reason = reason
        self._waiting.clear()
        self._dropped.set()
        metrics.DROPPED_READERS.labels(reason).inc()
        _log.info("reader of events dropped", reason=reason)

    async def wait_dropped(self) -> None:
        """Return when the reader is dropped."""
        await self._dropped.wait()


class Readers:
    """All readers."""

    def __init__(self) -> None:
        """Start with none."""
        self._readers: set[Reader] = set()

    def __len__(self) -> int:
        """Return how many are connected."""
        return len(self._readers)

    def add(self, reader: Reader) -> None:
        """Let a reader take part from now on."""
        self._readers.add(reader)
        metrics.READERS.set(len(self._readers))

    def remove(self, reader: Reader) -> None:
        """Let a reader go."""
        self._readers.discard(reader)
        metrics.READERS.set(len(self._readers))

    def __iter__(self) -> Iterator[Reader]:
        """Return those who are there now."""
        return iter(tuple(self._readers))

    def offer(self, message: bytes, about: Things | None = None, *, patient: bool = False) -> None:
        """Send a message to every reader who sees what it is about; a patient one may wait for others."""
        for reader in self:
            if reader.sight.sees(about):
                reader.offer(message, patient=patient)

    def look_again(self) -> None:
        """Have it asked anew what each reader sees."""
        for reader in self:
            reader.rights_may_differ.set()

    def drop_all(self, code: WSCloseCode, reason: str) -> None:
        """End every reader."""
        for reader in tuple(self._readers):
            reader.drop(code, reason)
