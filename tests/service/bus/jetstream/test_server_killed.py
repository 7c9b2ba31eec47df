"""The server is killed in the middle of everything and comes back: nothing is lost, nothing is overtaken."""

import asyncio
import time
from collections.abc import Sequence

import pytest

from edge_gateway.bus.jetstream import JetStreamBus
from edge_gateway.bus.protocol import Acknowledge, Delivery, Verdict
from edge_gateway.contracts import subjects
from edge_gateway.contracts.device import Health, Nothing
from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.errors import DeadlineError, UnavailableError
from edge_gateway.contracts.routes import health_route
from tests.eventually import eventually
from tests.service.bus.events import BatchRecorder, Recorder, RefusedError, event, ids, publish_states
from tests.service.bus.jetstream.conftest import LIMITS, Broker, Connect
from tests.service.bus.jetstream.stream_of_states import MOWERS, States, first_seen

CONTINUES_SECONDS = 5.0


async def kill_twice(broker: Broker, states: States) -> dict[str, list[str]]:
    """Publish through two kills of the server; return what was published."""
    states.start()
    await states.until(60)
    await asyncio.to_thread(broker.restart)
    await states.until(150)
    await asyncio.to_thread(broker.restart)
    await states.until(220)
    return await states.stop()


@pytest.mark.parametrize(
    "options", [{"durable": "reader"}, {"acknowledge": False}, {}], ids=["durable", "live", "view"]
)
async def test_subscription_goes_on(broker: Broker, connect: Connect, options: dict[str, str]) -> None:
    reading, writing = await connect(), await connect()
    recorder = Recorder()
    await reading.subscribe(subjects.ALL_STATES, recorder, **options)  # type: ignore[arg-type]  # a table of keywords
    published = await kill_twice(broker, States(writing))
    for mower in MOWERS:
        await recorder.until_all(published[mower])
        assert first_seen(recorder.events, mower) == published[mower]
    if "durable" not in options and options:
        assert len(recorder.events) == sum(len(events) for events in published.values())  # none doubled


async def test_batches_go_on(broker: Broker, connect: Connect) -> None:
    reading, writing = await connect(), await connect()
    recorder = BatchRecorder()
    calls = 0

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        nonlocal calls
        calls += 1
        await asyncio.sleep(0.01)
        if calls % 9 == 0:
            raise RefusedError
        return await recorder.batch(deliveries)

    await reading.subscribe_batch(subjects.ALL_STATES, handle, durable="ingest", max_batch=16, max_wait_seconds=0.02)
    published = await kill_twice(broker, States(writing))
    for mower in MOWERS:
        await recorder.until_all(published[mower])
        assert first_seen(recorder.events, mower) == published[mower]


async def test_acknowledged_order_is_never_handled_again(broker: Broker, connect: Connect) -> None:
    """The server keeps acknowledgements in memory for a moment: killed then, it delivers the order again."""
    bus = await connect()
    recorder = Recorder()

    async def handle(envelope: Envelope, acknowledge: Acknowledge) -> None:
        await acknowledge()
        recorder.note(envelope.id)

    subject = subjects.order_subject("mower")
    await bus.subscribe_orders(subject, handle, durable="actor-mower")
    for number in range(1, 5):
        await bus.publish(subject, event(f"order:{number}"))
        await recorder.until_count(number)
        await asyncio.to_thread(broker.restart)
    await bus.publish(subject, event("order:5"))
    await recorder.until_all(ids("order", [5]))
    assert await recorder.quiet() == ids("order", range(1, 6))


async def test_acknowledging_without_a_server_is_an_error_and_the_order_comes_again(
    broker: Broker, bus: JetStreamBus
) -> None:
    """An actor that does not know whether its acknowledgement arrived must not act."""
    refusals, acted = Recorder(), Recorder()
    entered, killed = asyncio.Event(), asyncio.Event()

    async def handle(envelope: Envelope, acknowledge: Acknowledge) -> None:
        entered.set()
        await killed.wait()
        try:
            await acknowledge()
        except UnavailableError as error:
            refusals.note(error.code)
            raise
        acted.note(envelope.id)

    await bus.subscribe_orders(subjects.order_subject("mower"), handle, durable="actor-mower")
    await bus.publish(subjects.order_subject("mower"), event("order:1"))
    await entered.wait()
    await asyncio.to_thread(broker.kill)
    killed.set()
    assert await refusals.until_count(1) == ["bus_unavailable"]
    await asyncio.to_thread(broker.start)
    assert await acted.until_count(1) == ["order:1"]


