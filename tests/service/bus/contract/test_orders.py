"""Orders: acknowledged by their handler, before it acts."""

import asyncio

from edge_gateway.bus.protocol import Acknowledge, EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.envelope import Envelope
from tests.service.bus.contract.conftest import Connect
from tests.service.bus.events import Recorder, RefusedError, event

SUBJECT = subjects.order_subject("mower")


async def order(bus: EventBus, *numbers: int) -> None:
    for number in numbers:
        await bus.publish(SUBJECT, event(f"order:{number}"))


async def test_acknowledged_order_never_comes_again(bus: EventBus) -> None:
    recorder = Recorder()

    async def handle(envelope: Envelope, acknowledge: Acknowledge) -> None:
        recorder.note(envelope.id)
        await acknowledge()
        await acknowledge()
        raise RefusedError

    subscription = await bus.subscribe_orders(SUBJECT, handle, durable="actor-mower")
    await order(bus, 1, 2)
    await recorder.until_count(2)
    assert await recorder.quiet() == ["order:1", "order:2"]
    await subscription.unsubscribe()
    await bus.subscribe_orders(SUBJECT, handle, durable="actor-mower")
    assert await recorder.quiet() == ["order:1", "order:2"]


async def test_order_that_is_not_acknowledged_comes_again_before_the_next(bus: EventBus) -> None:
    recorder = Recorder()

    async def handle(envelope: Envelope, acknowledge: Acknowledge) -> None:
        recorder.note(envelope.id)
        match recorder.events.count("order:1"):
            case 1:
                raise RefusedError
            case 2 if envelope.id == "order:1":
                return
            case _:
                await acknowledge()

    await bus.subscribe_orders(SUBJECT, handle, durable="actor-mower")
    await order(bus, 1, 2)
    await recorder.until(lambda events: "order:2" in events)
    assert await recorder.quiet() == ["order:1", "order:1", "order:1", "order:2"]


async def test_orders_are_handled_one_at_a_time(bus: EventBus) -> None:
    recorder = Recorder()
    first_done = asyncio.Event()

    async def handle(envelope: Envelope, acknowledge: Acknowledge) -> None:
        await acknowledge()
        recorder.note(f"begin {envelope.id}")
        if envelope.id == "order:1":
            await first_done.wait()
        recorder.note(f"end {envelope.id}")

    await bus.subscribe_orders(SUBJECT, handle, durable="actor-mower")
    await order(bus, 1, 2)
    await recorder.until_count(1)
    assert await recorder.quiet() == ["begin order:1"]
    first_done.set()
    assert await recorder.until_count(4) == ["begin order:1", "end order:1", "begin order:2", "end order:2"]


async def test_unfinished_order_passes_to_the_next_owner(connect: Connect) -> None:
    first, second = await connect(), await connect()
    entered = asyncio.Event()

    async def hang(_envelope: Envelope, _acknowledge: Acknowledge) -> None:
        entered.set()
        await asyncio.Event().wait()

    recorder = Recorder()

    async def handle(envelope: Envelope, acknowledge: Acknowledge) -> None:
        await acknowledge()
        recorder.note(envelope.id)

    hanging = await first.subscribe_orders(SUBJECT, hang, durable="actor-mower")
    await order(first, 1)
    await entered.wait()
    await hanging.unsubscribe()
    await second.subscribe_orders(SUBJECT, handle, durable="actor-mower")
    await order(first, 2)
    assert await recorder.until_count(2) == ["order:1", "order:2"]


async def test_slow_order_is_not_redelivered_to_its_own_actor(bus: EventBus) -> None:
    recorder = Recorder()

    async def handle(envelope: Envelope, acknowledge: Acknowledge) -> None:
        recorder.note(envelope.id)
        await asyncio.sleep(2.2)  # longer than the acknowledge wait of 1 s
        await acknowledge()

    await bus.subscribe_orders(SUBJECT, handle, durable="actor-mower")
    await order(bus, 1)
    await recorder.until_count(1)
    await asyncio.sleep(2.2)
    assert await recorder.quiet() == ["order:1"]
