"""Leases: taken by compare and set, renewed in the background, given up before the server lets another one in."""

import asyncio
import re
import time
from typing import override

import structlog

from edge_gateway.bus.jetstream.lease_store import LeaseRecord, LeaseStore
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.protocol import Lease
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.identifiers import new_id

_log = structlog.get_logger(__name__)

_NAME = re.compile(r"[A-Za-z0-9_/=-]+(\.[A-Za-z0-9_/=-]+)*")
_RENEWALS = 3
"""A lease is renewed this often in its time to live."""
_RETRY_SECONDS = 0.5


class JetStreamLease(Lease):
    """See `Lease`. Held until a moment of this machine's monotonic clock that lies before the end at the server."""

    def __init__(
        self,
        store: LeaseStore,
        name: str,
        record: LeaseRecord,
        *,
        revision: int,
        fence: int,
        since: float,
        limits: BusLimits,
    ) -> None:
        """Begin to renew; `since` is a moment (monotonic seconds) before the entry was written."""
        self._store = store
        self._name = name
        self._record = record
        self._revision = revision
        self._fence = fence
        self._limits = limits
        self._until = since + limits.lease_seconds - limits.lease_margin_seconds
        self._ended = asyncio.Event()
        self._renewing = asyncio.create_task(self._renew(), name=f"lease {name}")

    @property
    @override
    def held(self) -> bool:
        return not self._ended.is_set() and time.monotonic() < self._until

    @property
    @override
    def fence(self) -> int:
        return self._fence

    @override
    async def lost(self) -> None:
        await self._ended.wait()

    @override
    async def release(self) -> None:
        held = self.held
        await self.abandon()
        if held:
            try:
                await self._store.delete(self._name, expected_revision=self._revision)
            except UnavailableError as error:
                _log.info("lease not given back, it ends by itself", lease=self._name, reason=error.detail)

    async def abandon(self) -> None:
        """Hold it no longer and stop renewing, without telling the server."""
        self._ended.set()
        self._renewing.cancel()
        await asyncio.gather(self._renewing, return_exceptions=True)

    async def _renew(self) -> None:
        pause = self._limits.lease_seconds / _RENEWALS
        while not self._ended.is_set():
            await asyncio.sleep(max(0.0, min(pause, self._until - time.monotonic())))
            if time.monotonic() >= self._until:
                _log.warning("lease lost: not renewed in time", lease=self._name, fence=self._fence)
                self._ended.set()
                return
            pause = await self._renew_once()

    async def _renew_once(self) -> float:
        """Renew; return the seconds until the next time."""
        since = time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, self._until - since)):
                renewed = await self._renewed()
        except (UnavailableError, TimeoutError) as error:
            _log.info("lease not renewed yet", lease=self._name, reason=str(error))
            return _RETRY_SECONDS
        if renewed:
            self._until = since + self._limits.lease_seconds - self._limits.lease_margin_seconds
        else:
            _log.warning("lease lost: another one has it", lease=self._name, fence=self._fence)
            self._ended.set()
        return self._limits.lease_seconds / _RENEWALS

    async def _renewed(self) -> bool:
        revision = await self._store.write(self._name, self._record, expected_revision=self._revision)
        if revision is None:
            # A renewal whose answer was lost has moved the entry on; it is still ours then.
            entry = await self._store.read(self._name)
            if entry.record != self._record:
                return False
            self._revision = entry.revision
            revision = await self._store.write(self._name, self._record, expected_revision=self._revision)
        if revision is not None:
            self._revision = revision
        return revision is not None


class Leases:
    """Takes leases for one bus."""

    def __init__(self, store: LeaseStore, limits: BusLimits) -> None:
        """Start with none."""
        self._store = store
        self._limits = limits
        self._taken: dict[str, JetStreamLease] = {}

    async def acquire(self, name: str, holder: str) -> Lease | None:
        """See `EventBus.acquire_lease`."""
        if _NAME.fullmatch(name) is None:
            message = f"lease name {name!r} is not made of letters, digits, '_', '-', '/', '=' and inner dots"
            raise ValueError(message)
        since = time.monotonic()
        entry = await self._store.read(name)
        if entry.record is not None and entry.record.holder != holder:
            return None
        record = LeaseRecord(holder=holder, taking=new_id())
        revision = await self._store.write(name, record, expected_revision=entry.revision)
        if revision is None:
            return None
        if (earlier := self._taken.pop(name, None)) is not None:
            await earlier.abandon()
        # Only the holder draws a number, so that numbers rise in the order of the holders.
        fence = await self._store.next_fence(name)
        lease = JetStreamLease(
            self._store, name, record, revision=revision, fence=fence, since=since, limits=self._limits
        )
        if not lease.held:
            await lease.abandon()
            return None
        self._taken[name] = lease
        return lease

    async def release_all(self) -> None:
        """Give back whatever is still held."""
        await asyncio.gather(*(lease.release() for lease in self._taken.values()))
        self._taken.clear()
