"""A durable consumer as a source: alone (set back to its floor on each take-over) or shared by replicas."""

from collections.abc import Sequence
from typing import override

import structlog
from nats.js import JetStreamContext, api
from nats.js.errors import NotFoundError

from edge_gateway.bus.jetstream.connection import Connection
from edge_gateway.bus.jetstream.puller import Puller
from edge_gateway.bus.jetstream.settling import Settling
from edge_gateway.bus.jetstream.streams import Streams
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.routing import starts_with_last, stream_of
from edge_gateway.bus.source import Received, Source
from edge_gateway.contracts.errors import UnavailableError

_log = structlog.get_logger(__name__)

_LEAST_PENDING = 1000
_BATCHES_PENDING = 3


def max_acknowledge_pending(max_batch: int) -> int:
    """Return how many messages may be out unsettled (design, Bus): a batch, the next one, and room to spare."""
    return max(_LEAST_PENDING, _BATCHES_PENDING * max_batch)


def durable_definition(pattern: str, durable: str, *, max_batch: int, limits: BusLimits) -> api.ConsumerConfig:
    """Return what JetStream is told about a durable.

    DEVICE keeps only the last event per subject, so that all of it is the last of each; others start at new events.
    """
    return api.ConsumerConfig(
        name=durable,
        durable_name=durable,
        filter_subject=pattern,
        deliver_policy=api.DeliverPolicy.ALL if starts_with_last(stream_of(pattern)) else api.DeliverPolicy.NEW,
        ack_policy=api.AckPolicy.EXPLICIT,
        ack_wait=limits.acknowledge_wait_seconds,
        max_ack_pending=max_acknowledge_pending(max_batch),
        max_deliver=-1,
    )


def brought_up_to_date(present: api.ConsumerConfig, wanted: api.ConsumerConfig) -> api.ConsumerConfig | None:
    """Return the present definition with ours on it, its start as it was; null when nothing differs."""
    fields = ("filter_subject", "ack_wait", "max_ack_pending", "max_deliver")
    changes = {field: getattr(wanted, field) for field in fields if getattr(present, field) != getattr(wanted, field)}
    return present.evolve(**changes) if changes else None


class DurableSource(Source):
    """See `Source`."""

    def __init__(
        self,
        connection: Connection,
        streams: Streams,
        definition: api.ConsumerConfig,
        *,
        limits: BusLimits,
        exclusive: bool,
    ) -> None:
        """Prepare the source of a durable; `exclusive` when this worker alone pulls from it."""
        self._connection = connection
        self._streams = streams
        self._definition = definition
        self._limits = limits
        self._exclusive = exclusive
        self._stream = stream_of(str(definition.filter_subject)).name
        self._durable = str(definition.durable_name)
        self._puller = Puller(connection, self._stream, limits=limits, gapless=exclusive)
        self._settling = Settling(connection, limits)

    @property
    @override
    def stale(self) -> bool:
        return self._puller.stale

    @override
    async def take_over(self) -> None:
        await self._puller.shut()
        generation = self._connection.generation
        await self._streams.ensure()
        client = await self._connection.client(seconds=self._limits.publish_seconds)
        context = client.jetstream(timeout=self._limits.publish_seconds)
        with unavailable_when(f"the consumer {self._durable} cannot be taken over"):
            info = await self._ensure(context)
            delivered = 0
            if self._exclusive:
                await self._settle_rest()
                delivered = info.delivered.stream_seq if info.delivered else 0
                await context.reset_consumer(self._stream, self._durable)
        await self._puller.open(self._durable, generation=generation, redelivered_up_to=delivered)

    @override
    async def pull(self, limit: int, *, wait_seconds: float, until_full: bool = False) -> Sequence[Received]:
        return await self._puller.pull(limit, wait_seconds=wait_seconds, until_full=until_full)

    @override
    async def acknowledge(self, message: Received) -> None:
        await self._settling.acknowledge(message)

    @override
    async def acknowledge_and_wait(self, message: Received) -> None:
        await self._settling.acknowledge_and_wait(message)

    @override
    async def redeliver(self, message: Received) -> None:
        await self._settling.redeliver(message)

    @override
    async def drop(self, message: Received) -> None:
        await self._settling.drop(message)

    @override
    async def settled(self, *, overdue: bool = False) -> None:
        if overdue:
            self._puller.break_off()
            return
        try:
            await self._settling.confirm()
        except BaseException:
            # Something newer could come before what was given back: begin at the floor instead.
            self._puller.break_off()
            raise

    @override
    async def working(self, message: Received) -> None:
        await self._settling.working(message)

    @override
    async def stop(self) -> Sequence[Received]:
        return await self._puller.stop()

    @override
    async def close(self) -> None:
        await self._puller.shut()

    async def _settle_rest(self) -> None:
        """Let the server process what was settled before it forgets all that is out."""
        try:
            await self._settling.confirm()
        except UnavailableError as error:
            _log.debug("what was settled last may come again", durable=self._durable, reason=error.detail)

    async def _ensure(self, context: JetStreamContext) -> api.ConsumerInfo:
        try:
            info: api.ConsumerInfo = await context.consumer_info(self._stream, self._durable)
        except NotFoundError:
            _log.info("durable made", stream=self._stream, durable=self._durable)
            return await context.add_consumer(self._stream, self._definition)
        changed = brought_up_to_date(info.config, self._definition)
        return info if changed is None else await context.add_consumer(self._stream, changed)
