"""What a Mammotion mower last told, in its own numbers: the input of the rules of this room. Missing is null."""

from datetime import datetime

import msgspec


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One report of the vendor. Everything is null until the mower told it since we listen."""

    observed_at: datetime
    mode: int | None = None
    charge_state: int | None = None
    """0: off the charger; anything else: its contact is closed."""
    battery_percent: int | None = None
    """The vendor's 0 means that it was never told."""
    breakpoint: int | None = None
    mow_percent: int | None = None
    path_hash: int | None = None
    """Of the path of the open job; 0 and 1 mean none."""
    zone_hash: int | None = None
    """Of the area where it is; also told while it only crosses one."""
    place: int | None = None
    self_check: int | None = None
    """What keeps it from starting."""
    knife_height_mm: int | None = None
    latitude: float | None = None
    """Degrees; null until its base station's place is known."""
    longitude: float | None = None
    job_zone_hashes: tuple[int, ...] = ()
    """The areas of the open job, when it told them."""
    error_codes: tuple[int, ...] = ()
    """Its log of errors, newest first: never cleared, so it says nothing about now."""
    map_hash: int | None = None
    """The checksum of its map; 0: it has none."""
