"""Remembers what was already acted upon."""

from collections import OrderedDict

REMEMBERED = 2000
"""Far more than a gateway sends again after a connection broke."""


class Seen:
    """The ids of the last events."""

    def __init__(self, remembered: int = REMEMBERED) -> None:
        """Remember so many."""
        self._remembered = remembered
        self._ids: OrderedDict[str, None] = OrderedDict()

    def first_time(self, event_id: str) -> bool:
        """Tell whether an id is new, and remember it."""
        if event_id in self._ids:
            return False
        self._ids[event_id] = None
        if len(self._ids) > self._remembered:
            self._ids.popitem(last=False)
        return True
