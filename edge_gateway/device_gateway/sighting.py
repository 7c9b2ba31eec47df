"""How a Bluetooth device is heard over one carrier."""

from typing import Any

import msgspec


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """One carrier's view of a device."""

    source: str
    """The carrier's name in the radio: a bridge's own Bluetooth address, or what stands for a scanner that is lent."""
    device: Any
    """What bleak connects to."""
    signal_dbm: int | None
    free_slots: int | None
    age_seconds: float
    connected: bool
    """It is connected over this carrier."""
