"""Bluetooth bridges as the gateway's JSON."""

from typing import Any

from tests.emulators.gateway.documents import Json

BRIDGE_ID = "bridge-1"


def bridge(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return a bridge that is connected and carries one mower."""
    return {
        "id": BRIDGE_ID,
        "account_id": "home",
        "name": "Shed",
        "host": "192.168.1.50",
        "port": 6053,
        "encrypted": True,
        "expected_mac": "AA:BB:CC:00:11:22",
        "status": "connected",
        "esphome_version": "2026.10.0",
        "slots": 3,
        "free_slots": 2,
        "wifi_dbm": -61.0,
        "uptime_seconds": 3600.0,
        "mowers": [],
        "created_at": "2026-05-01T06:00:00Z",
    } | changes


def found_bridge(**changes: Any) -> Json:  # noqa: ANN401  # JSON
    """Return a device that tells of itself in the network."""
    return {
        "name": "mowdeck-bridge-9f31",
        "host": "192.168.1.51",
        "port": 6053,
        "mac": "AA:BB:CC:00:11:33",
        "esphome_version": "2026.10.0",
        "encrypted": False,
        "added": False,
    } | changes
