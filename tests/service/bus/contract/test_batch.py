"""Batches: what is in them, when they are settled."""

import asyncio
import itertools
from collections.abc import Sequence

import pytest
from prometheus_client import REGISTRY

from edge_gateway.bus.protocol import BatchHandler, Delivery, EventBus, Subscription, Verdict
from edge_gateway.bus.settlement import DROPPED_BY_AGE
from edge_gateway.contracts import subjects
from tests.service.bus.contract.conftest import Connect
from tests.service.bus.events import BatchRecorder, RefusedError, ids, publish_states


async def subscribe(
    bus: EventBus, handler: BatchHandler, *, max_batch: int = 64, max_wait_seconds: float = 0.05
) -> Subscription:
    return await bus.subscribe_batch(
        subjects.ALL_STATES, handler, durable="ingest", max_batch=max_batch, max_wait_seconds=max_wait_seconds
    )


def drops_by_age() -> float:
    labels = {"consumer": "ingest", "reason": DROPPED_BY_AGE}
    return REGISTRY.get_sample_value("mowdeck_bus_drops_total", labels) or 0.0


async def test_lingering_collects_what_drips_in(bus: EventBus) -> None:
    recorder = BatchRecorder()
    await subscribe(bus, recorder.batch, max_wait_seconds=0.4)
    for number in range(5):
        await publish_states(bus, "a", [number])
        await asyncio.sleep(0.02)
    await recorder.until_count(5)
    assert recorder.batches == [ids("a", range(5))]


async def test_full_batch_does_not_linger(bus: EventBus) -> None:
    recorder = BatchRecorder()
    await subscribe(bus, recorder.batch, max_batch=4, max_wait_seconds=30)
    await publish_states(bus, "a", range(8))
    await recorder.until_count(8, seconds=5)
    assert recorder.batches == [ids("a", range(4)), ids("a", range(4, 8))]


async def test_without_wait_takes_only_what_is_queued(bus: EventBus) -> None:
    recorder = BatchRecorder()
    await subscribe(bus, recorder.batch, max_wait_seconds=0)
    await publish_states(bus, "a", [1])
    await recorder.until_count(1, seconds=1)
    assert recorder.batches == [["a:1"]]


@pytest.mark.parametrize("max_wait_seconds", [0.0, 0.05])
async def test_gets_what_arrived_while_the_previous_batch_ran(bus: EventBus, max_wait_seconds: float) -> None:
    recorder = BatchRecorder()
    entered, go_on = asyncio.Event(), asyncio.Event()

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        entered.set()
        await go_on.wait()
        return await recorder.batch(deliveries)

    await subscribe(bus, handle, max_batch=16, max_wait_seconds=max_wait_seconds)
    await publish_states(bus, "a", [0])
    await entered.wait()
    await publish_states(bus, "a", range(1, 21))
    go_on.set()
    await recorder.until_count(21)
    assert recorder.batches == [["a:0"], ids("a", range(1, 17)), ids("a", range(17, 21))]


async def test_batches_never_overlap_and_are_never_too_large(bus: EventBus) -> None:
    running = 0
    recorder = BatchRecorder()

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        nonlocal running
        running += 1
        assert running == 1
        await asyncio.sleep(0.002)
        running -= 1
        return await recorder.batch(deliveries)

    await subscribe(bus, handle, max_batch=7, max_wait_seconds=0.01)
    await publish_states(bus, "a", range(200))
    await recorder.until_count(200)
    assert await recorder.quiet() == ids("a", range(200))
    assert max(len(batch) for batch in recorder.batches) <= 7


async def test_redelivered_one_takes_along_the_later_ones_of_its_subject(bus: EventBus) -> None:
    refused = iter([True])
    recorder = BatchRecorder(
        lambda delivery: Verdict.REDELIVER if delivery.envelope.id == "a:1" and next(refused, False) else Verdict.ACK
    )
    await subscribe(bus, recorder.batch, max_batch=6, max_wait_seconds=0.3)
    for number in range(3):
        await publish_states(bus, "a", [number])
        await publish_states(bus, "b", [number])
    await recorder.until_count(8)
    assert recorder.batches == [["a:0", "b:0", "a:1", "b:1", "a:2", "b:2"], ["a:1", "a:2"]]
    assert recorder.redelivered == ["a:1", "a:2"]


