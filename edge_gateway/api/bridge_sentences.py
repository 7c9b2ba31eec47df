"""What a finding about a bridge means and what to do about it. Pure."""

from collections.abc import Mapping
from typing import Any

from edge_gateway.contracts.bridges import BridgeCode

_DETAILS = {
    BridgeCode.UNREACHABLE: "The Bluetooth bridge {name} is not reached.",
    BridgeCode.WRONG_KEY: "The Bluetooth bridge {name} does not accept the encryption key that is known.",
    BridgeCode.WRONG_DEVICE: "Another device answers at the address of the Bluetooth bridge {name}.",
    BridgeCode.BAD_FIRMWARE: "The Bluetooth bridge {name} runs ESPHome {version}, which loses connections.",
    BridgeCode.PASSIVE_ONLY: "The Bluetooth bridge {name} hears mowers and cannot connect to them.",
    BridgeCode.STOLEN: "Another program uses the Bluetooth bridge {name}; it serves one at a time.",
    BridgeCode.DEAF: "The Bluetooth bridge {name} is connected and hears nothing.",
    BridgeCode.RESTARTED: "The Bluetooth bridge {name} restarted by itself within the last hour.",
    BridgeCode.NO_SLOTS: "All {slots} connections of the Bluetooth bridge {name} are in use.",
    BridgeCode.WEAK_WIFI: "The Bluetooth bridge {name} has weak Wi-Fi ({wifi_dbm:.0f} dBm).",
}
_REMEDIES = {
    BridgeCode.UNREACHABLE: "Check its power and its network; a new address is entered at the bridge.",
    BridgeCode.WRONG_KEY: "Paste the key that ESPHome or Home Assistant shows for it.",
    BridgeCode.WRONG_DEVICE: "Give the bridge a fixed address in the router, or enter its new one.",
    BridgeCode.BAD_FIRMWARE: "Update it to ESPHome 2026.9 or newer.",
    BridgeCode.PASSIVE_ONLY: "Use an ESP32 with active connections; devices such as Shelly only listen.",
    BridgeCode.STOLEN: "Remove it from Home Assistant's ESPHome integration, or give mowers a bridge of their own.",
    BridgeCode.DEAF: "It is restarted once an hour; if it stays deaf, cut its power for a moment.",
    BridgeCode.RESTARTED: "Give it a better power supply.",
    BridgeCode.NO_SLOTS: "Add another bridge, or disconnect other devices from this one.",
    BridgeCode.WEAK_WIFI: "Bring it nearer to the router, or use a bridge with Ethernet.",
}


def detail_of(code: BridgeCode, name: str, values: Mapping[str, Any]) -> str:
    """Return one sentence for a person."""
    return _DETAILS[code].format(name=name, **values)


def remedy_of(code: BridgeCode) -> str:
    """Return what to do about it."""
    return _REMEDIES[code]
