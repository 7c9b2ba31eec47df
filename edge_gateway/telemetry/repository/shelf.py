"""The books of mowers between two batches of whoever holds the lease: read once, then remembered as they are stored."""

from datetime import timedelta

import msgspec

from edge_gateway.telemetry.book import Book
from edge_gateway.telemetry.repository.directory import IntervalCaps
from edge_gateway.telemetry.rows import OpenDay

_REMEMBERED = 5000


class Kept(msgspec.Struct, kw_only=True, gc=False):
    """One mower's book."""

    version: int
    """Of the mower's row in the directory: it changes with everything that others than its states change."""
    book: Book
    """Changes while a batch is judged: a batch that is not stored makes the whole shelf worthless."""
    day: OpenDay | None
    job_id: str | None
    """Of its newest job, as it is stored."""


class Shelf:
    """Remembers books. What it has counts only under the fence under which it was read."""

    def __init__(self, *, caps: IntervalCaps, blade_life: timedelta) -> None:
        """Remember none; for how long a state speaks and a blade lasts is part of what is known of a mower."""
        self.caps = caps
        self.blade_life = blade_life
        self.kept: dict[str, Kept] = {}
        self._fence: int | None = None

    def begin(self, fence: int) -> None:
        """Begin a batch under a fence: under another one others may have stored in between."""
        if fence != self._fence or len(self.kept) > _REMEMBERED:
            self.forget()
            self._fence = fence

    def has(self, mower_id: str, version: int) -> bool:
        """Tell whether a mower's book is there in this version."""
        kept = self.kept.get(mower_id)
        return kept is not None and kept.version == version

    def forget(self) -> None:
        """Forget everything: what is stored is read again."""
        self.kept.clear()
