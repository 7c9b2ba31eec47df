"""Whether a mower is reached, and why not: from what was heard, never from what was hoped. Pure."""

from datetime import datetime

import msgspec

from edge_gateway.contracts.mower import Link, LinkKind
from edge_gateway.device_gateway.provider import DriverAvailability


class LinkFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about the way to a mower."""

    account_problem: str | None = None
    """Why the vendor account is of no use: `account_rejected`, `account_in_use`, `vendor_unreachable`, …"""
    registered: bool = True
    """The vendor account has the mower."""
    connected: bool = False
    """Answers can arrive."""
    cloud_says_offline: bool = False
    asleep: bool = False
    """It told that it sleeps; the cloud can wake it."""
    silent: bool = False
    """It was asked and did not answer."""
    heard_at: datetime | None = None


def availability_of(facts: LinkFacts) -> DriverAvailability:
    """Return whether the mower is reached (a sleeping one is) and its link."""
    reason = _reason(facts)
    link = Link(kind=LinkKind.CLOUD, connected=reason is None, heard_at=facts.heard_at)
    return DriverAvailability(available=reason is None, reason=reason, links=(link,))


def _reason(facts: LinkFacts) -> str | None:
    if facts.account_problem is not None:
        return facts.account_problem
    if not facts.registered:
        return "vendor_removed"
    if not facts.connected:
        return "link_lost"
    if facts.asleep:
        return None
    if facts.cloud_says_offline:
        return "vendor_offline"
    return "silent" if facts.silent else None
