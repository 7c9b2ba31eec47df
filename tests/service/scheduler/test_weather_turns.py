"""Several replicas and one weather service: one asks at a time, none while it refuses, a dead one keeps nobody out."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from edge_gateway.scheduler.service import SchedulerService
from tests.eventually import eventually
from tests.service.scheduler.house import NINE, SchedulerHouse
from tests.service.scheduler.sky import Sky

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
async def other(house: SchedulerHouse, sky: Sky) -> AsyncIterator[SchedulerService]:
    """Return another replica."""
    other = house.make_service(weather_provider="open_meteo", open_meteo_url=sky.server.url)
    await other.open()
    yield other
    await other.stop()


async def test_two_replicas_ask_once(house: SchedulerHouse, sky: Sky, other: SchedulerService) -> None:
    await house.create()
    await sky.look_at(NINE - 10 * MINUTE)
    await other.look_at_weather()
    assert len(sky.server.requests) == 1


async def test_of_two_replicas_that_look_at_the_same_moment_one_asks_and_neither_tick_waits(
    house: SchedulerHouse, sky: Sky, other: SchedulerService
) -> None:
    sky.server.hanging = asyncio.Event()
    await house.create()
    house.clock.moment = NINE - 10 * MINUTE
    looking = asyncio.gather(house.service.look_at_weather(), other.look_at_weather())

    async def asked() -> bool:
        return bool(sky.server.requests)

    await eventually(asked)
    await asyncio.gather(house.service.tick(), other.tick())
    # The forecast is still awaited: neither tick waited for it.
    assert not looking.done()
    sky.server.hanging.set()
    await looking
    assert len(sky.server.requests) == 1


@pytest.mark.parametrize(("status", "minutes"), [(404, 1), (502, 1), (429, 4)])
async def test_what_one_replica_asks_in_vain_the_other_does_not_ask_at_once(
    house: SchedulerHouse, sky: Sky, other: SchedulerService, status: int, minutes: int
) -> None:
    """404 is kept for a minute, 502 and 429 leave the service alone, here for as long as it asks."""
    sky.server.status = status
    sky.server.headers = {"Retry-After": "240"} if status == 429 else {}
    await house.create()
    await sky.look_at(NINE - 10 * MINUTE)
    house.clock.moment += minutes * MINUTE - SECOND
    await other.look_at_weather()
    assert len(sky.server.requests) == 1
    sky.server.status = 200
    house.clock.moment += SECOND
    await other.look_at_weather()
    assert len(sky.server.requests) == 2
    assert (await sky.weather()).reason == "dry"


async def test_a_turn_that_a_dead_replica_left_behind_ends(house: SchedulerHouse, sky: Sky) -> None:
    await house.pool.execute(
        "INSERT INTO scheduler.weather_turn (provider, taken_by, until) VALUES ('open_meteo', 'dead', $1)",
        NINE - 10 * MINUTE + 9 * SECOND,
    )
    await house.create()
    looking = asyncio.create_task(sky.look_at(NINE - 10 * MINUTE))
    await asyncio.wait({looking}, timeout=0.3)
    assert sky.server.requests == []
    house.clock.moment += 9 * SECOND
    await looking
    assert len(sky.server.requests) == 1
