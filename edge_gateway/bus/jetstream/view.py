"""A consumer without a durable as a source: made anew wherever it stopped whenever a delivery may have been lost."""

from collections.abc import Sequence
from typing import override

import nats.errors
import structlog
from nats.js import JetStreamContext, api
from nats.js.errors import NotFoundError

from edge_gateway.bus.jetstream.connection import Connection
from edge_gateway.bus.jetstream.place import Place
from edge_gateway.bus.jetstream.puller import Puller
from edge_gateway.bus.jetstream.settling import Settling
from edge_gateway.bus.jetstream.streams import Streams
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.routing import starts_with_last, stream_of
from edge_gateway.bus.source import Received, Source
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.identifiers import new_id

_log = structlog.get_logger(__name__)

_INACTIVE_SECONDS = 60.0
"""The server forgets the consumer of a view that was gone this long; it is made anew then."""


class ViewSource(Source):
    """See `Source`. Its place is kept here: everything up to it is settled."""

    def __init__(
        self, connection: Connection, streams: Streams, pattern: str, *, limits: BusLimits, acknowledge: bool
    ) -> None:
        """Prepare the source of a view; without `acknowledge` the server redelivers nothing."""
        self._connection = connection
        self._streams = streams
        self._pattern = pattern
        self._limits = limits
        self._acknowledge = acknowledge
        self._kept_in = stream_of(pattern)
        self._stream = self._kept_in.name
        self._puller = Puller(connection, self._stream, limits=limits, gapless=True)
        self._settling = Settling(connection, limits)
        self._consumer: str | None = None
        self._place = Place()

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
        with unavailable_when(f"the view of {self._pattern} cannot begin"):
            await self._forget(context)
            stream = await context.stream_info(self._stream)
            name = f"view-{new_id()}"
            info = await context.add_consumer(self._stream, self._definition(name, stream))
            self._consumer = name
            after = info.delivered.stream_seq if info.delivered else 0
            self._place.begin(stream_made=str(stream.created), after=after)
        await self._puller.open(name, generation=generation)

    @override
    async def pull(self, limit: int, *, wait_seconds: float, until_full: bool = False) -> Sequence[Received]:
        return self._pulled(await self._puller.pull(limit, wait_seconds=wait_seconds, until_full=until_full))

    @override
    async def acknowledge(self, message: Received) -> None:
        self._place.settled(message.sequence)
        if self._acknowledge:
            await self._settling.acknowledge(message)

    @override
    async def acknowledge_and_wait(self, message: Received) -> None:
        self._place.settled(message.sequence)
        if self._acknowledge:
            await self._settling.acknowledge_and_wait(message)

    @override
    async def redeliver(self, message: Received) -> None:
        if self._acknowledge:
            await self._settling.redeliver(message)

    @override
    async def drop(self, message: Received) -> None:
        self._place.settled(message.sequence)
        if self._acknowledge:
            await self._settling.drop(message)

    @override
    async def settled(self, *, overdue: bool = False) -> None:
        if overdue:
            self._puller.break_off()
            return
        try:
            await self._settling.confirm()
        except BaseException:
            self._puller.break_off()
            raise

    @override
    async def working(self, message: Received) -> None:
        if self._acknowledge:
            await self._settling.working(message)

    @override
    async def stop(self) -> Sequence[Received]:
        return self._pulled(await self._puller.stop())

    @override
    async def close(self) -> None:
        await self._puller.shut()
        if not self._connection.is_connected:
            return
        try:
            client = await self._connection.client(seconds=self._limits.publish_seconds)
            await self._forget(client.jetstream(timeout=self._limits.publish_seconds))
        except (UnavailableError, nats.errors.Error, OSError) as error:
            _log.debug("view not ended at the server, which forgets it by itself", reason=str(error))

    async def _forget(self, context: JetStreamContext) -> None:
        """Delete the view's consumer."""
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            try:
                await context.delete_consumer(self._stream, consumer)
            except NotFoundError:
                # It was inactive too long, or its server started anew.
                return

    def _pulled(self, messages: Sequence[Received]) -> Sequence[Received]:
        for message in messages:
            self._place.pulled(message.sequence)
        return messages

    def _definition(self, name: str, stream: api.StreamInfo) -> api.ConsumerConfig:
        """Return what JetStream is told: it begins where the view stopped, or as its stream's readers do."""
        definition = api.ConsumerConfig(
            name=name,
            filter_subject=self._pattern,
            ack_policy=api.AckPolicy.EXPLICIT if self._acknowledge else api.AckPolicy.NONE,
            inactive_threshold=_INACTIVE_SECONDS,
            mem_storage=True,
        )
        if self._acknowledge:
            definition = definition.evolve(ack_wait=self._limits.acknowledge_wait_seconds, max_deliver=-1)
        if not self._place.begun:
            policy = api.DeliverPolicy.ALL if starts_with_last(self._kept_in) else api.DeliverPolicy.NEW
            return definition.evolve(deliver_policy=policy)
        start = self._place.next_sequence(stream_made=str(stream.created), last_sequence=stream.state.last_seq)
        return definition.evolve(deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=start)
