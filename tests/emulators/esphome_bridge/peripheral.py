"""A Bluetooth device as a bridge sees it: what it advertises, its services, and what it does when it is connected."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

NO_ANSWER = -1
"""As an error of a connection: the bridge never says how it went."""
STATUS_133 = 133
FAIL_ESTABLISH = 0x3E


@dataclass(kw_only=True)
class Characteristic:
    """One characteristic; handles are given by its peripheral."""

    uuid: str
    properties: int
    """The bits of the specification: read 2, write 8, notify 16."""
    value: bytes = b""
    handle: int = 0
    descriptor: int = 0
    """The handle of its client configuration; 0 when it has none."""


@dataclass(kw_only=True)
class Peripheral:
    """One device."""

    mac: str
    name: str
    service: str
    characteristics: list[Characteristic]
    connected: Callable[[Callable[[str, bytes], None]], None] = lambda _: None
    """Hears that it is connected, with how it notifies (uuid, data)."""
    disconnected: Callable[[], None] = lambda: None
    written: Callable[[str, bytes], None] = lambda _uuid, _data: None
    rssi: int = -60
    mtu: int = 247
    service_handle: int = 40
    in_reach: bool = True
    connect_seconds: float = 0.01
    connect_error: int = 0
    """What a connection ends with; 0 is well, see `NO_ANSWER`, `STATUS_133`, `FAIL_ESTABLISH`."""
    connects: int = 0
    """How often a bridge tried to connect it."""
    by_handle: dict[int, Characteristic] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Give handles out."""
        handle = self.service_handle
        for characteristic in self.characteristics:
            handle += 2
            characteristic.handle = handle
            if characteristic.properties & 0x10:
                handle += 1
                characteristic.descriptor = handle
            self.by_handle[characteristic.handle] = characteristic

    @property
    def address(self) -> int:
        """Its address as the API writes it."""
        return int(self.mac.replace(":", ""), 16)

    @property
    def advertisement(self) -> bytes:
        """What it advertises: flags and name."""
        name = self.name.encode()
        return b"\x02\x01\x06" + bytes([len(name) + 1, 9]) + name


@dataclass(kw_only=True)
class Connection:
    """A connected peripheral."""

    peripheral: Peripheral
    up: bool = False
    notified: set[int] = field(default_factory=set)


def uuid_words(text: str) -> list[int]:
    """Return a UUID as the API writes it: two words of 64 bits."""
    number = uuid.UUID(text).int
    return [number >> 64, number & (2**64 - 1)]
