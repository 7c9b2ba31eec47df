"""The server handles settlements and pulls side by side: what is given back must not be overtaken for that."""

from collections.abc import Sequence

import msgspec

from edge_gateway.bus.protocol import Delivery, Verdict
from edge_gateway.contracts import subjects
from tests.service.bus.events import BatchRecorder, RefusedError, ids, publish_states
from tests.service.bus.jetstream.conftest import LIMITS, Connect

BATCH = 3
EVENTS = 600


async def test_batch_that_is_given_back_comes_again_before_newer_ones(connect: Connect) -> None:
    """Without a back-off the next pull follows at once upon the refusals."""
    bus = await connect(limits=msgspec.structs.replace(LIMITS, first_back_off_seconds=0.0))
    recorder = BatchRecorder()
    calls = 0

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        nonlocal calls
        calls += 1
        if calls % 2:
            raise RefusedError
        return await recorder.batch(deliveries)

    writer = await bus.subscribe_batch(
        subjects.ALL_STATES, recorder.batch, durable="ingest", max_batch=BATCH, max_wait_seconds=0.05
    )
    await writer.unsubscribe()
    await publish_states(bus, "a", range(EVENTS))
    await bus.subscribe_batch(subjects.ALL_STATES, handle, durable="ingest", max_batch=BATCH, max_wait_seconds=0.05)
    await recorder.until_count(EVENTS)
    assert recorder.events == ids("a", range(EVENTS))
