"""Tells that a bridge or a login is not what it was: readers then ask how it is."""

import msgspec
import structlog

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.bridges import BridgeChanged
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.envelope import wrap
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.fleet import VendorAccountChanged
from edge_gateway.contracts.identifiers import new_id

_log = structlog.get_logger(__name__)


class ChangeTeller:
    """Publishes changes; a bus that is away is no reason to fail what was done."""

    def __init__(self, bus: EventBus, clock: Clock) -> None:
        """Publish on `bus`."""
        self._bus = bus
        self._clock = clock

    async def bridge(self, bridge_id: str, account_id: str, *, removed: bool = False) -> bool:
        """Tell of a bridge; whether it could be told."""
        payload = BridgeChanged(bridge_id=bridge_id, removed=removed)
        return await self._tell(subjects.BRIDGE_CHANGED, payload, bridge_id, account_id)

    async def vendor_account(self, vendor_account_id: str, account_id: str, *, removed: bool = False) -> bool:
        """Tell of a login; whether it could be told."""
        payload = VendorAccountChanged(vendor_account_id=vendor_account_id, removed=removed)
        return await self._tell(subjects.VENDOR_ACCOUNT_CHANGED, payload, vendor_account_id, account_id)

    async def _tell(self, subject: str, payload: msgspec.Struct, subject_id: str, account_id: str) -> bool:
        envelope = wrap(
            payload,
            id=new_id(),
            type=subject,
            occurred_at=self._clock.now(),
            account_id=account_id,
            subject_id=subject_id,
        )
        try:
            await self._bus.publish(subject, envelope)
        except UnavailableError as error:
            _log.info("change not told", subject=subject, about=subject_id, code=error.code)
            return False
        return True
