"""The streams and the leases' buckets: made when missing, brought to their definition when they differ."""

import asyncio

import structlog
from nats.js import JetStreamContext, api
from nats.js.errors import BadRequestError, NotFoundError

from edge_gateway.bus.jetstream.connection import Connection
from edge_gateway.bus.jetstream.partitioning import Division, divide_states
from edge_gateway.bus.jetstream.translation import unavailable_when
from edge_gateway.bus.limits import DUPLICATE_WINDOW, BusLimits
from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.contracts.subjects import STREAMS, Stream

_log = structlog.get_logger(__name__)

LEASES = "KV_leases"
"""Who holds a lease: each entry goes when its time to live is over."""
FENCES = "KV_lease_fences"
"""The last fencing number of each lease: stays for ever."""
_BUCKET_BYTES = 8 * 1024 * 1024
_BUCKET_REVISIONS = 1


def stream_definition(stream: Stream) -> api.StreamConfig:
    """Return what JetStream is told about a stream."""
    age = stream.max_age
    return api.StreamConfig(
        name=stream.name,
        subjects=list(stream.subjects),
        storage=api.StorageType.FILE,
        discard=api.DiscardPolicy.OLD,
        max_bytes=stream.max_bytes,
        max_age=age.total_seconds() if age else 0,
        max_msgs_per_subject=1 if stream.last_per_subject else -1,
        duplicate_window=min(DUPLICATE_WINDOW, age or DUPLICATE_WINDOW).total_seconds(),
        allow_direct=True,
    )


def bucket_definition(name: str, *, time_to_live_seconds: float) -> api.StreamConfig:
    """Return what JetStream is told about a key-value bucket; a time to live of 0 keeps for ever."""
    return api.StreamConfig(
        name=name,
        subjects=[f"$KV.{name.removeprefix('KV_')}.>"],
        storage=api.StorageType.FILE,
        discard=api.DiscardPolicy.NEW,
        max_bytes=_BUCKET_BYTES,
        max_age=time_to_live_seconds,
        max_msgs_per_subject=_BUCKET_REVISIONS,
        duplicate_window=min(
            DUPLICATE_WINDOW.total_seconds(), time_to_live_seconds or DUPLICATE_WINDOW.total_seconds()
        ),
        allow_direct=True,
        allow_rollup_hdrs=True,
        deny_delete=True,
    )


def brought_up_to_date(present: api.StreamConfig, wanted: api.StreamConfig) -> api.StreamConfig | None:
    """Return the present definition with ours on it, replicas and placement as they are; null when nothing differs."""
    fields = ("subjects", "discard", "max_bytes", "max_age", "max_msgs_per_subject", "duplicate_window", "allow_direct")
    changes = {
        field: getattr(wanted, field)
        for field in fields
        if (getattr(present, field) or 0) != (getattr(wanted, field) or 0)
    }
    return present.evolve(**changes) if changes else None


class Streams:
    """Makes sure that the streams are there, once per connection: a server may come back with an empty store."""

    def __init__(self, connection: Connection, limits: BusLimits, *, replicas: int) -> None:
        """Prepare; `replicas` is what new streams get on a cluster."""
        self._connection = connection
        self._limits = limits
        self._replicas = replicas
        self._lock = asyncio.Lock()
        self._generation = -1
        self._division: Division | None = None
        self._wanted = [
            *(stream_definition(stream) for stream in STREAMS),
            bucket_definition(LEASES, time_to_live_seconds=limits.lease_seconds),
            bucket_definition(FENCES, time_to_live_seconds=0),
        ]

    async def ensure(self) -> None:
        """Make or update what is missing or differs.

        Raises `UnavailableError`, and `ConfigurationError` (`stream_refused`) when the server refuses a definition.
        """
        async with self._lock:
            generation = self._connection.generation
            if self._generation == generation:
                return
            client = await self._connection.client(seconds=self._limits.publish_seconds)
            context = client.jetstream(timeout=self._limits.publish_seconds)
            for wanted in self._wanted:
                await self._ensure(context, wanted)
            if self._division is not None:
                with unavailable_when("the states cannot be divided"):
                    await divide_states(context, self._division, replicas=self._replicas)
            self._generation = generation

    def divide(self, partitions: int, *, undivided: str) -> None:
        """From the next `ensure` on, the states are divided among so many partitions."""
        self._division = Division(partitions, undivided)
        self._generation = -1

    def suspect(self) -> None:
        """Look again at the next `ensure`: a stream seems to be missing."""
        self._generation = -1

    async def _ensure(self, context: JetStreamContext, wanted: api.StreamConfig) -> None:
        with unavailable_when(f"the stream {wanted.name} cannot be made"):
            try:
                try:
                    present = (await context.stream_info(str(wanted.name))).config
                except NotFoundError:
                    await context.add_stream(wanted, num_replicas=self._replicas)
                    _log.info("stream made", stream=wanted.name)
                    return
                changed = brought_up_to_date(present, wanted)
                if changed is not None:
                    await context.update_stream(changed)
                    _log.info("stream updated", stream=wanted.name)
            except BadRequestError as error:
                sentence = f"The NATS server refuses the stream {wanted.name}: {error.description}."
                raise ConfigurationError("stream_refused", sentence) from error
