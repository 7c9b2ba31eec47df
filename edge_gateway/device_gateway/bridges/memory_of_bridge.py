"""What one bridge did so far: read by the rule that watches it, and by its health checks."""

import time
from collections import deque
from collections.abc import Callable

_HOUR_SECONDS = 3600.0
_REFUSED_SECONDS = 60.0
"""For so long it counts that no slot was free."""


class BridgeMemory:
    """Moments of one bridge, by a monotonic clock."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Begin unconnected."""
        self.monotonic = monotonic
        self.connected_at: float | None = None
        self.unconnected_at = monotonic()
        self.notified_at: float | None = None
        self.taken_back_at: float | None = None
        self.restarted_at: float | None = None
        self.heard_before = False
        self.named_thief = False
        self.thief: str | None = None
        self.given_up = False
        self.uptime_seconds: float | None = None
        self._uptime_at = 0.0
        self._restarts: deque[float] = deque()
        self._refused_at: float | None = None

    def connected(self) -> None:
        """Hear that it is connected: what was known of the last time is over."""
        self.connected_at = self.monotonic()
        self.notified_at = None
        self.heard_before = False
        self.named_thief = False
        self.given_up = False
        self.taken_back_at = None
        self.thief = None

    def disconnected(self) -> None:
        """Hear that it is not connected any more."""
        self.connected_at = None
        self.unconnected_at = self.monotonic()

    def replaced(self, thief: str) -> None:
        """Hear from its log who has the advertisements now."""
        self.named_thief = True
        self.thief = thief

    def taken_back(self) -> None:
        """Hear that the subscription was asked for again."""
        self.named_thief = False
        self.taken_back_at = self.monotonic()

    def told_uptime(self, seconds: float, *, by_us: bool) -> None:
        """Hear how long it runs: less than before is a restart."""
        now = self.monotonic()
        before = self.uptime_seconds
        if before is not None and seconds < before + (now - self._uptime_at) - _REFUSED_SECONDS and not by_us:
            self._restarts.append(now)
        self.uptime_seconds = seconds
        self._uptime_at = now

    def refused_for_slots(self) -> None:
        """Hear that a mower could not be connected because no slot was free."""
        self._refused_at = self.monotonic()

    def connected_a_mower(self) -> None:
        """Hear that a mower was connected: a slot was free."""
        self._refused_at = None

    @property
    def restarts(self) -> int:
        """How often it began anew within the last hour."""
        while self._restarts and self._restarts[0] < self.monotonic() - _HOUR_SECONDS:
            self._restarts.popleft()
        return len(self._restarts)

    @property
    def lacked_slots(self) -> bool:
        """Whether a slot was missing lately."""
        return self._refused_at is not None and self.monotonic() - self._refused_at < _REFUSED_SECONDS

    def age(self, moment: float | None) -> float | None:
        """Return how long ago a moment was."""
        return None if moment is None else self.monotonic() - moment
