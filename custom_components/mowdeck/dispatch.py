"""Tells entities that what they show may have changed: a listener list of its own for each mower and each schedule.

One list for all would wake every entity of the house for each report of one mower.
"""

import asyncio
from collections.abc import Callable

from homeassistant.core import CALLBACK_TYPE, callback

AT_ONCE = 40
"""How many listeners are told before the event loop gets its turn: those of one mower, or of a few schedules."""


class Dispatch:
    """Listeners by the id of what they listen to."""

    def __init__(self) -> None:
        """Start with nobody."""
        self._listeners: dict[str, list[CALLBACK_TYPE]] = {}

    @callback
    def listen(self, subject_id: str, listener: CALLBACK_TYPE) -> Callable[[], None]:
        """Add a listener of one thing; the answer takes it away again."""
        listeners = self._listeners.setdefault(subject_id, [])
        listeners.append(listener)

        @callback
        def stop() -> None:
            listeners.remove(listener)
            if not listeners and self._listeners.get(subject_id) is listeners:
                del self._listeners[subject_id]

        return stop

    @callback
    def tell(self, subject_id: str) -> None:
        """Tell the listeners of one thing."""
        for listener in tuple(self._listeners.get(subject_id, ())):
            listener()

    async def tell_all(self) -> None:
        """Tell everybody, with pauses in which other work gets its turn."""
        told = 0
        for subject_id in tuple(self._listeners):
            told += len(self._listeners.get(subject_id, ()))
            self.tell(subject_id)
            if told >= AT_ONCE:
                told = 0
                await asyncio.sleep(0)
