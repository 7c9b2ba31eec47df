"""The simulated driver in the clock's time: what happens is told at once, the rest at the period."""

import asyncio
from datetime import timedelta

import pytest

from edge_gateway.contracts.clock import SystemClock
from edge_gateway.contracts.mower import Activity
from edge_gateway.device_gateway.provider import Start
from edge_gateway.device_gateway.settings import SimulatorSettings
from edge_gateway.device_gateway.simulator.driver import SimulatedDriver
from edge_gateway.device_gateway.simulator.provider import SimulatorProvider, found_mower
from edge_gateway.device_gateway.simulator.store import MemoryStore
from tests.provider.conformance.bench import Heard

AREAS = ("sim-0001-front-lawn", "sim-0001-herb-corner")


async def may_move() -> None:
    return


def driver_of(
    settings: SimulatorSettings, store: MemoryStore | None = None, clock: SystemClock | None = None, number: int = 1
) -> SimulatedDriver:
    provider = SimulatorProvider(settings, store=store or MemoryStore(), clock=clock or SystemClock())
    return provider.driver(found_mower(number), mower_id="mower-1", account_id="home")


async def test_a_long_period_holds_back_what_is_periodic_and_nothing_that_happens() -> None:
    heard = Heard()
    driver = driver_of(SimulatorSettings(mowers=1, speed=600, state_period_seconds=3600))
    await driver.start(heard)
    await driver.start_mow(Start(area_ids=AREAS), may_move)
    await heard.until(lambda: heard.states[-1].activity is Activity.DOCKED and heard.states[-1].job is None, seconds=20)
    await driver.stop()
    activities = [state.activity for state in heard.states]
    changes = [one for one, before in zip(activities, [None, *activities], strict=False) if one is not before]
    assert changes == [Activity.DOCKED, Activity.MOWING, Activity.RETURNING, Activity.DOCKED]
    # Start, order, and one report per thing that happened on the way: nothing in between.
    assert len(activities) < 15


async def test_a_busy_mower_reports_where_it_is_every_period() -> None:
    heard = Heard()
    driver = driver_of(SimulatorSettings(mowers=1, speed=20))
    await driver.start(heard)
    await driver.start_mow(Start(area_ids=AREAS), may_move)
    await heard.until(
        lambda: len({state.position for state in heard.states if state.progress_percent}) >= 2, seconds=10
    )
    await driver.stop()


async def test_a_clock_that_jumps_ahead_takes_the_machine_with_it() -> None:
    heard, clock = Heard(), SystemClock()
    driver = driver_of(SimulatorSettings(mowers=1), clock=clock)
    await driver.start(heard)
    await driver.put_setting("simulated_battery_percent", 20)
    clock.offset += timedelta(hours=3)
    await heard.until(lambda: heard.states[-1].battery_percent == 100, seconds=5)
    times = [state.observed_at for state in heard.states]
    assert times == sorted(times)
    await driver.stop()


async def test_the_same_seed_draws_the_same_mowers() -> None:
    async def batteries(seed: int) -> list[int | None]:
        drawn = []
        for number in range(1, 6):
            driver = driver_of(SimulatorSettings(mowers=5, seed=seed), number=number)
            await driver.start(Heard())
            assert driver.state is not None
            drawn.append(driver.state.battery_percent)
            await driver.stop()
        return drawn

    assert await batteries(1) == await batteries(1)
    assert await batteries(1) != await batteries(2)


async def test_a_new_handle_finds_the_machine_that_the_store_kept() -> None:
    store, settings = MemoryStore(), SimulatorSettings(mowers=1, speed=100)
    first = driver_of(settings, store)
    await first.start(Heard())
    job_id = await first.start_mow(Start(area_ids=AREAS, pattern={"angle": 45}), may_move)
    await first.put_setting("cutting_height_mm", 33)
    # Nothing is stopped: as after a kill, the store alone is left.
    second = driver_of(settings, store)
    await second.start(Heard())
    assert second.machine.job is not None
    assert (second.machine.job.id, second.machine.job.angle_degrees) == (job_id, 45.0)
    assert {setting.key: setting.value for setting in second.settings}["cutting_height_mm"] == 33
    await first.stop()
    await second.stop()


@pytest.mark.parametrize("order", ["pause", "return_to_dock"])
async def test_orders_answer_after_a_moment(order: str) -> None:
    driver = driver_of(SimulatorSettings(mowers=1, speed=10))
    await driver.start(Heard())
    await driver.start_mow(Start(area_ids=AREAS), may_move)
    begun = asyncio.get_running_loop().time()
    await getattr(driver, order)(may_move)
    assert 0.02 <= asyncio.get_running_loop().time() - begun < 2
    await driver.stop()
