"""What streams did not take although their server was there: it has no room, or cannot write."""

import time
from collections.abc import Callable

_COUNTS_SECONDS = 60.0
"""So long after the last refusal it is not known any more; whoever publishes finds out."""


class Refusals:
    """Remembers by stream when it refused last; one that took something since refuses no more."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Know of none."""
        self._monotonic = monotonic
        self._refused_at: dict[str, float] = {}

    def refused(self, stream: str) -> None:
        """Note that a stream did not take an event."""
        self._refused_at[stream] = self._monotonic()

    def taken(self, stream: str) -> None:
        """Note that a stream took an event."""
        self._refused_at.pop(stream, None)

    @property
    def reason(self) -> str | None:
        """Why nothing is stored, and what to do about it; null when everything is."""
        since = self._monotonic() - _COUNTS_SECONDS
        streams = sorted(stream for stream, at in self._refused_at.items() if at > since)
        if not streams:
            return None
        return (
            f"The bus does not store what is published ({', '.join(streams)}): the disk of its NATS server is probably"
            " full. Make room on the disk that holds the data folder; the server then goes on by itself."
        )
