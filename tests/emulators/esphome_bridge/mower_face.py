"""The Bluetooth face of an emulated mower: its BluFi frames, in and out."""

import asyncio
from collections.abc import Callable

from pymammotion.bluetooth.ble_message import BleMessage
from pymammotion.bluetooth.const import UUID_NOTIFICATION_CHARACTERISTIC, UUID_SERVICE, UUID_WRITE_CHARACTERISTIC

from tests.emulators.esphome_bridge.peripheral import Characteristic, Peripheral
from tests.emulators.mammotion.member import Member

_CUSTOM_DATA = 19 << 2 | 1
_FRAGMENT = 0x10
_LARGEST = 120
"""How many bytes of a message one notification carries."""
_READ_WRITE_NOTIFY = {"read": 0x02, "write": 0x08, "notify": 0x10}


class MowerFace:
    """What a bridge sees of a mower."""

    def __init__(self, member: Member, *, mac: str = "C0:FF:EE:00:00:01") -> None:
        """Let this mower be reached over Bluetooth as well."""
        self._member = member
        self._notify: Callable[[str, bytes], None] | None = None
        self._parser = BleMessage(None)  # type: ignore[arg-type]  # it only reads here
        self._sequence = -1
        self._tasks: set[asyncio.Task[None]] = set()
        bits = _READ_WRITE_NOTIFY
        self.peripheral = Peripheral(
            mac=mac,
            name=member.name,
            service=UUID_SERVICE,
            characteristics=[
                Characteristic(uuid=UUID_WRITE_CHARACTERISTIC, properties=bits["write"]),
                Characteristic(uuid=UUID_NOTIFICATION_CHARACTERISTIC, properties=bits["read"] | bits["notify"]),
            ],
            connected=self._connected,
            disconnected=self._disconnected,
            written=self._written,
        )
        member.bluetooth = self._say

    def _connected(self, notify: Callable[[str, bytes], None]) -> None:
        self._notify = notify
        self._parser = BleMessage(None)  # type: ignore[arg-type]  # as above
        self._sequence = -1

    def _disconnected(self) -> None:
        self._notify = None

    def _written(self, uuid: str, data: bytes) -> None:
        if uuid == UUID_WRITE_CHARACTERISTIC and self._parser.parseNotification(bytes(data)) == 0:
            raw = bytes(self._parser.notification.getDataArray())
            self._parser.clear_notification()
            self._member.hear(raw, over="bluetooth")

    def _say(self, raw: bytes) -> None:
        if self._notify is None:
            return
        offset = 0
        while offset < len(raw):
            chunk = raw[offset : offset + _LARGEST]
            left = len(raw) - offset
            offset += len(chunk)
            more = offset < len(raw)
            data = left.to_bytes(2, "little") + chunk if more else chunk
            self._sequence = (self._sequence + 1) & 0xFF
            frame = bytes([_CUSTOM_DATA, _FRAGMENT if more else 0, self._sequence, len(data)]) + data
            self._notify(UUID_NOTIFICATION_CHARACTERISTIC, frame)
