"""How a Bluetooth device is heard over one bridge."""

from typing import Any

import msgspec


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """One bridge's view of a device."""

    source: str
    """The bridge's own Bluetooth address."""
    device: Any
    """What bleak connects to."""
    signal_dbm: int | None
    free_slots: int | None
    age_seconds: float
    connected: bool
    """It is connected over this bridge."""
