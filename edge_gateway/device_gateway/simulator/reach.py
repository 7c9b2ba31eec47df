"""Whether a simulated machine is reached: its link may be broken, and it may have been silent for too long. Pure."""

from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.device_gateway.simulator.faults import Fault

_SILENCE_SECONDS = 60.0
"""A machine that told nothing for so long (in its own seconds) counts as unavailable."""


class Reach:
    """Remembers since when a machine tells nothing."""

    def __init__(self, *, speed: float) -> None:
        """Begin with a machine that is heard; `speed`: its seconds per second of the clock."""
        self._silence_seconds = _SILENCE_SECONDS / speed
        self._silent_since: float | None = None

    def unavailable_reason(self, fault: Fault, *, now: float) -> str | None:
        """Return why it is not reached now (monotonic seconds of the clock), as a code; null when it is."""
        if fault is not Fault.SILENT:
            self._silent_since = None
        elif self._silent_since is None:
            self._silent_since = now
        if fault is Fault.OFFLINE:
            return "link_lost"
        if self._silent_since is not None and now - self._silent_since >= self._silence_seconds:
            return "silent"
        return None


def check_link(fault: Fault) -> None:
    """Raise `UnavailableError` (`link_lost`) when nothing can be sent to the machine."""
    if fault is Fault.OFFLINE:
        raise UnavailableError("link_lost", "The mower cannot be reached: its link is broken.")
