"""Events one at a time."""

import asyncio

import pytest

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import Envelope
from tests.service.bus.contract.conftest import Connect
from tests.service.bus.events import Recorder, event, ids, publish_states

LIVE = pytest.param({"acknowledge": False}, id="live")
VIEW = pytest.param({}, id="view")
DURABLE = pytest.param({"durable": "reader"}, id="durable")
SHARED = pytest.param({"durable": "reader", "queue": "readers"}, id="shared")


@pytest.mark.parametrize("options", [LIVE, VIEW, DURABLE, SHARED])
async def test_starts_at_new_events_in_order(bus: EventBus, options: dict[str, str]) -> None:
    await publish_states(bus, "mower", [1, 2])
    recorder = Recorder()
    await bus.subscribe(subjects.ALL_STATES, recorder, **options)  # type: ignore[arg-type]  # a table of keywords
    await publish_states(bus, "mower", range(3, 103))
    await recorder.until_count(100)
    assert await recorder.quiet() == ids("mower", range(3, 103))


@pytest.mark.parametrize("options", [LIVE, VIEW, DURABLE])
async def test_device_starts_with_the_last_of_each_subject(bus: EventBus, options: dict[str, str]) -> None:
    for mower in ("a", "b"):
        for number in range(3):
            await bus.publish(subjects.availability_subject(mower), event(f"{mower}:{number}"))
            await bus.publish(subjects.map_subject(mower), event(f"map-{mower}:{number}"))
    recorder = Recorder()
    await bus.subscribe(subjects.ALL_AVAILABILITIES, recorder, **options)  # type: ignore[arg-type]  # as above
    await bus.publish(subjects.availability_subject("a"), event("a:3"))
    await recorder.until(lambda events: "a:3" in events and "b:2" in events)
    events = await recorder.quiet()
    assert events in (["a:2", "b:2", "a:3"], ["b:2", "a:3"])


async def test_wildcard_and_exact_subject_filter(bus: EventBus) -> None:
    every, one = Recorder(), Recorder()
    await bus.subscribe(subjects.ALL_STATES, every)
    await bus.subscribe(subjects.state_subject("b"), one)
    await publish_states(bus, "a", [1])
    await publish_states(bus, "b", [2])
    await every.until_count(2)
    assert await one.quiet() == ["b:2"]


async def test_each_view_gets_every_event(connect: Connect) -> None:
    first, second = await connect(), await connect()
    recorders = [Recorder(), Recorder()]
    await first.subscribe(subjects.ALL_STATES, recorders[0], acknowledge=False)
    await second.subscribe(subjects.ALL_STATES, recorders[1], acknowledge=False)
    await publish_states(first, "mower", range(10))
    for recorder in recorders:
        assert await recorder.until_count(10) == ids("mower", range(10))


async def test_handler_never_overlaps(bus: EventBus) -> None:
    running = 0
    recorder = Recorder()

    async def handle(envelope: Envelope) -> None:
        nonlocal running
        running += 1
        assert running == 1
        await asyncio.sleep(0.001)
        running -= 1
        recorder.note(envelope.id)

    await bus.subscribe(subjects.ALL_STATES, handle, durable="reader")
    await publish_states(bus, "mower", range(30))
    assert await recorder.until_count(30) == ids("mower", range(30))


async def test_durable_continues_where_it_stopped(connect: Connect) -> None:
    first = await connect()
    recorder = Recorder()
    subscription = await first.subscribe(subjects.ALL_STATES, recorder, durable="reader")
    await publish_states(first, "mower", range(5))
    await recorder.until_count(5)
    await subscription.unsubscribe()
    await publish_states(first, "mower", range(5, 8))
    second = await connect()
    await second.subscribe(subjects.ALL_STATES, recorder, durable="reader")
    await recorder.until_count(8)
    assert await recorder.quiet() == ids("mower", range(8))


async def test_durable_may_change_its_subject(bus: EventBus) -> None:
    recorder = Recorder()
    subscription = await bus.subscribe(subjects.state_subject("a"), recorder, durable="reader")
    await subscription.unsubscribe()
    await bus.subscribe(subjects.ALL_STATES, recorder, durable="reader")
    await publish_states(bus, "b", [1])
    assert await recorder.until_count(1) == ["b:1"]


@pytest.mark.parametrize("options", [VIEW, DURABLE])
async def test_raising_redelivers_before_later_ones_of_the_subject(bus: EventBus, options: dict[str, str]) -> None:
    refusals = iter([True, True, False, False])
    recorder = Recorder(lambda event_id: event_id == "a:2" and next(refusals))
    await bus.subscribe(subjects.ALL_STATES, recorder, **options)  # type: ignore[arg-type]  # as above
    for number in range(1, 6):
        await publish_states(bus, "a", [number])
        await publish_states(bus, "b", [number])
    await recorder.until_all([*ids("a", range(1, 6)), *ids("b", range(1, 6))])
    events = await recorder.quiet()
    assert [event_id for event_id in events if event_id.startswith("a")] == ids("a", [1, 2, 2, 2, 3, 4, 5])
    assert [event_id for event_id in events if event_id.startswith("b")] == ids("b", range(1, 6))


