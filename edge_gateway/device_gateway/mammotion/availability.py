"""Whether a mower is reached, and why not: from what was heard, never from what was hoped. Pure."""

from datetime import datetime

import msgspec

from edge_gateway.contracts.mower import Link, LinkKind
from edge_gateway.device_gateway.provider import DriverAvailability


class LinkFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about the ways to a mower."""

    account_problem: str | None = None
    """Why the vendor account is of no use: `account_rejected`, `account_in_use`, `vendor_unreachable`, …"""
    registered: bool = True
    """The vendor account has the mower."""
    connected: bool = False
    """Answers can arrive over the cloud."""
    cloud_says_offline: bool = False
    asleep: bool = False
    """It told that it sleeps; the cloud can wake it."""
    silent: bool = False
    """It was asked and did not answer."""
    heard_at: datetime | None = None
    """Over the cloud."""
    bluetooth: tuple[Link, ...] = ()
    """How it is reached over each kind of Bluetooth that hears it, the preferred one first."""


def availability_of(facts: LinkFacts) -> DriverAvailability:
    """Return whether the mower is reached (a sleeping one is) and its links, the one in use first."""
    cloud_reason = _cloud_reason(facts)
    over_bluetooth = any(link.connected for link in facts.bluetooth)
    silent = "silent" if facts.silent and not facts.asleep else None
    reason = silent if over_bluetooth else cloud_reason or silent
    cloud = Link(
        kind=LinkKind.CLOUD,
        connected=cloud_reason is None and not (facts.silent and not facts.asleep and not over_bluetooth),
        heard_at=facts.heard_at,
        current=reason is None and not over_bluetooth,
    )
    near = tuple(msgspec.structs.replace(link, current=link.connected) for link in facts.bluetooth)
    links = (*near, cloud) if over_bluetooth else (cloud, *near)
    return DriverAvailability(
        available=reason is None,
        reason=reason,
        links=tuple(sorted(links, key=lambda link: not link.current)),
    )


def cloud_works(facts: LinkFacts) -> bool:
    """Tell whether the mower can be reached over the cloud."""
    return _cloud_reason(facts) is None


def _cloud_reason(facts: LinkFacts) -> str | None:
    if facts.account_problem is not None:
        return facts.account_problem
    if not facts.registered:
        return "vendor_removed"
    if not facts.connected:
        return "link_lost"
    if facts.asleep:
        return None
    return "vendor_offline" if facts.cloud_says_offline else None
