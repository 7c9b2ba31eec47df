"""Lets a life of the gateway end at any step, as a kill does: nothing it would do afterwards is done."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Literal, cast, override

from edge_gateway.bus.protocol import Acknowledge, EventBus, OrderHandler, Subscription
from edge_gateway.contracts.commands import CommandOutcome
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.device_gateway.repository import Repository

type When = Literal["before", "after"]


class Fate:
    """Counts the steps of a life and ends it at one of them."""

    def __init__(self, *, dies_at: str | None = None, when: When = "before") -> None:
        """Live for ever, or until the step of this name is about to be done for the first time, or has been."""
        self.steps: list[str] = []
        """What was begun, in order."""
        self.done: list[str] = []
        self.died = asyncio.Event()
        self.published: list[Envelope] = []
        """What this life told the bus."""
        self.bus_away = False
        """Every call of this life to the bus fails."""
        self.database_away = False
        """Every call of this life to the database fails."""
        self.counting = False
        """Steps before the order arrives are not counted."""
        self._dies_at = dies_at
        self._when = when

    async def step[T](self, name: str, operation: Callable[[], Awaitable[T]]) -> T:
        """Do it unless this life is over."""
        if self.died.is_set():
            raise asyncio.CancelledError
        if not self.counting:
            return await operation()
        self.steps.append(name)
        if name == self._dies_at and self._when == "before":
            self._die()
        result = await operation()
        if name == self._dies_at:
            self._die()
        self.done.append(name)
        return result

    def _die(self) -> None:
        self.died.set()
        raise asyncio.CancelledError


class _Fated:
    """Passes every call on to what it stands for, as a step."""

    def __init__(self, target: object, fate: Fate) -> None:
        self._target = target
        self._fate = fate

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the target has
        attribute = getattr(self._target, name)
        if not inspect.iscoroutinefunction(attribute):
            return attribute

        async def call(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # whatever the target takes
            result = await self._fate.step(_name(name, args), lambda: attribute(*args, **kwargs))
            if name == "publish":
                self._fate.published.append(args[1])
            return result

        return call


class _FatedBus(_Fated):
    @override
    def __getattr__(self, name: str) -> Any:
        if self._fate.bus_away:
            raise UnavailableError("bus_unavailable", "The bus is away.")
        return super().__getattr__(name)

    async def subscribe_orders(self, subject: str, handler: OrderHandler, *, durable: str) -> Subscription:
        async def fated(envelope: Envelope, acknowledge: Acknowledge) -> None:
            await handler(envelope, lambda: self._fate.step("acknowledge", acknowledge))

        bus: Any = self._target
        subscription: Subscription = await bus.subscribe_orders(subject, fated, durable=durable)
        return subscription


class _FatedRepository(_Fated):
    @override
    def __getattr__(self, name: str) -> Any:
        if self._fate.database_away:
            raise UnavailableError("database_unavailable", "The database is away.")
        return super().__getattr__(name)


def fated_bus(bus: EventBus, fate: Fate) -> EventBus:
    """Return a bus whose calls are steps of this life."""
    return cast("EventBus", _FatedBus(bus, fate))


def fated_repository(repository: Repository, fate: Fate) -> Repository:
    """Return a repository whose calls are steps of this life."""
    return cast("Repository", _FatedRepository(repository, fate))


def _name(method: str, args: tuple[Any, ...]) -> str:
    if method == "publish" and ".command." in args[0]:
        return f"publish {args[1].decode(CommandOutcome).status}"
    return f"{method} {args[0].split('.')[0]}" if method == "publish" else method
