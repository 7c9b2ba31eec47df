"""How much of a vendor's cloud a login uses: shown to the owner, because accounts were banned for too much."""

import msgspec


class VendorUsage(msgspec.Struct, frozen=True, kw_only=True):
    """The requests of one login within the window, and whether more are held back."""

    window_seconds: int
    requests: int
    """All requests to the vendor's cloud."""
    used: int
    """Messages to mowers: what the vendor's limit counts."""
    limit: int | None = None
    """Messages within the window; null when the vendor has no limit for these mowers."""
    backing_off: bool = False
    reason: str | None = None
    """Why requests are held back: `rate_limited`, `vendor_failed`, `account_rejected`."""
    retry_in_seconds: int | None = None
    """When they are made again; null when they are not held back, or until the owner logs in."""
