"""The mowers, or the schedules, of a gateway: the last view of each, who shows it, and its device."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Protocol

from homeassistant.core import callback

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
        *,
        put_device: Callable[[V], None],
        remove_device: Callable[[str], None],
        described: Callable[[V], object],
    ) -> None:
        """Take what makes, updates and removes a device; `described` is the part of a view that a device shows."""
        self.views: dict[str, V] = {}
        self._dispatch = Dispatch()
        self._presence = Dispatch()
        """Those who only want to know whether it is there: a mower reports every second."""
        self._put_device = put_device
        self._remove_device = remove_device
        self._described = described
        self._newcomers: list[Newcomer] = []
        self._any_listeners: list[Callable[[V], None]] = []
        self._welcomed: set[str] = set()
        self._open = False

    @callback
    def on_new(self, newcomer: Newcomer) -> None:
        """Have a platform make its entities for each that there is and each that will come."""
        self._newcomers.append(newcomer)

    @callback
    def listen(self, subject_id: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Have a listener told when one of them changed; the answer takes it away again."""
        return self._dispatch.listen(subject_id, listener)

    @callback
    def listen_presence(self, subject_id: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Have a listener told when one of them came or went, not how it is; the answer takes it away again."""
        return self._presence.listen(subject_id, listener)

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
        elif known is None or self._described(view) != self._described(known):
            self._put_device(view)
        self._dispatch.tell(view.id)
        if known is None:
            self._presence.tell(view.id)
        self._tell_any(known, view)

    @callback
    def remove(self, subject_id: str) -> None:
        """Take one away, and with its device its entities."""
        known = self.views.pop(subject_id, None)
        self._welcomed.discard(subject_id)
        self._remove_device(subject_id)
        self._tell_any(known)

    @callback
    def is_welcomed(self, subject_id: str) -> bool:
        """Tell whether one has its device and entities."""
        return subject_id in self._welcomed

    def missing(self) -> frozenset[str]:
        """Return the ids of those that have entities and no view."""
        return frozenset(self._welcomed - self.views.keys())

    async def replace(self, views: Iterable[V]) -> None:
        """Take the views of all; what is missing shows itself as unavailable until it is removed."""
        fresh = {view.id: view for view in views}
        for subject_id in self.views.keys() - fresh.keys():
            known = self.views.pop(subject_id)
            self._dispatch.tell(subject_id)
            self._presence.tell(subject_id)
            self._tell_any(known)
        for view in fresh.values():
            self.put(view)
            await asyncio.sleep(0)

    async def open(self) -> None:
        """Let the platforms make entities from now on, one mower or schedule after the other with a pause between."""
        self._open = True
        for view in tuple(self.views.values()):
            if view.id in self.views and view.id not in self._welcomed:
                self._welcome(self.views[view.id])
            await asyncio.sleep(0)

    async def tell_all(self) -> None:
        """Have everybody look again."""
        await self._dispatch.tell_all()
        await self._presence.tell_all()

    def _tell_any(self, *views: V | None) -> None:
        for view in views:
            if view is not None:
                for listener in self._any_listeners:
                    listener(view)

    def _welcome(self, view: V) -> None:
        if not self._open:
            return
        self._welcomed.add(view.id)
        self._put_device(view)
        for newcomer in self._newcomers:
            newcomer(view.id)
