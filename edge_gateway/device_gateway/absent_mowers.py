"""Known mowers that nobody drives any more must not look available: what a killed gateway left is put right."""

import asyncio

import structlog

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.mower import MowerAvailability
from edge_gateway.device_gateway.repository import KnownMower
from edge_gateway.device_gateway.roster import Roster
from edge_gateway.device_gateway.supervisor import lease_name

_log = structlog.get_logger(__name__)

_LOOKS = 4
_LOOK_SECONDS = 5.0
"""Together longer than a lease that a killed gateway left."""


class AbsentMowers:
    """Looks a few times after the start for mowers that no provider tells of and that nobody holds."""

    def __init__(
        self,
        roster: Roster,
        *,
        bus: EventBus,
        clock: Clock,
        instance_id: str,
        look_seconds: float = _LOOK_SECONDS,
    ) -> None:
        """Look at what this roster does not run, every so many seconds."""
        self._look_seconds = look_seconds
        self._roster = roster
        self._bus = bus
        self._clock = clock
        # Another holder than the supervisors': taking the lease must not take it from one that starts meanwhile.
        self._holder = f"{instance_id}:absent"

    async def look(self) -> None:
        """Look until every absent mower is told unavailable or found."""
        for _ in range(_LOOKS):
            await asyncio.sleep(self._look_seconds)
            try:
                for mower in self._roster.absent():
                    await self._put_right(mower)
            except UnavailableError as error:
                _log.info("absent mowers not looked at", code=error.code)

    async def _put_right(self, mower: KnownMower) -> None:
        subject = subjects.availability_subject(mower.mower_id)
        last = await self._bus.last(subject)
        if last is None or not last.decode(MowerAvailability).available:
            return
        lease = await self._bus.acquire_lease(lease_name(mower.mower_id), holder=self._holder)
        if lease is None:
            return
        now = self._clock.now()
        event = MowerAvailability(
            mower_id=mower.mower_id,
            account_id=mower.account_id,
            available=False,
            reason="not_found",
            changed_at=now,
        )
        try:
            await self._bus.publish(
                subject,
                wrap(
                    event,
                    id=new_id(),
                    type=subjects.AVAILABILITY_TYPE,
                    occurred_at=now,
                    account_id=mower.account_id,
                    subject_id=mower.mower_id,
                ),
            )
        finally:
            await lease.release()
        _log.warning("mower is no longer found by any provider", mower=mower.mower_id, vendor_key=mower.vendor_key)
