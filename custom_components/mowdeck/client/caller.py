"""For whom the client speaks."""

from dataclasses import dataclass
from enum import StrEnum

OWNER = "user:owner"
"""The principal that a fresh gateway knows; it may do everything."""


class Origin(StrEnum):
    """From where an order came."""

    DASHBOARD = "dashboard"
    VOICE = "voice"
    AUTOMATION = "automation"
    HOMEKIT = "homekit"
    CALENDAR = "calendar"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class Caller:
    """A principal and from where it acts."""

    principal: str = OWNER
    origin: Origin = Origin.UNKNOWN


SELF = Caller()
"""The integration itself: reading, and what nobody in particular asked for."""
