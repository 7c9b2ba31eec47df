"""Divides the states among partitions: a stream that sources TELEMETRY, its subjects numbered by the server."""

import msgspec
import structlog
from nats.js import JetStreamContext, api
from nats.js.errors import NotFoundError

from edge_gateway.bus.questions import partitions_in_use
from edge_gateway.contracts.subjects import ALL_STATES, TELEMETRY, TELEMETRY_PARTITIONS

_log = structlog.get_logger(__name__)

_STREAM = TELEMETRY_PARTITIONS.name
_COUNT = "mowdeck-partitions"
"""The stream says in its metadata among how many partitions it divides."""


class Division(msgspec.Struct, frozen=True):
    """How the states are divided."""

    partitions: int
    undivided: str
    """The durable that takes them in when there is one partition."""


def definition(partitions: int, *, last_sequence: int, replicas: int) -> api.StreamConfig:
    """Return what JetStream is told: states after `last_sequence` of TELEMETRY, a mower's all in one partition."""
    age = TELEMETRY_PARTITIONS.max_age
    numbered = f"telemetry.partition.{{{{partition({partitions},1)}}}}.{{{{wildcard(1)}}}}"
    return api.StreamConfig(
        name=_STREAM,
        storage=api.StorageType.FILE,
        discard=api.DiscardPolicy.OLD,
        max_bytes=TELEMETRY_PARTITIONS.max_bytes,
        max_age=age.total_seconds() if age else 0,
        allow_direct=True,
        num_replicas=replicas,
        metadata={_COUNT: str(partitions)},
        sources=[
            api.StreamSource(
                name=TELEMETRY.name,
                opt_start_seq=last_sequence + 1,
                subject_transforms=[api.SubjectTransform(src=ALL_STATES, dest=numbered)],
            )
        ],
    )


async def divide_states(context: JetStreamContext, division: Division, *, replicas: int) -> None:
    """Make the stream, or another one when its number changed; 1 takes it away.

    Raises `ConfigurationError` (`partitions_in_use`) while states of the earlier division are left.
    """
    try:
        present = await context.stream_info(_STREAM)
    except NotFoundError:
        present = None
    count = 1 if present is None else int((present.config.metadata or {}).get(_COUNT, "0"))
    if count == division.partitions:
        return
    # Whatever comes from here on is taken in by the new division; what comes twice changes nothing.
    last_sequence = (await context.stream_info(TELEMETRY.name)).state.last_seq
    if await _has_states_left(context, present, division.undivided):
        raise partitions_in_use(count, division.partitions)
    if division.partitions == 1:
        await context.add_consumer(TELEMETRY.name, _undivided(division.undivided, last_sequence=last_sequence))
    elif present is None:
        await _forget(context, division.undivided)
    if present is not None:
        await context.delete_stream(_STREAM)
    if division.partitions > 1:
        await context.add_stream(definition(division.partitions, last_sequence=last_sequence, replicas=replicas))
    _log.info("states divided", partitions=division.partitions)


def _undivided(durable: str, *, last_sequence: int) -> api.ConsumerConfig:
    """Return the durable of undivided states as it begins; whoever subscribes brings the rest up to date."""
    return api.ConsumerConfig(
        name=durable,
        durable_name=durable,
        filter_subject=ALL_STATES,
        ack_policy=api.AckPolicy.EXPLICIT,
        deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE,
        opt_start_seq=last_sequence + 1,
    )


async def _has_states_left(context: JetStreamContext, present: api.StreamInfo | None, undivided: str) -> bool:
    """Tell whether a state has not come into the partitions yet, or was not taken in."""
    if present is None:
        try:
            consumers = [await context.consumer_info(TELEMETRY.name, undivided)]
        except NotFoundError:
            return False
    else:
        if any(source.lag for source in present.sources or ()):
            return True
        consumers = await context.consumers_info(_STREAM)
    return any(consumer.num_pending or consumer.num_ack_pending for consumer in consumers)


async def _forget(context: JetStreamContext, durable: str) -> None:
    """Delete the durable of undivided states."""
    try:
        await context.delete_consumer(TELEMETRY.name, durable)
    except NotFoundError:
        # The first start divides at once.
        return
