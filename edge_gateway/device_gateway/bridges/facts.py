"""What is known of a bridge, for its health checks and its view."""

from enum import StrEnum

import msgspec


class ConnectError(StrEnum):
    """Why a bridge is not connected."""

    UNREACHABLE = "unreachable"
    WRONG_KEY = "wrong_key"
    NEEDS_KEY = "needs_key"
    """It speaks encrypted and no key is known."""
    NOT_ENCRYPTED = "not_encrypted"
    """It speaks plaintext though a key is known: nothing is sent to it."""
    WRONG_DEVICE = "wrong_device"
    """Another device answers at this address."""


class BridgeFacts(msgspec.Struct, frozen=True, kw_only=True):
    """How a bridge is now. Missing is null."""

    connected: bool = False
    connect_error: ConnectError | None = None
    key_errors: int = 0
    """How often in a row the key was refused: bad Wi-Fi can look like that once."""
    unconnected_seconds: float = 0.0
    name: str | None = None
    mac: str | None = None
    esphome_version: str | None = None
    can_connect: bool | None = None
    """It makes connections, and does not only listen."""
    subscribed: bool = False
    connected_seconds: float = 0.0
    silent_seconds: float | None = None
    deaf: bool = False
    """It was silent, was asked for the subscription again, and stayed silent."""
    stolen: bool = False
    """Its advertisements go to somebody else, and taking them back once did not last."""
    thief: str | None = None
    slots: int | None = None
    free_slots: int | None = None
    refused_for_slots: bool = False
    """A mower was to be connected lately and no slot was free."""
    uptime_seconds: float | None = None
    restarts: int = 0
    """How often it began anew by itself within the last hour."""
    wifi_dbm: float | None = None
