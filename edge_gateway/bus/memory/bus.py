"""`MemoryBus`: the event bus of one process without a server."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import override

import msgspec

from edge_gateway.bus.batch_worker import BatchWorker
from edge_gateway.bus.events import encode_event
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.memory.consumer import MemorySource
from edge_gateway.bus.memory.leases import MemoryLease
from edge_gateway.bus.memory.requests import MemoryReply, ask
from edge_gateway.bus.memory.server import MemoryServer
from edge_gateway.bus.orders_worker import OrdersWorker
from edge_gateway.bus.protocol import BatchHandler, EventBus, Handler, Lease, OrderHandler, Subscription
from edge_gateway.bus.questions import bus_unavailable
from edge_gateway.bus.routing import check_subscription, stream_to_publish
from edge_gateway.bus.single_worker import LiveWorker, SingleWorker
from edge_gateway.bus.subscriptions import Subscriptions
from edge_gateway.bus.worker import Worker
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.routes import Route


class MemoryBus(EventBus):
    """A client of a memory server; several buses on one server behave like replicas."""

    def __init__(self, clock: Clock, *, server: MemoryServer | None = None, limits: BusLimits | None = None) -> None:
        """Connect to a server, or to one of its own."""
        self._server = server or MemoryServer(clock)
        self._limits = limits or BusLimits()
        self._subscriptions = Subscriptions()
        self._leases: list[MemoryLease] = []
        self._closed = False

    @override
    async def publish(self, subject: str, envelope: Envelope) -> None:
        stream_to_publish(subject)
        self._check_open()
        data = encode_event(envelope)
        await asyncio.sleep(0)
        self._server.stream(subject).publish(subject, envelope.id, data)

    @override
    async def subscribe(
        self,
        subject: str,
        handler: Handler,
        *,
        durable: str | None = None,
        queue: str | None = None,
        acknowledge: bool = True,
    ) -> Subscription:
        check_subscription(durable=durable, queue=queue, acknowledge=acknowledge)
        source = self._source(subject, durable, shared=queue is not None, acknowledge=acknowledge)
        consumer = durable or f"live {subject}"
        if not acknowledge:
            return await self._start(LiveWorker(source, handler, consumer=consumer, limits=self._limits))
        return await self._start(
            SingleWorker(source, handler, consumer=consumer, limits=self._limits, exclusive=queue is None)
        )

    @override
    async def subscribe_orders(self, subject: str, handler: OrderHandler, *, durable: str) -> Subscription:
        check_subscription(durable=durable, queue=None, acknowledge=True)
        source = self._source(subject, durable)
        return await self._start(OrdersWorker(source, handler, consumer=durable, limits=self._limits))

    @override
    async def subscribe_batch(
        self, subject: str, handler: BatchHandler, *, durable: str, max_batch: int, max_wait_seconds: float
    ) -> Subscription:
        check_subscription(durable=durable, queue=None, acknowledge=True)
        return await self._start(
            BatchWorker(
                self._source(subject, durable),
                handler,
                consumer=durable,
                limits=self._limits,
                max_batch=max_batch,
                max_wait_seconds=max_wait_seconds,
            )
        )

    @override
    async def divide_states(self, partitions: int, *, undivided: str) -> None:
        self._check_open()
        self._server.divide_states(partitions, undivided=undivided)

    @override
    async def last(self, subject: str) -> Envelope | None:
        self._check_open()
        stored = self._server.stream(subject).last(subject)
        return None if stored is None else msgspec.json.decode(stored.data, type=Envelope)

    @override
    async def request[Q: msgspec.Struct, A: msgspec.Struct](
        self, route: Route[Q, A], question: Q, *, timeout_seconds: float = 5.0
    ) -> A:
        self._check_open()
        return await ask(self._server, route, question, timeout_seconds=timeout_seconds)

    @override
    async def reply[Q: msgspec.Struct, A: msgspec.Struct](
        self, route: Route[Q, A], handler: Callable[[Q], Awaitable[A]]
    ) -> Subscription:
        self._check_open()
        return self._subscriptions.add(
            MemoryReply(self._server, route, handler, drain_seconds=self._limits.drain_seconds)
        )

    @override
    async def acquire_lease(self, name: str, *, holder: str) -> Lease | None:
        self._check_open()
        holding = self._server.leases.acquire(name, holder, self._limits.lease_seconds)
        if holding is None:
            return None
        lease = MemoryLease(self._server.leases, name, holding, self._limits)
        self._leases.append(lease)
        return lease

    @override
    async def why_not_ready(self) -> str | None:
        return "The bus was closed." if self._closed else None

    @override
    async def ready(self) -> bool:
        return not self._closed

    @override
    async def close(self) -> None:
        await self._subscriptions.end()
        for lease in self._leases:
            await lease.release()
        self._closed = True

    def _source(
        self, subject: str, durable: str | None, *, shared: bool = False, acknowledge: bool = True
    ) -> MemorySource:
        self._check_open()
        consumer = self._server.consumer(
            subject, durable, acknowledge_wait_seconds=self._limits.acknowledge_wait_seconds
        )
        return MemorySource(consumer, own=durable is None, shared=shared, acknowledge=acknowledge)

    async def _start(self, worker: Worker) -> Subscription:
        await worker.start()
        return self._subscriptions.add(worker)

    def _check_open(self) -> None:
        if self._closed:
            what = "it was closed"
            raise bus_unavailable(what)
