"""Leases in memory: they expire as the server's do, and end when their bus does not renew them."""

import asyncio
from collections.abc import Callable

import msgspec

from edge_gateway.bus.limits import BusLimits


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds a lease until when (monotonic seconds)."""

    holder: str
    fence: int
    expires_at: float


class MemoryLeases:
    """The leases of one memory server."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        """Start with none; `monotonic` tells the seconds by which they expire."""
        self.monotonic = monotonic
        self._holdings: dict[str, Holding] = {}
        self._fence = 0

    def acquire(self, name: str, holder: str, seconds: float) -> Holding | None:
        """Take a lease that is free or already the holder's; null while another has it."""
        current = self._holdings.get(name)
        if current is not None and current.holder != holder and self.monotonic() < current.expires_at:
            return None
        self._fence += 1
        holding = Holding(holder=holder, fence=self._fence, expires_at=self.monotonic() + seconds)
        self._holdings[name] = holding
        return holding

    def renew(self, name: str, fence: int, seconds: float) -> bool:
        """Lengthen a lease; false when it is no longer this one's."""
        current = self._holdings.get(name)
        if current is None or current.fence != fence or self.monotonic() >= current.expires_at:
            return False
        self._holdings[name] = msgspec.structs.replace(current, expires_at=self.monotonic() + seconds)
        return True

    def expiry(self, name: str, fence: int) -> float | None:
        """Return when a lease ends; null when it is no longer this one's."""
        current = self._holdings.get(name)
        return current.expires_at if current is not None and current.fence == fence else None

    def release(self, name: str, fence: int) -> None:
        """Give a lease back if it is still this one's."""
        if self.expiry(name, fence) is not None:
            del self._holdings[name]


class MemoryLease:
    """A lease that is renewed in the background (`Lease`)."""

    def __init__(self, leases: MemoryLeases, name: str, holding: Holding, limits: BusLimits) -> None:
        """Begin to renew."""
        self._leases = leases
        self._name = name
        self._fence = holding.fence
        self._limits = limits
        self._ended = asyncio.Event()
        self._renewing = asyncio.create_task(self._renew(), name=f"lease {name}")

    @property
    def held(self) -> bool:
        """See `Lease`."""
        expires_at = self._leases.expiry(self._name, self._fence)
        margin = self._limits.lease_margin_seconds
        return not self._ended.is_set() and expires_at is not None and self._leases.monotonic() < expires_at - margin

    @property
    def fence(self) -> int:
        """See `Lease`."""
        return self._fence

    async def lost(self) -> None:
        """See `Lease`."""
        await self._ended.wait()

    async def release(self) -> None:
        """See `Lease`."""
        self.abandon()
        self._leases.release(self._name, self._fence)

    def abandon(self) -> None:
        """Stop renewing, as a holder that was killed does: the lease ends when its time is over."""
        self._renewing.cancel()
        self._ended.set()

    async def _renew(self) -> None:
        while True:
            if not self._leases.renew(self._name, self._fence, self._limits.lease_seconds):
                self._ended.set()
                return
            await asyncio.sleep(self._limits.lease_seconds / 3)
