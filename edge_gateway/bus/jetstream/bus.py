"""`JetStreamBus`: the event bus on a NATS server."""

from collections.abc import Awaitable, Callable
from typing import Self, override

import msgspec
from nats.js.errors import NotFoundError

from edge_gateway.bus.batch_worker import BatchWorker
from edge_gateway.bus.jetstream.answering import Answering
from edge_gateway.bus.jetstream.asking import Asking
from edge_gateway.bus.jetstream.connection import Connection
from edge_gateway.bus.jetstream.durable import DurableSource, durable_definition
from edge_gateway.bus.jetstream.lease_store import LeaseStore
from edge_gateway.bus.jetstream.leases import Leases
from edge_gateway.bus.jetstream.publishing import Publishing
from edge_gateway.bus.jetstream.streams import Streams
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.bus.jetstream.view import ViewSource
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.orders_worker import OrdersWorker
from edge_gateway.bus.protocol import BatchHandler, EventBus, Handler, Lease, OrderHandler, Subscription
from edge_gateway.bus.questions import read_answer
from edge_gateway.bus.refusals import Refusals
from edge_gateway.bus.routing import check_subscription, stream_of
from edge_gateway.bus.single_worker import LiveWorker, SingleWorker
from edge_gateway.bus.subscriptions import Subscriptions
from edge_gateway.bus.worker import Worker
from edge_gateway.contracts.clock import Clock
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.routes import Route

_CONNECT_SECONDS = 30.0
_READY_SECONDS = 2.0


class JetStreamBus(EventBus):
    """A client of a NATS server; made by `connect`."""

    def __init__(self, connection: Connection, clock: Clock, limits: BusLimits, *, replicas: int) -> None:
        """Put the parts together around a connection."""
        self._connection = connection
        self._limits = limits
        self._streams = Streams(connection, limits, replicas=replicas)
        self._refusals = Refusals()
        self._publishing = Publishing(connection, self._streams, limits, self._refusals)
        self._asking = Asking(connection)
        store = LeaseStore(connection, self._streams, clock, timeout_seconds=limits.publish_seconds)
        self._leases = Leases(store, limits)
        self._subscriptions = Subscriptions()

    @classmethod
    async def connect(
        cls,
        url: str,
        *,
        clock: Clock,
        instance_id: str,
        limits: BusLimits | None = None,
        replicas: int = 1,
        connect_seconds: float = _CONNECT_SECONDS,
    ) -> Self:
        """Connect, and make or update the streams.

        `instance_id` names the connection at the server; `replicas` is what new streams get on a cluster. Raises
        `UnavailableError` when no server is reached in time, `ConfigurationError` for one that is too old or refuses
        the streams.
        """
        connection = Connection(url, f"mowdeck {instance_id}")
        await connection.connect(seconds=connect_seconds)
        bus = cls(connection, clock, limits or BusLimits(), replicas=replicas)
        try:
            await bus._streams.ensure()
        except BaseException:
            await connection.close()
            raise
        return bus

    @override
    async def publish(self, subject: str, envelope: Envelope) -> None:
        await self._publishing.publish(subject, envelope)

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
        if durable is not None:
            source = self._durable(subject, durable, exclusive=queue is None)
            worker: Worker = SingleWorker(
                source, handler, consumer=durable, limits=self._limits, exclusive=queue is None
            )
        else:
            view = ViewSource(self._connection, self._streams, subject, limits=self._limits, acknowledge=acknowledge)
            kind = SingleWorker if acknowledge else LiveWorker
            worker = kind(view, handler, consumer=f"live {subject}", limits=self._limits)
        return await self._start(worker)

    @override
    async def subscribe_orders(self, subject: str, handler: OrderHandler, *, durable: str) -> Subscription:
        check_subscription(durable=durable, queue=None, acknowledge=True)
        source = self._durable(subject, durable)
        return await self._start(OrdersWorker(source, handler, consumer=durable, limits=self._limits))

    @override
    async def subscribe_batch(
        self, subject: str, handler: BatchHandler, *, durable: str, max_batch: int, max_wait_seconds: float
    ) -> Subscription:
        check_subscription(durable=durable, queue=None, acknowledge=True)
        return await self._start(
            BatchWorker(
                self._durable(subject, durable, max_batch=max_batch),
                handler,
                consumer=durable,
                limits=self._limits,
                max_batch=max_batch,
                max_wait_seconds=max_wait_seconds,
            )
        )

    @override
    async def divide_states(self, partitions: int, *, undivided: str) -> None:
        self._streams.divide(partitions, undivided=undivided)
        await self._streams.ensure()

    @override
    async def last(self, subject: str) -> Envelope | None:
        stream = stream_of(subject).name
        await self._streams.ensure()
        client = await self._connection.client(seconds=self._limits.publish_seconds)
        with unavailable_when(f"the last event of {subject} cannot be read"):
            try:
                message = await client.jetstream(timeout=self._limits.publish_seconds).get_last_msg(stream, subject)
            except NotFoundError:
                return None
        return msgspec.json.decode(message.data or b"", type=Envelope)

    @override
    async def request[Q: msgspec.Struct, A: msgspec.Struct](
        self, route: Route[Q, A], question: Q, *, timeout_seconds: float = 5.0
    ) -> A:
        data = msgspec.json.encode(question)
        return read_answer(route, await self._asking.ask(route.subject, data, timeout_seconds=timeout_seconds))

    @override
    async def reply[Q: msgspec.Struct, A: msgspec.Struct](
        self, route: Route[Q, A], handler: Callable[[Q], Awaitable[A]]
    ) -> Subscription:
        answering = Answering(self._connection, route, handler, limits=self._limits)
        await answering.start()
        return self._subscriptions.add(answering)

    @override
    async def acquire_lease(self, name: str, *, holder: str) -> Lease | None:
        return await self._leases.acquire(name, holder)

    @override
    async def why_not_ready(self) -> str | None:
        if not self._connection.is_connected:
            return "The bus cannot be reached."
        try:
            client = await self._connection.client(seconds=0)
            with unavailable_when("JetStream does not answer"):
                await client.jetstream(timeout=_READY_SECONDS).account_info()
        except UnavailableError as error:
            return error.detail
        return self._refusals.reason

    @override
    async def ready(self) -> bool:
        return await self.why_not_ready() is None

    @override
    async def close(self) -> None:
        try:
            await self._subscriptions.end()
            if self._connection.is_connected:
                await self._leases.release_all()
        finally:
            await self._connection.close()

    def _durable(self, subject: str, durable: str, *, exclusive: bool = True, max_batch: int = 1) -> DurableSource:
        definition = durable_definition(subject, durable, max_batch=max_batch, limits=self._limits)
        return DurableSource(self._connection, self._streams, definition, limits=self._limits, exclusive=exclusive)

    async def _start(self, worker: Worker) -> Subscription:
        await worker.start()
        return self._subscriptions.add(worker)
