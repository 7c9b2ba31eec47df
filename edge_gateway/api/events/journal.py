"""The last changes, ready to be sent again to a reader that comes back."""

from collections import deque
from itertools import islice

import msgspec

from edge_gateway.api.events.cursors import Cursor
from edge_gateway.contracts.identifiers import new_id
from edge_gateway.contracts.views import Change


class Journal:
    """A ring of encoded changes; a new epoch makes every cursor given out before it unknown."""

    def __init__(self, kept: int) -> None:
        """Keep the last `kept` changes."""
        self._changes: deque[bytes] = deque(maxlen=kept)
        self._epoch = new_id()
        self._sequence = 0

    @property
    def cursor(self) -> str:
        """The place after the last change."""
        return str(Cursor(self._epoch, self._sequence))

    def append(self, change: Change) -> bytes:
        """Give the change its cursor, keep it and return it encoded."""
        self._sequence += 1
        encoded = msgspec.json.encode(msgspec.structs.replace(change, cursor=self.cursor))
        self._changes.append(encoded)
        return encoded

    def since(self, cursor: str) -> tuple[bytes, ...] | None:
        """Return the changes after a cursor, oldest first; null when it is not known (any more)."""
        place = Cursor.parse(cursor)
        if place is None or place.epoch != self._epoch:
            return None
        missed = self._sequence - place.sequence
        if not 0 <= missed <= len(self._changes):
            return None
        return tuple(islice(self._changes, len(self._changes) - missed, None))

    def restart(self) -> None:
        """Forget everything: what lies between the last change and now is not known."""
        self._changes.clear()
        self._epoch = new_id()
        self._sequence = 0
