"""Quiet hours of a site: when its mowers stay at home."""

from typing import Literal

import msgspec


class QuietTime(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A time of the day: of the clock on the wall, or of the sun."""

    at: str
    """Wall time `HH:MM` in the site's zone; of a time of the sun: what counts where there is none that day."""
    sun: Literal["sunset", "sunrise"] | None = None
    """Null is the fixed time. It needs the site's coordinates; without them the fixed time counts."""
    offset_minutes: int = 0
    """From -180 to 180: so long after the sun's time, before it when negative."""


class QuietHours(msgspec.Struct, frozen=True, kw_only=True):
    """From the beginning on every local date to the next end after it; the end itself is not quiet any more."""

    begin: QuietTime
    end: QuietTime
