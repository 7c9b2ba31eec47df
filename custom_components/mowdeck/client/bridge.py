"""Bluetooth bridges: those of the gateway, and those that it sees in the network."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from .reading import Reading


class BridgeStatus(StrEnum):
    """How a bridge is."""

    CONNECTED = "connected"
    CONNECTING = "connecting"
    REFUSED = "refused"
    """It is there, and only its owner can help: wrong key, another device."""
    ELSEWHERE = "elsewhere"
    """Another copy of the gateway runs it."""
    UNKNOWN = "unknown"
    """One that is newer than this client."""


@dataclass(frozen=True, kw_only=True)
class Bridge:
    """One bridge."""

    id: str
    name: str
    host: str
    port: int
    encrypted: bool
    expected_mac: str | None
    """No other device is taken for it."""
    status: BridgeStatus
    esphome_version: str | None
    slots: int | None
    """How many mowers it can connect at once."""
    free_slots: int | None
    wifi_dbm: float | None
    """None for one with a cable, too."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            name=reading.text("name"),
            host=reading.text("host"),
            port=reading.integer("port"),
            encrypted=reading.flag("encrypted"),
            expected_mac=reading.text_or_none("expected_mac"),
            status=reading.choice("status", BridgeStatus.UNKNOWN),
            esphome_version=reading.text_or_none("esphome_version"),
            slots=reading.integer_or_none("slots"),
            free_slots=reading.integer_or_none("free_slots"),
            wifi_dbm=reading.number_or_none("wifi_dbm"),
        )


@dataclass(frozen=True, kw_only=True)
class FoundBridge:
    """An ESPHome device that tells of itself in the network."""

    name: str
    host: str
    port: int
    mac: str | None
    esphome_version: str | None
    added: bool
    """It is one of the gateway's already."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            name=reading.text("name"),
            host=reading.text("host"),
            port=reading.integer("port"),
            mac=reading.text_or_none("mac"),
            esphome_version=reading.text_or_none("esphome_version"),
            added=bool(reading.flag_or_none("added")),
        )
