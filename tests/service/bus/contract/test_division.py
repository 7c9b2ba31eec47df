"""States are had in parts: each mower's in one part, in order; the number changes only when all are taken in."""

import asyncio

import pytest

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts import subjects
from edge_gateway.contracts.errors import ConfigurationError
from tests.eventually import eventually
from tests.service.bus.events import BatchRecorder, ids, publish_states

UNDIVIDED = "ingest"
MOWERS = "abcdefgh"


async def _recorders(bus: EventBus, partitions: int) -> list[BatchRecorder]:
    recorders = [BatchRecorder() for _ in range(partitions)]
    for number, recorder in enumerate(recorders):
        await bus.subscribe_batch(
            subjects.partition_subject(number),
            recorder.batch,
            durable=f"ingest-{number}",
            max_batch=16,
            max_wait_seconds=0.01,
        )
    return recorders


async def test_each_mower_is_in_one_part_in_order(bus: EventBus) -> None:
    await bus.divide_states(3, undivided=UNDIVIDED)
    recorders = await _recorders(bus, 3)
    for number in range(10):
        for mower in MOWERS:
            await publish_states(bus, mower, [number])

    async def all_arrived() -> bool:
        return sum(len(recorder.events) for recorder in recorders) >= 10 * len(MOWERS)

    await eventually(all_arrived, seconds=30)
    # What is in two parts would come now.
    await asyncio.gather(*(recorder.quiet() for recorder in recorders))
    for mower in MOWERS:
        (owner,) = {number for number, recorder in enumerate(recorders) if _has(recorder, mower)}
        assert [event for event in recorders[owner].events if event.startswith(f"{mower}:")] == ids(mower, range(10))
    assert sum(bool(recorder.events) for recorder in recorders) > 1


def _has(recorder: BatchRecorder, mower: str) -> bool:
    return any(event.startswith(f"{mower}:") for event in recorder.events)


async def test_the_number_changes_only_when_all_is_taken_in(bus: EventBus) -> None:
    await bus.divide_states(2, undivided=UNDIVIDED)
    recorders = await _recorders(bus, 2)
    await publish_states(bus, "a", range(3))
    for recorder in recorders:
        await recorder.quiet()
    await bus.divide_states(2, undivided=UNDIVIDED)
    await bus.divide_states(1, undivided=UNDIVIDED)
    await publish_states(bus, "a", [3])
    undivided = BatchRecorder()
    await bus.subscribe_batch(
        subjects.ALL_STATES, undivided.batch, durable=UNDIVIDED, max_batch=4, max_wait_seconds=0.01
    )
    await publish_states(bus, "a", [4])
    await undivided.until_count(1)


async def test_a_number_with_states_left_stays(bus: EventBus) -> None:
    subscription = await bus.subscribe_batch(
        subjects.ALL_STATES, BatchRecorder().batch, durable=UNDIVIDED, max_batch=4, max_wait_seconds=0.01
    )
    await subscription.unsubscribe()
    await publish_states(bus, "a", [1])
    with pytest.raises(ConfigurationError, match="divided among 1 partition") as caught:
        await bus.divide_states(2, undivided=UNDIVIDED)
    assert caught.value.code == "partitions_in_use"
