"""Publishes events: the stream says that it has each one, or it is an error."""

import asyncio
import time

import nats.js.errors

from edge_gateway.bus import metrics
from edge_gateway.bus.events import encode_event
from edge_gateway.bus.jetstream.connection import Connection
from edge_gateway.bus.jetstream.streams import Streams
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.bus.limits import BusLimits
from edge_gateway.bus.refusals import Refusals
from edge_gateway.bus.routing import stream_to_publish
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import UnavailableError

_ID_HEADER = "Nats-Msg-Id"
_RETRY_SECONDS = 0.1


class Publishing:
    """See `EventBus.publish`."""

    def __init__(self, connection: Connection, streams: Streams, limits: BusLimits, refusals: Refusals) -> None:
        """Prepare; `refusals` hears what streams took and what they did not."""
        self._connection = connection
        self._streams = streams
        self._limits = limits
        self._refusals = refusals

    async def publish(self, subject: str, envelope: Envelope) -> None:
        """Publish and wait for the stream's word; a short absence of the server is waited out."""
        stream = stream_to_publish(subject)
        data = encode_event(envelope)
        try:
            await self._publish(subject, envelope.id, data)
        except UnavailableError:
            metrics.PUBLISH_FAILURES.labels(stream.name).inc()
            if self._connection.is_connected:
                # A server without room on its disk does not answer.
                self._refusals.refused(stream.name)
            raise
        self._refusals.taken(stream.name)

    async def _publish(self, subject: str, event_id: str, data: bytes) -> None:
        over_at = time.monotonic() + self._limits.publish_seconds
        while True:
            # Nothing is handed to a client that is not connected: it would keep it and send it much later.
            client = await self._connection.client(seconds=max(0.0, over_at - time.monotonic()))
            seconds = max(0.001, over_at - time.monotonic())
            with unavailable_when(f"{subject} is not taken"):
                try:
                    async with self._connection.unbroken(seconds=seconds):
                        await client.jetstream().publish(subject, data, timeout=seconds, headers={_ID_HEADER: event_id})
                except nats.js.errors.NoStreamResponseError:
                    # A server that has just started, or one that came back with an empty store.
                    self._streams.suspect()
                    if time.monotonic() + _RETRY_SECONDS >= over_at:
                        raise
                except TimeoutError:
                    # A broken connection: once more, with the same id, so that it is there once.
                    if time.monotonic() + _RETRY_SECONDS >= over_at:
                        raise
                else:
                    return
            await self._streams.ensure()
            await asyncio.sleep(_RETRY_SECONDS)
