"""For whom the client speaks."""

from dataclasses import dataclass
from enum import StrEnum

OWNER = "user:owner"
"""The principal that the gateway itself knows; it may do everything, and so may whoever has the token."""


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
    """Who acts and from where."""

    person: str | None = None
    """A user's id; None is nobody in particular, for whom the owner of the house acts."""
    origin: Origin = Origin.UNKNOWN


SELF = Caller(person="")
"""The program itself: reading, and what no person asked for."""


class People:
    """Whom the gateway knows: until a house makes itself known, nobody but its own owner."""

    owner: str | None = None
    """The user to whom the house belongs; None while the gateway knows nobody of it."""

    def principal_of(self, caller: Caller) -> str:
        """Return as whom a caller appears at the gateway."""
        if caller == SELF or self.owner is None:
            return OWNER
        return f"user:{caller.person or self.owner}"

    async def introduce(self) -> bool:
        """Make the house known, as somebody of it is not; tells whether that was done."""
        return False
