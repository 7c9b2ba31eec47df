"""The mowers, or the schedules, of a gateway: the last view of each, who shows it, and its device."""

from collections import deque
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import repeat
from operator import attrgetter
from typing import Protocol

from homeassistant.core import callback

from .arrivals import Arrivals
from .client.turns import Turns
from .dispatch import Dispatch

type Newcomer = Callable[[str], None]
"""Is told the id of something that entities are wanted for."""


class View(Protocol):
    """Something that has an id at the gateway."""

    @property
    def id(self) -> str:
        """The id."""
        ...


class Roster[V: View]:
    """Everything of one kind."""

    def __init__(
        self,
        arrivals: Arrivals,
        *,
        parts: tuple[str, ...] = (),
        put_device: Callable[[V], None],
        remove_device: Callable[[str], None],
        described: Callable[[V], object],
    ) -> None:
        """Take what makes, updates and removes a device; `described` is what a device shows of a view.

        `parts` are the names of what one may listen to alone; without, everybody is told of every change.
        """
        self.views: dict[str, V] = {}
        self._arrivals = arrivals
        self._dispatch = Dispatch()
        self._parts = parts
        self._values = attrgetter(*parts) if parts else None
        self._put_device = put_device
        self._remove_device = remove_device
        self._described = described
        self._newcomers: list[Newcomer] = []
        self._any_listeners: list[Callable[[V], None]] = []
        self._welcomed: set[str] = set()
        self._awaited: dict[str, deque[Newcomer]] = {}
        """What is still to be made for each that is welcomed."""
        self._open = False

    @callback
    def on_new(self, newcomer: Newcomer) -> None:
        """Have a platform make its entities for each that there is and each that will come."""
        self._newcomers.append(newcomer)

    @callback
    def listen(
        self, subject_id: str, listener: Callable[[], None], parts: AbstractSet[str] | None = None
    ) -> Callable[[], None]:
        """Have a listener told when one of them came, changed or went; the answer takes it away again.

        With `parts` it is told of no other changes than theirs: with none, of none.
        """
        return self._dispatch.listen(subject_id, listener, parts)

    @callback
    def on_any(self, listener: Callable[[V], None]) -> None:
        """Have someone told of each view that comes or goes, the new one and the one before."""
        self._any_listeners.append(listener)

    @callback
    def put(self, view: V) -> None:
        """Take the view of one, new or known, and tell those who show it."""
        known = self.views.get(view.id)
        self.views[view.id] = view
        if view.id not in self._welcomed:
            self._welcome(view)
        elif known is None:
            self._put_device(view)
            self._make(view.id)
        elif self._described(view) != self._described(known):
            self._put_device(view)
        if known is None or self._values is None:
            self._dispatch.tell(view.id)
        else:
            self._dispatch.tell_parts(view.id, self._changed(self._values(known), self._values(view)))
        self._tell_any(known, view)

    @callback
    def remove(self, subject_id: str) -> None:
        """Take one away, and with its device its entities."""
        known = self.views.pop(subject_id, None)
        self._welcomed.discard(subject_id)
        self._awaited.pop(subject_id, None)
        self._remove_device(subject_id)
        self._tell_any(known)

    def missing(self) -> frozenset[str]:
        """Return the ids of those that have entities and no view."""
        return frozenset(self._welcomed - self.views.keys())

    async def replace(self, views: Iterable[V]) -> None:
        """Take the views of all; what is missing shows itself as unavailable until it is removed."""
        fresh = {view.id: view for view in views}
        for subject_id in self.views.keys() - fresh.keys():
            known = self.views.pop(subject_id)
            self._dispatch.tell(subject_id)
            self._tell_any(known)
        turns = Turns()
        for view in fresh.values():
            self.put(view)
            await turns.give()

    async def open(self) -> None:
        """Let the platforms make entities from now on, and wait for those that are to be made now."""
        self._open = True
        turns = Turns()
        for view in tuple(self.views.values()):
            # Meanwhile another may have come, or this one left.
            if view.id in self.views and view.id not in self._welcomed:
                self._welcome(view)
            await turns.give()
        await self._arrivals.settled()

    async def tell_all(self) -> None:
        """Have everybody look again."""
        await self._dispatch.tell_all()

    def _changed(self, before: Iterable[object], now: Iterable[object]) -> list[str]:
        """Return the names of the parts that are not as they were."""
        return [part for part, one, other in zip(self._parts, before, now, strict=True) if one != other]

    def _tell_any(self, *views: V | None) -> None:
        for view in views:
            if view is not None:
                for listener in self._any_listeners:
                    listener(view)

    def _welcome(self, view: V) -> None:
        if not self._open:
            return
        self._welcomed.add(view.id)
        self._awaited[view.id] = deque((self._put_its_device, *self._newcomers))
        self._make(view.id)

    def _make(self, subject_id: str) -> None:
        """Have made what one still awaits."""
        pieces = len(self._awaited.get(subject_id, ()))
        self._arrivals.add(*repeat(partial(self._make_next, subject_id), pieces))

    def _make_next(self, subject_id: str) -> None:
        """Make the next piece, unless the one that awaits it has left meanwhile: then it is made when it is back."""
        awaited = self._awaited.get(subject_id)
        if awaited and subject_id in self.views:
            awaited.popleft()(subject_id)

    def _put_its_device(self, subject_id: str) -> None:
        self._put_device(self.views[subject_id])
