"""Puts each provider's mower on its bench."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.provider.conformance.bench import Bench, Found, Heard, OnBench
from tests.provider.conformance.benches import BENCHES


@pytest.fixture(params=sorted(BENCHES))
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    """Return a bench, once per provider."""
    async with BENCHES[request.param]() as opened:
        yield opened


@pytest.fixture
async def mower(bench: Bench) -> AsyncIterator[OnBench]:
    """Return the last mower that the provider finds, followed, and reached."""
    found = Found()
    await bench.provider.start(found)
    async with asyncio.timeout(bench.wait_seconds):
        one = await found.mowers.get()
    while not found.mowers.empty():
        one = found.mowers.get_nowait()
    heard = Heard()
    on_bench = OnBench(bench, one, heard)
    driver = on_bench.driver
    await on_bench.start()
    await on_bench.seen(lambda _: True)
    await heard.until(
        lambda: driver.availability.available and (driver.map is not None or not driver.capabilities.has_areas),
        seconds=bench.wait_seconds,
    )
    yield on_bench
    await on_bench.driver.stop()
    await bench.provider.stop()
