"""In which order a mower's links are used, as its owner wants it. Pure."""

from datetime import datetime

import msgspec

from edge_gateway.contracts.mower import LinkKind

DEFAULT_ORDER = (LinkKind.BRIDGE, LinkKind.CLOUD)
"""Nearest first: a bridge needs nobody's cloud. Home Assistant's Bluetooth is used where its owner says so."""


class LinkPreference(msgspec.Struct, frozen=True, kw_only=True):
    """In which order a mower's links are used; one that is left out is never used."""

    order: tuple[LinkKind, ...] = DEFAULT_ORDER
    released_until: datetime | None = None
    """Until then Bluetooth is left to somebody else, the vendor's app."""

    def allows(self, kind: LinkKind) -> bool:
        """Tell whether a link may be used at all."""
        return kind in self.order

    def prefers(self, kind: LinkKind, over: LinkKind) -> bool:
        """Tell whether one link comes before another."""
        return self.allows(kind) and (not self.allows(over) or self.order.index(kind) < self.order.index(over))
