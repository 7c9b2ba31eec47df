"""The deadline that every question carries, as a budget and the moment it was sent. Pure but for `HostClock.of_here`.

The moment is of the host's monotonic clock and names that clock: on one host it tells how long a question travelled,
whatever its wall clocks say; on another host only the budget counts, from the arrival on.
"""

import time
import uuid
from collections.abc import Mapping
from pathlib import Path

import msgspec

BUDGET_HEADER = "MowDeck-Budget-Milliseconds"
SENT_AT_HEADER = "MowDeck-Sent-At"

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class HostClock(msgspec.Struct, frozen=True):
    """Which monotonic clock it is: the same for all processes since the machine was booted."""

    id: str

    @classmethod
    def of_here(cls) -> HostClock:
        """Return this host's clock; where the system does not name it, one of this process alone."""
        try:
            return cls(_BOOT_ID.read_text(encoding="ascii").strip())
        except OSError:
            return cls(str(uuid.uuid4()))

    def now(self) -> float:
        """Return the monotonic seconds."""
        return time.monotonic()


def stamp(timeout_seconds: float, *, clock_id: str, now: float) -> dict[str, str]:
    """Return the headers of a question that is sent now (monotonic seconds)."""
    return {BUDGET_HEADER: str(round(timeout_seconds * 1000)), SENT_AT_HEADER: f"{clock_id} {now:.6f}"}


def deadline(headers: Mapping[str, str] | None, *, clock_id: str, arrived_at: float) -> float | None:
    """Return until when (monotonic seconds of the clock here) an answer is awaited; null when the headers do not say.

    A question whose headers cannot be read has none: whoever sent it gives up on its own.
    """
    budget = _number((headers or {}).get(BUDGET_HEADER, ""))
    if budget is None:
        return None
    sender_clock, _, moment = (headers or {}).get(SENT_AT_HEADER, "").partition(" ")
    sent_at = _number(moment) if sender_clock == clock_id else None
    return (arrived_at if sent_at is None else min(sent_at, arrived_at)) + budget / 1000


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
