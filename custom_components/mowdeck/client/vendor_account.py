"""A login at a maker's cloud, and how much of the cloud it uses."""

from dataclasses import dataclass
from typing import Self

from .reading import Reading


@dataclass(frozen=True, kw_only=True)
class VendorUsage:
    """The requests of one login within the window."""

    window_seconds: int
    requests: int
    """All requests to the maker's cloud."""
    used: int
    """Messages to mowers: what the maker's limit counts."""
    limit: int | None
    """Messages within the window; None when the maker has no limit."""
    backing_off: bool
    """Whether requests are held back."""
    reason: str | None
    """Why: a code."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            window_seconds=reading.integer("window_seconds"),
            requests=reading.integer("requests"),
            used=reading.integer("used"),
            limit=reading.integer_or_none("limit"),
            backing_off=bool(reading.flag_or_none("backing_off")),
            reason=reading.text_or_none("reason"),
        )


@dataclass(frozen=True, kw_only=True)
class VendorAccount:
    """One login."""

    id: str
    provider: str
    username: str
    status: str
    """`starting`, `connected`, `unreachable` or `rejected`."""
    detail: str | None
    """The gateway's own sentence when it is not connected."""
    usage: VendorUsage | None
    """None when another gateway runs the login, or none."""

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            provider=reading.text("provider"),
            username=reading.text("username"),
            status=reading.text("status"),
            detail=reading.text_or_none("detail"),
            usage=reading.object_or_none("usage", VendorUsage.read),
        )

    @property
    def rejected(self) -> bool:
        """Whether the maker takes the login no more: only the owner can log in again."""
        return self.status == "rejected"
