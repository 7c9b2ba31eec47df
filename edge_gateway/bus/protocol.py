"""What every room may ask of the bus; JetStream and the in-memory twin keep the same contract (design, Bus)."""

from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Protocol

import msgspec

from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.routes import Route


class Verdict(StrEnum):
    """What becomes of one message of a batch."""

    ACK = "ack"
    """Done."""
    REDELIVER = "redeliver"
    """Not now: it comes again, and with it the later ones of the same subject."""
    DROP = "drop"
    """Never: logged and counted."""


class Delivery(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One message of a batch."""

    subject: str
    envelope: Envelope
    redelivered: bool
    """It was delivered before."""


type Handler = Callable[[Envelope], Awaitable[None]]
"""Handles one event; raising redelivers it (with acknowledge=False: is logged and counted)."""

type BatchHandler = Callable[[Sequence[Delivery]], Awaitable[Sequence[Verdict]]]
"""Handles a batch and answers one verdict per message, in order; raising redelivers the whole batch."""

type OrderHandler = Callable[[Envelope, Acknowledge], Awaitable[None]]
"""Handles one event and acknowledges it itself."""

type Acknowledge = Callable[[], Awaitable[None]]
"""Tells the server that a message is done and waits until it knows (ack_sync).

Raises `UnavailableError` when the server does not say so: whether it knows is then unknown, so do not act; the message
comes again or not. Within one process an acknowledged message never comes again. A server that is killed right after
may forget the acknowledgement, so a process that starts anew asks its own records before it acts.
"""


class Subscription(Protocol):
    """A standing subscription or reply."""

    async def unsubscribe(self) -> None:
        """Stop deliveries, handle and settle what was received within the drain time-out; the rest is redelivered."""
        ...


class Lease(Protocol):
    """The right to be the only one who does something."""

    @property
    def held(self) -> bool:
        """Whether it is ours now (a lease that could not be renewed in time is not)."""
        ...

    @property
    def fence(self) -> int:
        """The fencing number: rises with each new holder and each restart of a holder."""
        ...

    async def lost(self) -> None:
        """Return when the lease is no longer ours."""
        ...

    async def release(self) -> None:
        """Give it back; never raises: one that cannot be given back now runs out by itself."""
        ...


class EventBus(Protocol):
    """Publish, subscribe, ask and answer."""

    async def publish(self, subject: str, envelope: Envelope) -> None:
        """Publish an event and wait until the stream has it; the same id again is dropped by the stream.

        Raises `UnavailableError` (`bus_unavailable`) when the server cannot be reached or does not take it.
        """
        ...

    async def subscribe(
        self,
        subject: str,
        handler: Handler,
        *,
        durable: str | None = None,
        queue: str | None = None,
        acknowledge: bool = True,
    ) -> Subscription:
        """Handle events one at a time, in order.

        `durable` continues where it stopped. `queue` shares the work among replicas (needs durable).
        `acknowledge=False` is for live views: nothing is redelivered; refused together with durable or queue.
        Subjects of the stream DEVICE start with the last event per subject; others start at new events.
        """
        ...

    async def subscribe_orders(self, subject: str, handler: OrderHandler, *, durable: str) -> Subscription:
        """Handle events one at a time with a handler that acknowledges by itself, before it acts.

        For a mower's actor: what is not acknowledged when the handler returns or raises is redelivered.
        """
        ...

    async def subscribe_batch(
        self, subject: str, handler: BatchHandler, *, durable: str, max_batch: int, max_wait_seconds: float
    ) -> Subscription:
        """Handle events in batches (design, Bus): order kept, batches never overlap, settled after the handler."""
        ...

    async def divide_states(self, partitions: int, *, undivided: str) -> None:
        """Let the states of all mowers be had in parts, too, as `subjects.partition_subject` says; 1 undoes it.

        A mower's states are in one part, in order. `undivided` is the durable that takes them in when they are not
        divided: it goes when they are. The number may be changed only when all states are taken in: raises
        `ConfigurationError` (`partitions_in_use`) before that.
        """
        ...

    async def last(self, subject: str) -> Envelope | None:
        """Return the newest event of a subject that a stream keeps; null when there is none."""
        ...

    async def request[Q: msgspec.Struct, A: msgspec.Struct](
        self, route: Route[Q, A], question: Q, *, timeout_seconds: float = 5.0
    ) -> A:
        """Ask; the question carries its deadline.

        Raises the answering side's own error, `UnavailableError` (`no_responder`) when nobody serves the route,
        `DeadlineError` (`no_answer`) when the time is over.
        """
        ...

    async def reply[Q: msgspec.Struct, A: msgspec.Struct](
        self, route: Route[Q, A], handler: Callable[[Q], Awaitable[A]]
    ) -> Subscription:
        """Answer a route in the service's queue group.

        A `MowDeckError` that the handler raises is answered as it is, any other error as `internal` (and logged);
        a question that does not decode is answered as `invalid` with its field; one past its deadline is dropped.
        """
        ...

    async def acquire_lease(self, name: str, *, holder: str) -> Lease | None:
        """Take a lease (TTL 10 s, renewed in the background); null while another holder has it.

        The same holder takes its own lease at once, with a higher fence (restart).
        """
        ...

    async def why_not_ready(self) -> str | None:
        """Return why the bus cannot be used now, and what to do about it; null when it can.

        A server that is there and stores nothing (its disk is full) cannot be used.
        """
        ...

    async def ready(self) -> bool:
        """Tell whether the bus can be used now."""
        ...

    async def close(self) -> None:
        """Drain and disconnect."""
        ...
