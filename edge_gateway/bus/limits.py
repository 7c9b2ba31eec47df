"""Times and sizes of the bus: the same for JetStream and the in-memory twin."""

from datetime import timedelta

import msgspec

MAXIMUM_EVENT_BYTES = 1024 * 1024 - 4096
"""An encoded event is never larger: a NATS server takes 1 MiB a message unless it is told otherwise."""

PAGE_BYTES = 512 * 1024
"""An answer over this size travels in pages (design, Bus)."""

DUPLICATE_WINDOW = timedelta(minutes=2)
"""The same id again within this time (or the stream's max_age, if shorter) is dropped by the stream."""


class BusLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How long the bus waits for what."""

    publish_seconds: float = 5.0
    """A publisher waits this long for the stream's answer."""
    acknowledge_wait_seconds: float = 30.0
    """The server redelivers what nobody settled or reported as being worked on for this long."""
    idle_wait_seconds: float = 10.0
    """How long one pull waits for a first message."""
    redeliver_for_seconds: float = 600.0
    """A message whose own outcome stays `redeliver` this long is dropped (design, Bus)."""
    first_back_off_seconds: float = 0.25
    longest_back_off_seconds: float = 5.0
    progress_back_off_seconds: float = 1.0
    """The longest back-off after a batch of which a part was acknowledged."""
    drain_seconds: float = 5.0
    """Unsubscribing lets handlers finish what was received for this long."""
    lease_seconds: float = 10.0
    """The time to live of a lease at the server."""
    lease_margin_seconds: float = 1.0
    """A lease that could not be renewed is given up this long before its time to live is over at the server."""

    def back_off_seconds(self, failures: int, *, progress: bool) -> float:
        """Return the pause after the `failures`-th (from 1) batch in a row of which something is redelivered."""
        doubled: float = self.first_back_off_seconds * 2 ** min(failures - 1, 16)
        longest = self.longest_back_off_seconds
        return min(doubled, min(longest, self.progress_back_off_seconds) if progress else longest)
