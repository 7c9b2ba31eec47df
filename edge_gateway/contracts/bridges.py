"""Bluetooth bridges and the links of mowers, as they are asked for over the bus."""

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from edge_gateway.contracts.device import MowerRequest
from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.mower import LinkKind
from edge_gateway.contracts.notifications import Severity

BRIDGE_PORT = 6053
"""Where ESPHome listens."""


class BridgeStatus(StrEnum):
    """How a bridge is."""

    CONNECTED = "connected"
    CONNECTING = "connecting"
    """Not reached yet, or not any more; tried again by itself."""
    REFUSED = "refused"
    """It is there, and only its owner can help: wrong key, another device."""
    ELSEWHERE = "elsewhere"
    """Another copy of the gateway runs it."""


class BridgeCode(StrEnum):
    """What can be wrong with a bridge."""

    UNREACHABLE = "bridge_unreachable"
    WRONG_KEY = "bridge_wrong_key"
    WRONG_DEVICE = "bridge_wrong_device"
    """Another device answers at its address: `values.expected_mac`."""
    BAD_FIRMWARE = "bridge_bad_firmware"
    """A version that loses connections or keeps them too long: `values.version`."""
    PASSIVE_ONLY = "bridge_passive_only"
    """It listens and cannot connect."""
    STOLEN = "bridge_stolen"
    """Somebody else takes its advertisements: `values.thief` when the bridge named it."""
    DEAF = "bridge_deaf"
    """It is connected and hears nothing."""
    RESTARTED = "bridge_restarted"
    """It begins anew by itself: `values.restarts` within the last hour."""
    NO_SLOTS = "bridge_no_slots"
    """All its connections are in use: `values.slots`."""
    WEAK_WIFI = "bridge_weak_wifi"
    """`values.wifi_dbm`."""


class BridgeFinding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is wrong with a bridge now."""

    id: str
    bridge_id: str
    bridge_name: str
    code: BridgeCode
    severity: Severity
    began_at: datetime
    values: dict[str, Any] = {}


class NearMower(msgspec.Struct, frozen=True, kw_only=True):
    """A mower that a bridge hears."""

    vendor_key: str
    signal_dbm: int | None = None


class Bridge(msgspec.Struct, frozen=True, kw_only=True):
    """A Bluetooth bridge, without its key."""

    id: str
    account_id: str
    name: str
    host: str
    port: int
    encrypted: bool
    expected_mac: str | None = None
    """No other device is taken for it."""
    status: BridgeStatus = BridgeStatus.CONNECTING
    esphome_version: str | None = None
    slots: int | None = None
    """How many mowers it can connect at once."""
    free_slots: int | None = None
    wifi_dbm: float | None = None
    uptime_seconds: float | None = None
    mowers: tuple[NearMower, ...] = ()
    created_at: datetime


class BridgeChanged(msgspec.Struct, frozen=True, kw_only=True):
    """`device.bridge.changed`: added, changed, removed, connected or not, or something else is wrong with it."""

    bridge_id: str
    removed: bool = False


class CreateBridgeRequest(Asking, frozen=True, kw_only=True):
    """`device_gateway.bridges.create`: connects before it answers; a bridge without a key is given one."""

    host: str
    port: int = BRIDGE_PORT
    key: str | None = None
    """Base64 of 32 bytes, as ESPHome shows it; null: the bridge has none yet."""
    name: str | None = None
    """Null: the bridge's own."""


class UpdateBridgeRequest(Asking, frozen=True, kw_only=True):
    """`device_gateway.bridges.update`: absent is left alone; what is spoken to anew is connected before it answers."""

    bridge_id: str
    name: str | msgspec.UnsetType = msgspec.UNSET
    host: str | msgspec.UnsetType = msgspec.UNSET
    port: int | msgspec.UnsetType = msgspec.UNSET
    key: str | msgspec.UnsetType = msgspec.UNSET
    expected_mac: str | msgspec.UnsetType | None = msgspec.UNSET
    """Null takes whichever device answers next (a bridge whose board was replaced)."""


class BridgeRequest(Asking, frozen=True, kw_only=True):
    """`device_gateway.bridges.delete`, `.health`."""

    bridge_id: str


class ListBridgesReply(msgspec.Struct, frozen=True, kw_only=True):
    """`device_gateway.bridges.list`, asked with `Asking`."""

    items: tuple[Bridge, ...]


class BridgeHealth(msgspec.Struct, frozen=True, kw_only=True):
    """`device_gateway.bridges.health`: a bridge and what is wrong with it."""

    bridge: Bridge
    findings: tuple[BridgeFinding, ...]


class BridgeFindingsReply(msgspec.Struct, frozen=True, kw_only=True):
    """`device_gateway.bridges.findings`, asked with `Asking`: the longest-standing first."""

    items: tuple[BridgeFinding, ...]


class FoundBridge(msgspec.Struct, frozen=True, kw_only=True):
    """An ESPHome device with a Bluetooth bridge that tells of itself in the network."""

    name: str
    host: str
    port: int
    mac: str | None = None
    esphome_version: str | None = None
    encrypted: bool | None = None
    added: bool = False
    """It is one of ours already."""


class FoundBridgesReply(msgspec.Struct, frozen=True, kw_only=True):
    """`device_gateway.bridges.found`, asked with `Asking`."""

    items: tuple[FoundBridge, ...]


class LinksRequest(MowerRequest, frozen=True, kw_only=True):
    """`device_gateway.links.get`: in which order a mower's links are used."""


class PutLinksRequest(LinksRequest, frozen=True, kw_only=True):
    """`device_gateway.links.put`: one that is left out is never used."""

    order: tuple[LinkKind, ...]


class ReleaseLinkRequest(LinksRequest, frozen=True, kw_only=True):
    """`device_gateway.links.release`: leave Bluetooth to the vendor's app for so long."""

    minutes: float
    """Over 0 and at most 240; 0 takes it back."""


class LinksReply(msgspec.Struct, frozen=True, kw_only=True):
    """How a mower's links are used."""

    order: tuple[LinkKind, ...]
    released_until: datetime | None = None
