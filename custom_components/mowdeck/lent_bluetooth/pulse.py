"""Notices when Home Assistant stood still: what it reads right after that waited, and has less time left."""

import asyncio

PERIOD_SECONDS = 0.5
TOLERANCE_SECONDS = 0.25
"""So late a beat may be before it counts as having stood still."""


class Pulse:
    """Beats while it runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Stand still; `start` lets it beat."""
        self._loop = loop
        self._last = 0.0
        self._late_seconds = 0.0
        self._next: asyncio.TimerHandle | None = None

    @property
    def late_seconds(self) -> float:
        """How long what is read now may have waited at most; 0 while nothing stands still."""
        return 0.0 if self._next is None else max(self._late_seconds, self._gap_seconds())

    def start(self) -> None:
        """Beat, if it does not."""
        if self._next is None:
            self._last = self._loop.time()
            self._late_seconds = 0.0
            self._next = self._loop.call_later(PERIOD_SECONDS, self._beat)

    def stop(self) -> None:
        """Beat no more."""
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def _beat(self) -> None:
        self._late_seconds = self._gap_seconds()
        self._last = self._loop.time()
        self._next = self._loop.call_later(PERIOD_SECONDS, self._beat)

    def _gap_seconds(self) -> float:
        gap = self._loop.time() - self._last
        return gap if gap > PERIOD_SECONDS + TOLERANCE_SECONDS else 0.0
