"""How long to wait before the next attempt to connect."""

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 5.0
"""The gateway is in the house: nobody counts the attempts, and its restart takes seconds."""

REJECTED_SECONDS = 60.0
"""After a refused token; the owner is asked for another, and the entry is loaded anew with it."""

SETTLED_SECONDS = 10.0
"""A connection that lasted this long worked: the next loss starts from the first delay again."""


def delay_seconds(attempt: int, jitter: float, longest_seconds: float = LONGEST_SECONDS) -> float:
    """Return the delay before an attempt (0 is the first after a loss).

    It doubles from attempt to attempt up to the longest; `jitter` (0 to 1) moves it between half and all of that,
    so that many clients of one gateway do not come back at the same moment.
    """
    whole = min(FIRST_SECONDS * 2.0 ** min(attempt, 16), longest_seconds)
    return whole * (0.5 + jitter / 2)