async def test_event_that_is_refused_too_long_is_dropped(bus: EventBus) -> None:
    recorder = Recorder(lambda event_id: event_id == "a:1")
    await bus.subscribe(subjects.ALL_STATES, recorder, durable="reader")
    await publish_states(bus, "a", [1, 2])
    await recorder.until(lambda events: "a:2" in events)
    refused = recorder.events.count("a:1")
    assert refused > 2
    assert (await recorder.quiet()).count("a:1") == refused


async def test_live_view_never_redelivers(bus: EventBus) -> None:
    recorder = Recorder(lambda event_id: event_id == "a:1")
    await bus.subscribe(subjects.ALL_STATES, recorder, acknowledge=False)
    await publish_states(bus, "a", [1, 2])
    await recorder.until_count(2)
    assert await recorder.quiet() == ["a:1", "a:2"]


async def test_combinations_that_make_no_sense_are_refused(bus: EventBus) -> None:
    with pytest.raises(ValueError, match="refused together"):
        await bus.subscribe(subjects.ALL_STATES, Recorder(), durable="reader", acknowledge=False)
    with pytest.raises(ValueError, match="refused together"):
        await bus.subscribe(subjects.ALL_STATES, Recorder(), queue="readers", acknowledge=False)
    with pytest.raises(ValueError, match="queue needs durable"):
        await bus.subscribe(subjects.ALL_STATES, Recorder(), queue="readers")
    with pytest.raises(ValueError, match=r"durable 'a\.b'"):
        await bus.subscribe(subjects.ALL_STATES, Recorder(), durable="a.b")


async def test_queue_shares_the_work(connect: Connect) -> None:
    buses = [await connect(), await connect()]
    recorders = [Recorder(), Recorder()]
    both = Recorder()

    def handler(own: Recorder) -> Recorder:
        async def handle(envelope: Envelope) -> None:
            await asyncio.sleep(0.005)
            own.note(envelope.id)
            both.note(envelope.id)

        return handle  # type: ignore[return-value]  # a handler is all that is needed

    for bus, own in zip(buses, recorders, strict=True):
        await bus.subscribe(subjects.ALL_STATES, handler(own), durable="reader", queue="readers")
    await publish_states(buses[0], "mower", range(40))
    await both.until_count(40)
    assert sorted(await both.quiet()) == sorted(ids("mower", range(40)))
    assert all(len(own.events) > 5 for own in recorders)


async def test_replica_that_leaves_hands_over(connect: Connect) -> None:
    first, second = await connect(), await connect()
    recorder = Recorder()
    leaving = await first.subscribe(subjects.ALL_STATES, recorder, durable="reader", queue="readers")
    await second.subscribe(subjects.ALL_STATES, recorder, durable="reader", queue="readers")
    await publish_states(first, "mower", range(10))
    await leaving.unsubscribe()
    await publish_states(first, "mower", range(10, 20))
    await recorder.until_all(ids("mower", range(20)))


async def test_unsubscribing_finishes_what_was_received(bus: EventBus) -> None:
    entered = asyncio.Event()
    recorder = Recorder()

    async def handle(envelope: Envelope) -> None:
        entered.set()
        await asyncio.sleep(0.05)
        recorder.note(envelope.id)

    subscription = await bus.subscribe(subjects.ALL_STATES, handle, durable="reader")
    await publish_states(bus, "mower", range(3))
    await entered.wait()
    await subscription.unsubscribe()
    finished = list(recorder.events)
    assert finished
    assert await recorder.quiet() == finished
    await bus.subscribe(subjects.ALL_STATES, recorder, durable="reader")
    await recorder.until_all(ids("mower", range(3)))
    assert await recorder.quiet() == ids("mower", range(3))


async def test_handler_that_hangs_is_given_up_after_the_drain_time_out(bus: EventBus) -> None:
    entered = asyncio.Event()

    async def hang(_: Envelope) -> None:
        entered.set()
        await asyncio.Event().wait()

    subscription = await bus.subscribe(subjects.ALL_STATES, hang, durable="reader")
    await publish_states(bus, "mower", [1, 2])
    await entered.wait()
    async with asyncio.timeout(3):
        await subscription.unsubscribe()
    recorder = Recorder()
    await bus.subscribe(subjects.ALL_STATES, recorder, durable="reader")
    assert await recorder.until_count(2) == ["mower:1", "mower:2"]


async def test_slow_handler_is_not_overtaken_by_its_own_redelivery(bus: EventBus) -> None:
    recorder = Recorder()

    async def handle(envelope: Envelope) -> None:
        recorder.note(envelope.id)
        if envelope.id == "mower:1":
            await asyncio.sleep(2.2)  # longer than the acknowledge wait of 1 s

    await bus.subscribe(subjects.ALL_STATES, handle, durable="reader")
    await publish_states(bus, "mower", [1, 2, 3])
    await recorder.until_all(ids("mower", [1, 2, 3]))
    assert await recorder.quiet() == ids("mower", [1, 2, 3])


async def test_unsubscribing_twice_does_nothing(bus: EventBus) -> None:
    subscription = await bus.subscribe(subjects.ALL_STATES, Recorder())
    await subscription.unsubscribe()
    await subscription.unsubscribe()
