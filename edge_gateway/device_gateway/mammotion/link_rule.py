"""Whether a mower is to be connected over Bluetooth now, from its preference and how its other links are. Pure."""

from datetime import datetime

import msgspec

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.link_preference import LinkPreference

NEAR_KINDS = frozenset({LinkKind.BRIDGE, LinkKind.HOME_ASSISTANT})
"""The kinds that are Bluetooth."""
CLOUD_LOST_SECONDS = 10.0
"""A cloud that is preferred has to be away for so long before Bluetooth takes its place."""
CLOUD_BACK_SECONDS = 60.0
"""And to be back for so long before Bluetooth is let go: a cloud that comes and goes is no reason to hop."""


class CloudFacts(msgspec.Struct, frozen=True, kw_only=True):
    """How a mower is reached over the cloud."""

    works: bool
    seconds: float
    """For how long it has been so."""


RETURN_SECONDS = 60.0
"""A nearer carrier that came while a mower was connected over another kind has to stay for so long."""
LOOK_AGAIN_SECONDS = 1800.0
"""A connected mower advertises to nobody, so whether it is near a bridge again is found out by letting go of it."""
FIRST_TRY_SECONDS = 15.0
"""After that the nearer kind has so long to hear it."""


def wanted_kinds(
    preference: LinkPreference, cloud: CloudFacts, *, connected: LinkKind | None, now: datetime
) -> tuple[LinkKind, ...]:
    """Return the kinds of Bluetooth over which a mower is to be connected, or to stay so, the preferred one first."""
    if preference.released_until is not None and now < preference.released_until:
        return ()
    return tuple(
        kind
        for kind in preference.order
        if kind in NEAR_KINDS
        and (preference.prefers(kind, LinkKind.CLOUD) or _stands_in(cloud, connected=kind is connected))
    )


def _stands_in(cloud: CloudFacts, *, connected: bool) -> bool:
    if connected:
        return not cloud.works or cloud.seconds < CLOUD_BACK_SECONDS
    return not cloud.works and cloud.seconds >= CLOUD_LOST_SECONDS


def goes_back(*, connected_seconds: float, nearer_seconds: float | None, nearer_works: bool) -> bool:
    """Tell whether a mower is to be let go of for a kind of Bluetooth that its owner prefers.

    `nearer_seconds`: for how long a carrier of that kind has been there that was not when the mower was connected;
    null when there is none. `nearer_works`: there is any carrier of that kind.
    """
    if nearer_seconds is not None and nearer_seconds >= RETURN_SECONDS:
        return True
    return nearer_works and connected_seconds >= LOOK_AGAIN_SECONDS
