"""What the gateway tells a Home Assistant that lends its Bluetooth (`/api/v1/bluetooth`): watch, connect, write."""

import binascii
from base64 import b64decode
from dataclasses import dataclass
from typing import Self

from .errors import MalformedError
from .reading import Reading

WRITE_CREDITS = 8
"""So many writes of one connection may wait for their acknowledgement."""

NOTIFY_CREDITS = 64
"""So many notifications of one connection may wait to be sent."""

ADVERTISEMENT_SECONDS = 5.0
"""An advertisement of one mower over one scanner is told at most so often."""


@dataclass(frozen=True, kw_only=True)
class Watch:
    """The mowers that may be carried: all of them, each time."""

    names: tuple[str, ...]
    """The names that they advertise."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(names=reading.texts("names"))


@dataclass(frozen=True, kw_only=True)
class Connect:
    """Connect to a watched mower."""

    id: str
    address: str
    source: str | None
    """The scanner that the gateway would take; None: the best one."""
    budget_ms: int

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            address=reading.text("address"),
            source=reading.text_or_none("source"),
            budget_ms=reading.integer("budget_ms"),
        )


@dataclass(frozen=True, kw_only=True)
class Subscribe:
    """Let notifications of a characteristic come."""

    id: str
    seq: int
    characteristic: str
    budget_ms: int

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            seq=reading.integer("seq"),
            characteristic=reading.text("characteristic"),
            budget_ms=reading.integer("budget_ms"),
        )


@dataclass(frozen=True, kw_only=True)
class Write:
    """Write to a characteristic; not when its time is over."""

    id: str
    seq: int
    characteristic: str
    data: bytes
    response: bool
    budget_ms: int

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        try:
            data = b64decode(reading.text("data"), validate=True)
        except binascii.Error as error:
            raise MalformedError(f"{reading.path}.data is not base64") from error
        return cls(
            id=reading.text("id"),
            seq=reading.integer("seq"),
            characteristic=reading.text("characteristic"),
            data=data,
            response=reading.flag("response"),
            budget_ms=reading.integer("budget_ms"),
        )


@dataclass(frozen=True, kw_only=True)
class ClearCache:
    """Forget what is known of a mower's services."""

    address: str

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(address=reading.text("address"))


@dataclass(frozen=True, kw_only=True)
class Disconnect:
    """End a connection."""

    id: str

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(id=reading.text("id"))


@dataclass(frozen=True, kw_only=True)
class Refused:
    """The gateway does not go on; it closes the connection after this."""

    code: str
    detail: str
    field: str | None

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(code=reading.text("code"), detail=reading.text("detail"), field=reading.text_or_none("field"))


type Told = Watch | Connect | Subscribe | Write | ClearCache | Disconnect

_KINDS: dict[str, type[Told | Refused]] = {
    "watch": Watch,
    "connect": Connect,
    "subscribe": Subscribe,
    "write": Write,
    "clear_cache": ClearCache,
    "disconnect": Disconnect,
    "error": Refused,
}


def read_told(value: object) -> Told | Refused | None:
    """Read a message; one of a type that is newer than this client is None. Raises `MalformedError`."""
    reading = Reading.of(value, "message")
    kind = _KINDS.get(reading.text("type"))
    return None if kind is None else kind.read(reading)
