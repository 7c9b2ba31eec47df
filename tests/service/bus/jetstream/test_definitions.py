"""What the server is told: streams, durables, views; and what is done with messages that are none."""

import asyncio
from collections.abc import AsyncIterator

import nats
import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext, api
from nats.js.errors import NotFoundError
from prometheus_client import REGISTRY

from edge_gateway.bus.deadline import BUDGET_HEADER, SENT_AT_HEADER, HostClock
from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.device import Health, Nothing
from edge_gateway.contracts.errors import ConfigurationError, UnavailableError
from edge_gateway.contracts.routes import health_route
from tests.service.bus.events import BatchRecorder, Recorder, publish_states
from tests.service.bus.jetstream.conftest import LIMITS, Broker, Connect


@pytest.fixture
async def client(broker: Broker) -> AsyncIterator[Client]:
    """Return a plain client of the server."""
    client = await nats.connect(broker.url, allow_reconnect=False)
    yield client
    await client.close()


@pytest.fixture
def context(client: Client) -> JetStreamContext:
    return client.jetstream()


def sample(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_streams_are_as_the_design_says(bus: JetStreamBus, context: JetStreamContext) -> None:
    assert await bus.ready()
    for stream in subjects.STREAMS:
        config = (await context.stream_info(stream.name)).config
        assert tuple(config.subjects or ()) == stream.subjects
        assert config.max_bytes == stream.max_bytes
        assert config.max_age == (stream.max_age.total_seconds() if stream.max_age else 0)
        assert config.max_msgs_per_subject == (1 if stream.last_per_subject else -1)
        assert config.storage == api.StorageType.FILE
        assert config.discard == api.DiscardPolicy.OLD
    for name in ("KV_leases", "KV_lease_fences"):
        assert (await context.stream_info(name)).config.storage == api.StorageType.FILE


async def test_connecting_again_changes_nothing_and_keeps_everything(
    connect: Connect, context: JetStreamContext
) -> None:
    first = await connect()
    await publish_states(first, "a", [1])
    before = [(await context.stream_info(stream.name)).config for stream in subjects.STREAMS]
    await connect()
    assert [(await context.stream_info(stream.name)).config for stream in subjects.STREAMS] == before
    assert await first.last(subjects.state_subject("a")) is not None


async def test_stream_of_an_older_version_is_brought_up_to_date(connect: Connect, context: JetStreamContext) -> None:
    await context.add_stream(name="TELEMETRY", subjects=["telemetry.mower.*"], max_bytes=1024 * 1024, description="old")
    await connect()
    config = (await context.stream_info("TELEMETRY")).config
    assert config.max_bytes == subjects.TELEMETRY.max_bytes
    assert config.max_age == 7 * 24 * 3600
    assert config.description == "old"


async def test_stream_that_cannot_be_made_names_itself(connect: Connect, context: JetStreamContext) -> None:
    await context.add_stream(name="FOREIGN", subjects=["device.>"])
    with pytest.raises(ConfigurationError, match="refuses the stream DEVICE") as caught:
        await connect()
    assert caught.value.code == "stream_refused"


async def test_server_that_is_not_there_is_unavailable(broker: Broker) -> None:
    await asyncio.to_thread(broker.kill)
    with pytest.raises(UnavailableError) as caught:
        await JetStreamBus.connect(
            broker.url, clock=SystemClock(), instance_id="test", limits=LIMITS, connect_seconds=0.5
        )
    assert caught.value.code == "bus_unavailable"
    assert "test-token" not in caught.value.detail
    await asyncio.to_thread(broker.start)


async def test_wrong_token_is_unavailable_and_says_so(broker: Broker) -> None:
    with pytest.raises(UnavailableError, match="Authorization") as caught:
        await JetStreamBus.connect(
            broker.url.replace("test-token", "wrong-token"),
            clock=SystemClock(),
            instance_id="test",
            limits=LIMITS,
            connect_seconds=2,
        )
    assert "wrong-token" not in caught.value.detail


@pytest.mark.parametrize(("max_batch", "pending"), [(64, 1000), (500, 1500)])
async def test_durable_of_batches(bus: JetStreamBus, context: JetStreamContext, max_batch: int, pending: int) -> None:
    await bus.subscribe_batch(
        subjects.ALL_STATES, BatchRecorder().batch, durable="ingest", max_batch=max_batch, max_wait_seconds=0
    )
    config = (await context.consumer_info("TELEMETRY", "ingest")).config
    assert config.ack_policy == api.AckPolicy.EXPLICIT
    assert config.max_ack_pending == pending
    assert config.max_deliver == -1
    assert config.ack_wait == LIMITS.acknowledge_wait_seconds
    assert config.filter_subject == subjects.ALL_STATES


async def test_live_view_has_no_acknowledgements_and_leaves_nothing_behind(
    bus: JetStreamBus, context: JetStreamContext
) -> None:
    subscription = await bus.subscribe(subjects.ALL_STATES, Recorder(), acknowledge=False)
    (info,) = await context.consumers_info("TELEMETRY")
    assert info.config.ack_policy == api.AckPolicy.NONE
    assert info.config.durable_name is None
    await subscription.unsubscribe()
    assert await context.consumers_info("TELEMETRY") == []


async def test_view_whose_consumer_the_server_forgot_goes_on(bus: JetStreamBus, context: JetStreamContext) -> None:
    recorder = Recorder()
    await bus.subscribe(subjects.ALL_STATES, recorder, acknowledge=False)
    await publish_states(bus, "a", [1])
    await recorder.until_count(1)
    (info,) = await context.consumers_info("TELEMETRY")
    await context.delete_consumer("TELEMETRY", info.name)
    await publish_states(bus, "a", [2])
    assert await recorder.until_count(2) == ["a:1", "a:2"]


async def test_durable_that_was_deleted_is_made_anew(bus: JetStreamBus, context: JetStreamContext) -> None:
    recorder = Recorder()
    await bus.subscribe(subjects.ALL_STATES, recorder, durable="reader")
    await context.delete_consumer("TELEMETRY", "reader")

    async def there() -> bool:
        try:
            await context.consumer_info("TELEMETRY", "reader")
        except NotFoundError:
            return False
        return True

    async with asyncio.timeout(10):
        while not await there():  # noqa: ASYNC110  # the server tells nobody
            await asyncio.sleep(0.02)
    await publish_states(bus, "a", [1])
    assert await recorder.until_count(1) == ["a:1"]


async def test_message_that_is_no_event_is_dropped_and_counted(bus: JetStreamBus, context: JetStreamContext) -> None:
    single, batch = Recorder(), BatchRecorder()
    labels = {"reason": "unreadable"}
    before = sample("mowdeck_bus_drops_total", consumer="reader", **labels)
    await bus.subscribe(subjects.ALL_STATES, single, durable="reader")
    await bus.subscribe_batch(subjects.ALL_STATES, batch.batch, durable="ingest", max_batch=4, max_wait_seconds=0.1)
    await context.publish(subjects.state_subject("a"), b"not an event")
    await publish_states(bus, "a", [1])
    assert await single.until_count(1) == ["a:1"]
    assert await batch.until_count(1) == ["a:1"]
    assert sample("mowdeck_bus_drops_total", consumer="reader", **labels) == before + 1
    info = await context.consumer_info("TELEMETRY", "ingest")
    assert info.num_pending == 0


async def test_question_past_its_deadline_is_dropped_without_an_answer(bus: JetStreamBus, client: Client) -> None:
    asked = 0

    async def health(_: Nothing) -> Health:
        nonlocal asked
        asked += 1
        return Health(service="fleet", ready=True)

    await bus.reply(health_route("fleet"), health)
    clock = HostClock.of_here()
    late = {BUDGET_HEADER: "1000", SENT_AT_HEADER: f"{clock.id} {clock.now() - 2:.6f}"}
    with pytest.raises(TimeoutError):
        await client.request("fleet.health.get", b"{}", timeout=0.3, headers=late)
    assert asked == 0
    elsewhere = {BUDGET_HEADER: "1000", SENT_AT_HEADER: "another-machine 1.0"}
    await client.request("fleet.health.get", b"{}", timeout=2, headers=elsewhere)
    assert asked == 1


async def test_metrics_tell_of_deliveries_and_lag(bus: JetStreamBus) -> None:
    consumer = {"consumer": "measured"}
    recorder = BatchRecorder()
    subscription = await bus.subscribe_batch(
        subjects.ALL_STATES, recorder.batch, durable="measured", max_batch=4, max_wait_seconds=0.2
    )
    await subscription.unsubscribe()
    await publish_states(bus, "a", range(10))
    await bus.subscribe_batch(
        subjects.ALL_STATES, recorder.batch, durable="measured", max_batch=4, max_wait_seconds=0.2
    )
    await recorder.until_count(10)
    assert sample("mowdeck_bus_deliveries_total", **consumer) == 10
    assert sample("mowdeck_bus_batch_size_sum", **consumer) == 10
    assert sample("mowdeck_bus_batch_size_count", **consumer) == 3
    assert sample("mowdeck_bus_lag", **consumer) == 0
    assert sample("mowdeck_bus_connected") == 1
