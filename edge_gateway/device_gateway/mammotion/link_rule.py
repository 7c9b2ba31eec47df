"""Whether a mower is to be connected over Bluetooth now, from its preference and how its other links are. Pure."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.link_preference import LinkPreference

CLOUD_LOST_SECONDS = 10.0
"""A cloud that is preferred has to be away for so long before Bluetooth takes its place."""
CLOUD_BACK_SECONDS = 60.0
"""And to be back for so long before Bluetooth is let go: a cloud that comes and goes is no reason to hop."""


class CloudFacts(msgspec.Struct, frozen=True, kw_only=True):
    """How a mower is reached over the cloud."""

    works: bool
    seconds: float
    """For how long it has been so."""


def wants_bluetooth(
    preference: LinkPreference,
    cloud: CloudFacts,
    *,
    kinds: Sequence[LinkKind],
    connected: bool,
    now: datetime,
) -> bool:
    """Tell whether one of these kinds of Bluetooth is to be connected, or to stay so."""
    if preference.released_until is not None and now < preference.released_until:
        return False
    allowed = [kind for kind in kinds if preference.allows(kind)]
    if not allowed:
        return False
    if any(preference.prefers(kind, LinkKind.CLOUD) for kind in allowed):
        return True
    if connected:
        return not cloud.works or cloud.seconds < CLOUD_BACK_SECONDS
    return not cloud.works and cloud.seconds >= CLOUD_LOST_SECONDS
