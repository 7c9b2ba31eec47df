"""The standing subscriptions of one bus, so that closing it ends them all."""

import asyncio
from typing import override

from edge_gateway.bus.protocol import Subscription


class Subscriptions:
    """Remembers what was subscribed until it is unsubscribed."""

    def __init__(self) -> None:
        """Start with none."""
        self._standing: set[Subscription] = set()

    def add(self, subscription: Subscription) -> Subscription:
        """Remember a subscription; return it as its owner is to have it."""
        remembered = _Remembered(subscription, self._standing)
        self._standing.add(remembered)
        return remembered

    async def end(self) -> None:
        """Unsubscribe all, side by side."""
        await asyncio.gather(*(subscription.unsubscribe() for subscription in tuple(self._standing)))


class _Remembered(Subscription):
    """Forgotten when it is unsubscribed; unsubscribing twice does nothing."""

    def __init__(self, subscription: Subscription, standing: set[Subscription]) -> None:
        self._subscription = subscription
        self._standing = standing

    @override
    async def unsubscribe(self) -> None:
        if self in self._standing:
            self._standing.discard(self)
            await self._subscription.unsubscribe()