async def test_everything_continues_within_seconds(broker: Broker, bus: JetStreamBus) -> None:
    durable, live = Recorder(), Recorder()
    await bus.subscribe(subjects.ALL_STATES, durable, durable="reader")
    await bus.subscribe(subjects.ALL_STATES, live, acknowledge=False)

    async def health(_: Nothing) -> Health:
        return Health(service="fleet", ready=True)

    await bus.reply(health_route("fleet"), health)

    async def unavailable() -> bool:
        try:
            await bus.request(health_route("fleet"), Nothing(), timeout_seconds=0.5)
        except DeadlineError:
            # It left before the end of the connection was noticed.
            return False
        except UnavailableError:
            return True
        pytest.fail("nobody can have answered")

    await asyncio.to_thread(broker.kill)
    assert not await bus.ready()
    await eventually(unavailable)
    await asyncio.sleep(2.0)
    started = time.monotonic()
    await asyncio.to_thread(broker.start)
    await publish_states(bus, "a", [1])
    await durable.until_count(1, seconds=CONTINUES_SECONDS)
    await live.until_count(1, seconds=CONTINUES_SECONDS)
    assert (await bus.request(health_route("fleet"), Nothing())).ready
    assert await bus.ready()
    assert time.monotonic() - started < CONTINUES_SECONDS


async def test_closing_without_a_server_ends(broker: Broker, connect: Connect) -> None:
    bus = await connect()
    recorder = BatchRecorder()
    await bus.subscribe_batch(subjects.ALL_STATES, recorder.batch, durable="ingest", max_batch=4, max_wait_seconds=0.05)
    await bus.subscribe(subjects.ALL_STATES, Recorder(), acknowledge=False)
    assert await bus.acquire_lease("mower/m1", holder="one") is not None
    await publish_states(bus, "a", range(8))
    await recorder.until_count(8)
    await asyncio.to_thread(broker.kill)
    async with asyncio.timeout(LIMITS.publish_seconds + LIMITS.drain_seconds):
        await bus.close()
    await asyncio.to_thread(broker.start)


async def test_publishing_without_a_server_is_unavailable_and_not_sent_later(broker: Broker, connect: Connect) -> None:
    bus = await connect()
    recorder = Recorder()
    await bus.subscribe(subjects.ALL_STATES, recorder)

    async def gone() -> bool:
        return not await bus.ready()

    await asyncio.to_thread(broker.kill)
    await eventually(gone)
    with pytest.raises(UnavailableError) as caught:
        await publish_states(bus, "a", [1])
    assert caught.value.code == "bus_unavailable"
    await asyncio.to_thread(broker.start)
    await publish_states(bus, "a", [2])
    await recorder.until_count(1)
    assert await recorder.quiet() == ["a:2"]


async def test_event_published_before_a_kill_reaches_a_durable_that_never_read(
    broker: Broker, connect: Connect
) -> None:
    bus = await connect()
    subscription = await bus.subscribe(subjects.ALL_STATES, Recorder(), durable="reader")
    await subscription.unsubscribe()
    await publish_states(bus, "a", [1, 2])
    await asyncio.to_thread(broker.restart)
    recorder = Recorder()
    await bus.subscribe(subjects.ALL_STATES, recorder, durable="reader")
    assert await recorder.until_count(2) == ["a:1", "a:2"]


async def test_server_that_lost_its_store_is_used_anew(broker: Broker, bus: JetStreamBus) -> None:
    durable, live = Recorder(), Recorder()
    await bus.subscribe(subjects.ALL_STATES, durable, durable="reader")
    await bus.subscribe(subjects.ALL_STATES, live, acknowledge=False)
    await publish_states(bus, "a", range(5))
    await durable.until_count(5)
    await live.until_count(5)
    await asyncio.to_thread(broker.kill)
    await asyncio.to_thread(broker.lose_store)
    await asyncio.to_thread(broker.start)
    # A durable that is made anew begins at new events, so publish until it is there again.
    number = 5
    async with asyncio.timeout(10):
        while len(durable.events) < 6 or len(live.events) < 6:
            await publish_states(bus, "a", [number])
            number += 1
            await asyncio.sleep(0.05)
    assert durable.events[-1] in ids("a", range(5, number))
