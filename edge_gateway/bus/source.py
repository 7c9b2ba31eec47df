"""What a worker asks of a consumer: pull, settle, take over. JetStream and the in-memory twin each have one."""

from collections.abc import Sequence
from typing import Protocol

import msgspec


class Received(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One message as it was delivered."""

    subject: str
    data: bytes
    sequence: int
    """Its place in the stream: tells messages of one consumer apart, never used to deduplicate."""
    redelivered: bool
    pending: int
    """How many more messages the consumer had when this one was delivered."""
    token: str = ""
    """What the consumer needs to settle it."""


class Source(Protocol):
    """The consumer behind one subscription; a worker owns it, and at most one pull of it runs at a time.

    Every method raises `UnavailableError` when the server cannot be reached or does not answer.
    """

    @property
    def stale(self) -> bool:
        """Whether deliveries may have been lost on the way (connection renewed, a gap): take over before a pull."""
        ...

    async def take_over(self) -> None:
        """Begin to receive; a consumer of one worker delivers again, in order, everything after its floor."""
        ...

    async def pull(self, limit: int, *, wait_seconds: float, until_full: bool = False) -> Sequence[Received]:
        """Return up to `limit` messages.

        Returns as soon as there is one (`until_full`: as soon as there are `limit`), and when `wait_seconds` are
        over with what there is, perhaps nothing. Returns at once after `stop`. Cancelling it loses nothing.
        """
        ...

    async def acknowledge(self, message: Received) -> None:
        """Settle it: done."""
        ...

    async def acknowledge_and_wait(self, message: Received) -> None:
        """Settle it and return when the server knows."""
        ...

    async def redeliver(self, message: Received) -> None:
        """Give it back: it comes again before anything newer (a plain nak, never delayed)."""
        ...

    async def drop(self, message: Received) -> None:
        """Settle it: never again."""
        ...

    async def settled(self, *, overdue: bool = False) -> None:
        """Return when the server has processed what was settled so far.

        `overdue`: the server may have lost patience with some of it before, and delivers that by itself, in another
        order. Then what is not settled comes from the floor on, in order (a consumer of one worker only).

        It handles settlements and pulls side by side: without this a pull may bring newer messages before what was
        given back (seen on 2.15).
        """
        ...

    async def working(self, message: Received) -> None:
        """Report that it is still being worked on."""
        ...

    async def stop(self) -> Sequence[Received]:
        """End deliveries; return what had arrived and was not pulled."""
        ...

    async def close(self) -> None:
        """Let go of what the consumer holds at the server for this worker alone."""
        ...
