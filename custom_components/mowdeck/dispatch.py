"""Tells entities that what they show may have changed: a listener list of its own for each mower and each schedule.

One list for all would wake every entity of the house for each report of one mower.
"""

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from homeassistant.core import CALLBACK_TYPE, callback

from .client.turns import Turns


class Dispatch:
    """Listeners by the id of what they listen to, and by the parts of it that they want to know of."""

    def __init__(self) -> None:
        """Start with nobody."""
        self._listeners: dict[str, list[CALLBACK_TYPE]] = {}
        self._listeners_of_parts: dict[tuple[str, str | None], list[CALLBACK_TYPE]] = {}
        """By the id and the part; None stands for every part."""

    @callback
    def listen(
        self, subject_id: str, listener: CALLBACK_TYPE, parts: AbstractSet[str] | None = None
    ) -> Callable[[], None]:
        """Add a listener of one thing, or only of some parts of it; the answer takes it away again."""
        keys = [(subject_id, part) for part in ((None,) if parts is None else parts)]
        _add(self._listeners, subject_id, listener)
        for key in keys:
            _add(self._listeners_of_parts, key, listener)

        @callback
        def stop() -> None:
            _remove(self._listeners, subject_id, listener)
            for key in keys:
                _remove(self._listeners_of_parts, key, listener)

        return stop

    @callback
    def tell(self, subject_id: str) -> None:
        """Tell the listeners of one thing."""
        for listener in tuple(self._listeners.get(subject_id, ())):
            listener()

    @callback
    def tell_parts(self, subject_id: str, changed: Iterable[str]) -> None:
        """Tell the listeners of the parts that changed, each once, and those of every part."""
        found: dict[CALLBACK_TYPE, None] = {}
        for part in (None, *changed):
            found |= dict.fromkeys(self._listeners_of_parts.get((subject_id, part), ()))
        for listener in found:
            listener()

    async def tell_all(self) -> None:
        """Tell everybody, with turns for other work between."""
        turns = Turns()
        for subject_id in tuple(self._listeners):
            self.tell(subject_id)
            await turns.give()


def _add[K](listeners: dict[K, list[CALLBACK_TYPE]], key: K, listener: CALLBACK_TYPE) -> None:
    listeners.setdefault(key, []).append(listener)


def _remove[K](listeners: dict[K, list[CALLBACK_TYPE]], key: K, listener: CALLBACK_TYPE) -> None:
    listeners[key].remove(listener)
    if not listeners[key]:
        del listeners[key]
