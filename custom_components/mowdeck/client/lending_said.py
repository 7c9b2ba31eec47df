"""What Home Assistant says when it lends its Bluetooth (`/api/v1/bluetooth`): scanners, what is heard, what was done.

Every time is a duration, because the clocks of both differ; bytes are base64.
"""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Scanner:
    """One adapter or proxy."""

    source: str
    """Its address."""
    name: str
    connectable: bool
    slots: int | None
    """Connections that it can hold at once; None when it does not tell."""
    free_slots: int | None

    def json(self) -> dict[str, Any]:
        """Return it as a part of a message."""
        return {
            "source": self.source,
            "name": self.name,
            "connectable": self.connectable,
            "slots": self.slots,
            "free_slots": self.free_slots,
        }


@dataclass(frozen=True, kw_only=True)
class Characteristic:
    """A characteristic of a connected mower."""

    uuid: str
    handle: int
    properties: tuple[str, ...]
    """In bleak's words."""

    def json(self) -> dict[str, Any]:
        """Return it as a part of a message."""
        return {"uuid": self.uuid, "handle": self.handle, "properties": list(self.properties)}


@dataclass(frozen=True, kw_only=True)
class GattService:
    """A GATT service of a connected mower."""

    uuid: str
    handle: int
    characteristics: tuple[Characteristic, ...]

    def json(self) -> dict[str, Any]:
        """Return it as a part of a message."""
        return {
            "uuid": self.uuid,
            "handle": self.handle,
            "characteristics": [one.json() for one in self.characteristics],
        }


@dataclass(frozen=True, kw_only=True)
class LendingHello:
    """The first message, and again whenever scanners or their free slots change."""

    instance_id: str
    scanners: tuple[Scanner, ...]

    def json(self) -> dict[str, Any]:
        """Return the message."""
        return {
            "type": "hello",
            "instance_id": self.instance_id,
            "scanners": [scanner.json() for scanner in self.scanners],
        }


@dataclass(frozen=True, kw_only=True)
class Advertisement:
    """A watched mower was heard."""

    source: str
    address: str
    name: str
    signal_dbm: int
    age_ms: int
    service_uuids: tuple[str, ...] = ()
    manufacturer_data: Mapping[int, bytes] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """Return the message."""
        return {
            "type": "advert",
            "source": self.source,
            "address": self.address,
            "name": self.name,
            "signal_dbm": self.signal_dbm,
            "age_ms": self.age_ms,
            "service_uuids": list(self.service_uuids),
            "manufacturer_data": {str(maker): _text(data) for maker, data in self.manufacturer_data.items()},
        }


@dataclass(frozen=True, kw_only=True)
class Connected:
    """A connection was made."""

    id: str
    source: str
    """The scanner over which."""
    mtu: int
    services: tuple[GattService, ...]

    def json(self) -> dict[str, Any]:
        """Return the message."""
        return {
            "type": "connected",
            "id": self.id,
            "source": self.source,
            "mtu": self.mtu,
            "services": [service.json() for service in self.services],
        }


@dataclass(frozen=True, kw_only=True)
class Acknowledged:
    """A write or a subscription is done, or why not."""

    id: str
    seq: int
    code: str | None = None
    """None: done. `spent`: it certainly did not leave. Any other: it may have left."""
    detail: str = ""

    def json(self) -> dict[str, Any]:
        """Return the message."""
        return {"type": "ack", "id": self.id, "seq": self.seq, "code": self.code, "detail": self.detail}


@dataclass(frozen=True, kw_only=True)
class Notified:
    """The mower said something; `seq` counts a connection's from 1."""

    id: str
    seq: int
    characteristic: str
    data: bytes

    def json(self) -> dict[str, Any]:
        """Return the message."""
        return {
            "type": "notify",
            "id": self.id,
            "seq": self.seq,
            "characteristic": self.characteristic,
            "data": _text(self.data),
        }


@dataclass(frozen=True, kw_only=True)
class Disconnected:
    """A connection ended, or could not be made."""

    id: str
    code: str
    detail: str = ""
    """For a person."""

    def json(self) -> dict[str, Any]:
        """Return the message."""
        return {"type": "disconnected", "id": self.id, "code": self.code, "detail": self.detail}


type Said = LendingHello | Advertisement | Connected | Acknowledged | Notified | Disconnected


def _text(data: bytes) -> str:
    return b64encode(data).decode("ascii")
