"""Bluetooth as a vendor adapter sees it: over which bridges a mower can be reached now. No Bluetooth library."""

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from edge_gateway.contracts.mower import LinkKind


class Path(msgspec.Struct, frozen=True, kw_only=True):
    """One way to a mower over Bluetooth."""

    kind: LinkKind
    carrier_id: str
    """The bridge."""
    address: str
    """The mower's Bluetooth address."""
    device: Any
    """What bleak connects to."""
    signal_dbm: int | None
    free_slots: int | None
    """How many connections the bridge can still make; null when it does not tell."""
    age_seconds: float
    """How long ago the mower was heard over it."""


class Bluetooth(Protocol):
    """The bridges, as one room for all mowers."""

    def paths(self, name: str) -> tuple[Path, ...]:
        """Return the ways to the mower that advertises this name (or did: its address is remembered)."""
        ...

    def works(self, carrier_id: str) -> bool:
        """Tell whether a bridge can carry connections: connected, and its subscription ours."""
        ...

    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Call `changed` when a path may have come or gone; returns what ends that."""
        ...

    def pin(self, address: str, carrier_id: str | None) -> None:
        """Let connections to an address be made over this bridge only; null: over any."""
        ...

    def heard(self, carrier_id: str) -> None:
        """Hear that a connected mower said something over a bridge: it is not deaf."""
        ...

    def turned_away(self, carrier_id: str, *, reason: str) -> None:
        """Hear that a connection over a bridge could not be made, for this reason (a code); empty: it was made."""
        ...
