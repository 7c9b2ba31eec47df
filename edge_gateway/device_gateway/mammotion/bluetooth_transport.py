"""The library's Bluetooth link, opened by us alone.

By itself the library connects whenever it wants to write: without looking for a free slot, without a limit of time, and
at the very moment at which an order should leave. Here a write over a link that is down fails at once, so that it
certainly did not leave and another link can take it.
"""

import asyncio
from collections.abc import Callable
from typing import Any, override

import structlog
from bleak.exc import BleakError
from pymammotion.transport.base import BLEUnavailableError, TransportAvailability, TransportError
from pymammotion.transport.ble import BLETransport, BLETransportConfig

from edge_gateway.device_gateway.lent_bluetooth.errors import NotSentError
from edge_gateway.device_gateway.mammotion.errors import outcome_unknown

_log = structlog.get_logger(__name__)

_CLOSE_SECONDS = 3.0


class BluetoothTransport(BLETransport):
    """The Bluetooth link of one mower."""

    def __init__(self, device_id: str, *, write_seconds: float, broke: Callable[[], None]) -> None:
        """Be closed; a write that takes longer than `write_seconds` ends the link, which `broke` is told."""
        # Who opens decides when to try again, so the library's own pause is off.
        super().__init__(BLETransportConfig(device_id=device_id, connect_cooldown_seconds=0.0))
        self._write_seconds = write_seconds
        self._broke = broke
        self._broken = False

    @property
    @override
    def is_connected(self) -> bool:
        return bool(super().is_connected) and not self._broken

    @property
    @override
    def is_usable(self) -> bool:
        return self.is_connected

    async def open(self, device: Any, *, rssi: int | None, seconds: float) -> None:  # noqa: ANN401  # bleak's device
        """Connect; raises `BLEUnavailableError` when it fails or takes longer."""
        self._broken = False
        self.set_ble_device(device, rssi)
        try:
            async with asyncio.timeout(seconds):
                await super().connect()
        except (TimeoutError, OSError, BleakError) as error:
            message = "no connection"
            raise BLEUnavailableError(message) from error

    @override
    async def disconnect(self) -> None:
        """Disconnect, also from a bridge that answers no more; nothing leaves over it from here on."""
        self._broken = True
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await super().disconnect()
        except Exception as error:  # noqa: BLE001  # bleak's, the bridge's, the system's: it is let go of all the same
            _log.debug("bluetooth link not closed in order", mower=self._config.device_id, error=type(error).__name__)
            self._client = None
            self._message = None
            await self._notify_availability(TransportAvailability.DISCONNECTED)

    @override
    async def connect(self) -> None:
        if not self.is_connected:
            message = "the Bluetooth link is down"
            raise BLEUnavailableError(message)

    @override
    async def send(self, payload: bytes, iot_id: str = "", firmware_version: str = "1.0.0.0") -> None:
        """Write a message.

        Raises `BLEUnavailableError` when it did not leave. When it may have, a `DeadlineError`: the library takes that
        for no reason to send it over the cloud as well.
        """
        try:
            async with asyncio.timeout(self._write_seconds):
                await super().send(payload, iot_id, firmware_version)
        except BLEUnavailableError:
            raise
        except (TransportError, TimeoutError) as error:
            self._broken = True
            self._broke()
            if isinstance(error.__cause__, NotSentError):
                message = "it did not leave in time"
                raise BLEUnavailableError(message) from None
            raise outcome_unknown() from None