async def test_redelivered_one_takes_along_prefetched_ones(bus: EventBus) -> None:
    recorder = BatchRecorder()
    entered, go_on = asyncio.Event(), asyncio.Event()

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        verdicts = list(await recorder.batch(deliveries))
        if not entered.is_set():
            entered.set()
            await go_on.wait()
            verdicts[-1] = Verdict.REDELIVER
        return verdicts

    await publish_states(bus, "warm-up", [0])
    await subscribe(bus, handle, max_batch=4, max_wait_seconds=0.2)
    for number in range(8):
        await publish_states(bus, "a" if number % 2 else "b", [number])
    await entered.wait()
    go_on.set()
    await recorder.until_all([f"{'a' if number % 2 else 'b'}:{number}" for number in range(8)])
    events = await recorder.quiet()
    assert recorder.batches[0] == ["b:0", "a:1", "b:2", "a:3"]
    assert [event_id for event_id in events[4:] if event_id.startswith("a")] == ids("a", [3, 5, 7])
    assert [event_id for event_id in events if event_id.startswith("b")] == ids("b", [0, 2, 4, 6])


async def test_order_per_subject_holds_whatever_is_redelivered(bus: EventBus) -> None:
    """Verdicts that change from time to time: each subject's events are done in order, each exactly once."""
    counter = itertools.count()

    def decide(_: Delivery) -> Verdict:
        return Verdict.REDELIVER if next(counter) % 11 in (3, 7) else Verdict.ACK

    recorder = BatchRecorder(decide)
    done: list[str] = []

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        verdicts = await recorder.batch(deliveries)
        blocked: set[str] = set()
        for delivery, verdict in zip(deliveries, verdicts, strict=True):
            if verdict is Verdict.REDELIVER:
                blocked.add(delivery.subject)
            elif delivery.subject not in blocked:
                done.append(delivery.envelope.id)
        recorder.note("batch")
        return verdicts

    await subscribe(bus, handle, max_batch=10, max_wait_seconds=0.01)
    expected = {mower: ids(mower, range(25)) for mower in ("a", "b", "c", "d")}
    for number in range(25):
        for mower in expected:
            await publish_states(bus, mower, [number])
    await recorder.until(lambda _: len(done) >= 100)
    await recorder.quiet()
    for mower, wanted in expected.items():
        assert [event_id for event_id in done if event_id.startswith(mower)] == wanted


async def test_raising_redelivers_the_whole_batch_however_long(bus: EventBus) -> None:
    recorder = BatchRecorder()
    attempts = 0

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        nonlocal attempts
        verdicts = await recorder.batch(deliveries)
        attempts += 1
        if attempts < 12:  # more than the half second after which refused messages are dropped
            raise RefusedError
        return verdicts

    await subscribe(bus, handle, max_batch=4, max_wait_seconds=0.2)
    await publish_states(bus, "a", range(3))
    await recorder.until_count(36)
    assert await recorder.quiet() == ids("a", range(3)) * 12


async def test_wrong_number_of_verdicts_redelivers_the_batch(bus: EventBus) -> None:
    recorder = BatchRecorder()

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        verdicts = await recorder.batch(deliveries)
        return verdicts if len(recorder.batches) > 1 else verdicts[1:]

    await subscribe(bus, handle, max_batch=2, max_wait_seconds=0.2)
    await publish_states(bus, "a", range(2))
    await recorder.until_count(4)
    assert await recorder.quiet() == ids("a", [0, 1, 0, 1])


