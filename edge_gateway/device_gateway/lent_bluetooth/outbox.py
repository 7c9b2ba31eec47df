"""What waits to be said to one Home Assistant: in order, and nothing past its time."""

import asyncio
import time
from collections import deque
from collections.abc import Callable

import msgspec

from edge_gateway.contracts.bluetooth_lending import Connect, Subscribe, Told, Write

LONGEST = 1024
"""So many messages wait at the most: whoever fetches none of them is gone."""


class Parcel:
    """One message on its way."""

    def __init__(self, message: Told, *, ends_at: float | None, lapsed: Callable[[], None]) -> None:
        """Be worthless after `ends_at` (of `time.monotonic`); `lapsed` is told when that comes first."""
        self.message = message
        self.ends_at = ends_at
        self.lapsed = lapsed


class Outbox:
    """The messages that nobody has fetched yet."""

    def __init__(self) -> None:
        """Hold nothing."""
        self._waiting: deque[Parcel] = deque()
        self._arrived = asyncio.Event()

    def put(self, message: Told, *, seconds: float | None = None, lapsed: Callable[[], None] = lambda: None) -> Parcel:
        """Let a message wait for at most so long; its budget becomes what is left when it is fetched."""
        ends_at = None if seconds is None else time.monotonic() + seconds
        parcel = Parcel(message, ends_at=ends_at, lapsed=lapsed)
        self._waiting.append(parcel)
        self._arrived.set()
        return parcel

    @property
    def full(self) -> bool:
        """Whether more wait than anybody lets wait who is still there."""
        return len(self._waiting) > LONGEST

    def withdraw(self, parcel: Parcel) -> bool:
        """Take a message back; tell whether it was still here, so that it certainly does not leave."""
        try:
            self._waiting.remove(parcel)
        except ValueError:
            return False
        return True

    async def wait(self, *, seconds: float) -> None:
        """Return when something waits, at the latest after so long."""
        try:
            async with asyncio.timeout(seconds):
                await self._arrived.wait()
        except TimeoutError:
            return

    def wake(self) -> None:
        """Have whoever waits look up, though there may be nothing."""
        self._arrived.set()

    def take(self, limit: int) -> tuple[Told, ...]:
        """Fetch the oldest messages; those whose time is over are left out, and their senders told."""
        taken: list[Told] = []
        now = time.monotonic()
        while self._waiting and len(taken) < limit:
            parcel = self._waiting.popleft()
            if parcel.ends_at is None:
                taken.append(parcel.message)
            elif parcel.ends_at > now:
                taken.append(_with_budget(parcel.message, parcel.ends_at - now))
            else:
                parcel.lapsed()
        if not self._waiting:
            self._arrived.clear()
        return tuple(taken)


def _with_budget(message: Told, seconds: float) -> Told:
    if isinstance(message, Connect | Subscribe | Write):
        return msgspec.structs.replace(message, budget_ms=max(1, int(seconds * 1000)))
    return message
