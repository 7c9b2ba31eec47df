"""Bluetooth as a vendor adapter sees it: over what a mower can be reached now. No Bluetooth library.

What carries a mower's frames is a carrier: a bridge of ours, or a scanner that Home Assistant lends.
"""

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from edge_gateway.contracts.mower import LinkKind


class Path(msgspec.Struct, frozen=True, kw_only=True):
    """One way to a mower over Bluetooth."""

    kind: LinkKind
    carrier_id: str
    address: str
    """The mower's Bluetooth address."""
    device: Any
    """What bleak connects to."""
    signal_dbm: int | None
    free_slots: int | None
    """How many connections the carrier can still make; null when it does not tell."""
    age_seconds: float
    """How long ago the mower was heard over it."""


class Bluetooth(Protocol):
    """The carriers, as one room for all mowers."""

    def wish(self, name: str, kinds: frozenset[LinkKind]) -> None:
        """Hear over what a mower may be reached, by the name that it advertises; nothing: it is looked for no more."""
        del name, kinds

    def paths(self, name: str) -> tuple[Path, ...]:
        """Return the ways to the mower that advertises this name (or did: its address is remembered)."""
        ...

    def works(self, carrier_id: str) -> bool:
        """Tell whether a carrier can carry connections: it is connected, and what it hears comes to us."""
        ...

    def carriers(self, kind: LinkKind) -> frozenset[str]:
        """Return the carriers of a kind that can carry connections now, whatever they hear."""
        ...

    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Call `changed` when a path may have come or gone; returns what ends that."""
        ...

    def pin(self, address: str, carrier_id: str | None) -> None:
        """Let connections to an address be made over this carrier only; null: over any."""
        ...

    def heard(self, carrier_id: str) -> None:
        """Hear that a connected mower said something over a carrier: it is not deaf."""
        del carrier_id

    def turned_away(self, carrier_id: str, *, reason: str) -> None:
        """Hear that a connection over a carrier could not be made, for this reason (a code); empty: it was made."""
        del carrier_id, reason