async def test_dropped_message_never_comes_again(bus: EventBus) -> None:
    recorder = BatchRecorder(lambda d: Verdict.DROP if d.envelope.id == "a:1" else Verdict.ACK)
    subscription = await subscribe(bus, recorder.batch)
    await publish_states(bus, "a", range(3))
    await recorder.until_count(3)
    await subscription.unsubscribe()
    await subscribe(bus, recorder.batch)
    assert await recorder.quiet() == ids("a", range(3))


async def test_poison_is_dropped_by_age_and_good_ones_follow(bus: EventBus) -> None:
    recorder = BatchRecorder(lambda d: Verdict.REDELIVER if d.envelope.id == "a:1" else Verdict.ACK)
    before = drops_by_age()
    await subscribe(bus, recorder.batch, max_batch=4, max_wait_seconds=0.01)
    await publish_states(bus, "b", [0])
    await publish_states(bus, "a", range(4))
    await publish_states(bus, "b", [1, 2])
    events = await recorder.until_quiet()
    assert events.count("a:1") > 2
    assert recorder.batches[-1][-3:] == ids("a", [1, 2, 3])  # the poison for the last time, and those behind it
    assert [event_id for event_id in events if event_id.startswith("b")] == ids("b", range(3))
    assert drops_by_age() == before + 1


async def test_being_redelivered_along_never_ages(bus: EventBus) -> None:
    """What stands behind a poison is not dropped with it, however long it stood there."""
    recorder = BatchRecorder(lambda d: Verdict.REDELIVER if d.envelope.id in ("a:0", "a:2") else Verdict.ACK)
    before = drops_by_age()
    await subscribe(bus, recorder.batch, max_batch=2, max_wait_seconds=0.01)
    await publish_states(bus, "a", range(4))
    events = await recorder.until_quiet()
    assert events[-1] == "a:3"
    assert events.index("a:2") > max(index for index, event_id in enumerate(events) if event_id == "a:0")
    assert events.count("a:2") > 2  # refused for a time of its own
    assert drops_by_age() == before + 2


async def test_unsettled_ones_come_before_newer_ones_to_the_next_owner(connect: Connect) -> None:
    first, second = await connect(), await connect()
    entered = asyncio.Event()

    async def hang(_: Sequence[Delivery]) -> Sequence[Verdict]:
        entered.set()
        await asyncio.Event().wait()
        return ()

    hanging = await subscribe(first, hang, max_batch=3, max_wait_seconds=0.2)
    await publish_states(first, "a", range(6))
    await entered.wait()
    await hanging.unsubscribe()
    await publish_states(first, "a", range(6, 8))
    recorder = BatchRecorder()
    await subscribe(second, recorder.batch, max_batch=3)
    await recorder.until_count(8)
    assert await recorder.quiet() == ids("a", range(8))
    assert recorder.redelivered[:3] == ids("a", range(3))
    assert "a:7" not in recorder.redelivered


async def test_unsubscribing_settles_what_was_received(bus: EventBus) -> None:
    recorder = BatchRecorder()
    entered = asyncio.Event()

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        entered.set()
        await asyncio.sleep(0.1)
        return await recorder.batch(deliveries)

    subscription = await subscribe(bus, handle, max_batch=2, max_wait_seconds=0.2)
    await publish_states(bus, "a", range(10))
    await entered.wait()
    await subscription.unsubscribe()
    handled = list(recorder.events)
    assert len(handled) >= 2
    await subscribe(bus, recorder.batch)
    await recorder.until_count(10)
    assert await recorder.quiet() == ids("a", range(10))


async def test_slow_batch_is_neither_doubled_nor_overtaken(bus: EventBus) -> None:
    recorder = BatchRecorder()

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        if not recorder.batches:
            await asyncio.sleep(2.2)  # longer than the acknowledge wait of 1 s, prefetched ones wait as long
        return await recorder.batch(deliveries)

    await subscribe(bus, handle, max_batch=3, max_wait_seconds=0.1)
    await publish_states(bus, "a", range(9))
    await recorder.until_count(9)
    assert await recorder.quiet() == ids("a", range(9))
    assert recorder.redelivered == []
