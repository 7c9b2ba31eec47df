"""A process that stands still for longer than the server waits for it gives back too late, and order is kept."""

import time
from collections.abc import Sequence

import msgspec

from edge_gateway.bus.protocol import Delivery, Verdict
from edge_gateway.contracts import subjects
from tests.service.bus.events import BatchRecorder, RefusedError, ids, publish_states
from tests.service.bus.jetstream.conftest import LIMITS, Connect


async def test_what_is_given_back_too_late_comes_in_order(connect: Connect) -> None:
    limits = msgspec.structs.replace(LIMITS, acknowledge_wait_seconds=1.0)
    bus = await connect(limits=limits)
    recorder = BatchRecorder()
    refusals = 0

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        nonlocal refusals
        if refusals < 4:
            refusals += 1
            # Nothing else in this process runs meanwhile: no sign of life reaches the server.
            time.sleep(0.3 + 0.4 * refusals)  # noqa: ASYNC251 - that is the fault
            raise RefusedError
        return await recorder.batch(deliveries)

    await bus.subscribe_batch(subjects.ALL_STATES, handle, durable="ingest", max_batch=16, max_wait_seconds=0.05)
    for number in range(20):
        for mower in "abc":
            await publish_states(bus, mower, [number])
    for mower in "abc":
        await recorder.until_all(ids(mower, range(20)))
    for mower in "abc":
        assert [event for event in recorder.events if event.startswith(f"{mower}:")] == ids(mower, range(20))
