"""The connection is cut while messages are on their way: what the server counts as delivered never arrived."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from edge_gateway.bus.protocol import Delivery, Verdict
from edge_gateway.contracts import subjects
from tests.service.bus.events import BatchRecorder, Recorder, ids, publish_states
from tests.service.bus.jetstream.conftest import Broker, Connect
from tests.service.bus.jetstream.proxy import Proxy
from tests.service.bus.jetstream.stream_of_states import MOWERS, States, first_seen


@pytest.fixture
async def proxy(broker: Broker) -> AsyncIterator[Proxy]:
    async with Proxy(broker.url) as proxy:
        yield proxy


@pytest.mark.parametrize("options", [{"durable": "reader"}, {"acknowledge": False}], ids=["durable", "live"])
async def test_lost_deliveries_come_again_before_newer_ones(
    proxy: Proxy, connect: Connect, options: dict[str, str]
) -> None:
    reading, writing = await connect(url=proxy.url), await connect()
    recorder = Recorder()
    await reading.subscribe(subjects.ALL_STATES, recorder, **options)  # type: ignore[arg-type]  # a table of keywords
    await publish_states(writing, "a", range(5))
    await recorder.until_count(5)
    proxy.swallow(on=True)
    await publish_states(writing, "a", range(5, 20))
    assert await recorder.quiet() == ids("a", range(5))
    proxy.cut()
    proxy.swallow(on=False)
    await publish_states(writing, "a", range(20, 25))
    await recorder.until_all(ids("a", range(25)))
    assert first_seen(recorder.events, "a") == ids("a", range(25))


async def test_batches_keep_their_order_through_many_cuts(proxy: Proxy, connect: Connect) -> None:
    reading, writing = await connect(url=proxy.url), await connect()
    recorder = BatchRecorder()

    async def handle(deliveries: Sequence[Delivery]) -> Sequence[Verdict]:
        await asyncio.sleep(0.01)
        return await recorder.batch(deliveries)

    await reading.subscribe_batch(subjects.ALL_STATES, handle, durable="ingest", max_batch=8, max_wait_seconds=0.01)
    states = States(writing)
    states.start()
    for number in range(1, 7):
        await states.until(number * 25)
        proxy.swallow(on=True)
        await states.until(number * 25 + 10)
        proxy.cut()
        proxy.swallow(on=False)
    published = await states.stop()
    for mower in MOWERS:
        await recorder.until_all(published[mower])
        assert first_seen(recorder.events, mower) == published[mower]
