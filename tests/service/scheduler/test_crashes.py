"""A firing whose process dies at any step starts no mower twice and is not lost."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Literal, cast

import pytest

from edge_gateway.bus.protocol import EventBus
from edge_gateway.contracts.errors import UnavailableError
from edge_gateway.contracts.mower import Activity
from edge_gateway.database.pools import Pool
from edge_gateway.scheduler.claiming import Claiming
from edge_gateway.scheduler.deciding import Deciding
from edge_gateway.scheduler.fleet_questions import FleetQuestions
from edge_gateway.scheduler.following import Following
from edge_gateway.scheduler.settings import SchedulerSettings
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.weather.forecasts import Forecasts
from tests.service.scheduler.house import NINE, SchedulerHouse
from tests.service.scheduler.mortal import Death, MortalBus, MortalClock, MortalPool, Steps

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
ALL_STEPS = 400
"""More than any tick has."""


async def tick_and_die(house: SchedulerHouse, steps: Steps, weather: Literal["dry", "rain"] = "dry") -> None:
    """Do what is due, in a process that dies at a step."""
    bus = cast("EventBus", MortalBus(house.bus, steps))
    pool = cast("Pool", MortalPool(house.pool, steps))
    clock = MortalClock(house.clock, steps)
    settings = SchedulerSettings(weather_provider="static", static_weather=weather)
    surroundings = Surroundings(
        bus=bus,
        pool=pool,
        clock=clock,
        settings=settings,
        fleet=FleetQuestions(bus, timeout_seconds=1.0),
        forecasts=Forecasts(pool, clock, settings),
        wake=lambda: None,
    )
    try:
        await Claiming(surroundings, at_once=1).claim_all()
        await Deciding(surroundings, at_once=1).decide_all()
        await Following(surroundings).follow_all()
    except Death, BaseExceptionGroup:
        assert steps.died


async def die_everywhere(
    house: SchedulerHouse, prepare: Callable[[], Awaitable[None]], check: Callable[[], Awaitable[None]]
) -> list[str]:
    """Die at each step of a tick in turn; after each death another process finishes the work."""
    names: list[str] = []
    for number in range(ALL_STEPS):
        await prepare()
        steps = Steps(number)
        await tick_and_die(house, steps)
        if not steps.died:
            return names
        names.append(steps.taken[number])
        # Another process looks at once, and again when the dead one's row is free.
        await house.service.tick()
        await house.tick_at(house.clock.moment + 61 * SECOND)
        await check()
    pytest.fail("the tick never ended")


async def test_a_death_at_any_step_starts_once_and_loses_nothing(house: SchedulerHouse) -> None:
    day = 0

    async def prepare() -> None:
        nonlocal day
        day += 1
        house.fleet.commands.clear()
        house.clock.moment = NINE + day * DAY

    async def check() -> None:
        assert len(house.fleet.starts) == 1
        [run] = [run for run in await house.runs(made.id) if run.occurrence_at == NINE + day * DAY]
        assert (run.outcome, run.command_id) == ("started", house.fleet.starts[0].id)
        # The mower mows and comes home, so that the next day begins with nothing open.
        await house.report(Activity.MOWING)
        await house.until_seen(Activity.MOWING)
        await house.report(Activity.DOCKED, house.clock.moment + 600 * SECOND)
        await house.tick_at(house.clock.moment + 600 * SECOND)
        [run] = [run for run in await house.runs(made.id) if run.occurrence_at == NINE + day * DAY]
        assert (run.final, run.end_reason) == (True, "completed")

    house.clock.moment = NINE
    made = await house.create()
    names = await die_everywhere(house, prepare, check)
    # Every kind of step was one at which it died.
    assert {"clock", "execute", "fetchrow", "committed"} <= set(names)
    for subject in ("fleet.targets.resolve", "fleet.permissions.check", "fleet.commands.issue"):
        assert {f"before {subject}", f"after {subject}"} <= set(names)
    assert [(run.outcome, run.final) for run in await house.runs(made.id)] == [("started", True)] * (day - 1) + [
        ("started", False)
    ]


async def test_a_death_at_any_step_of_a_return_sends_the_mower_home_once(house: SchedulerHouse) -> None:
    made = await house.create(duration_minutes=240)
    rainy = house.make_service(static_weather="rain")
    names: list[str] = []
    for day in range(ALL_STEPS):
        nine = NINE + day * DAY
        house.fleet.commands.clear()
        await house.tick_at(nine)
        await house.report(Activity.MOWING, nine + 60 * SECOND)
        await house.tick_at(nine + 120 * SECOND)
        steps = Steps(day)
        house.clock.moment = nine + 600 * SECOND
        await tick_and_die(house, steps, "rain")
        # Another process looks at once, and again when an order that nobody knows of may be given again.
        for seconds in (600, 661):
            house.clock.moment = nine + seconds * SECOND
            await rainy.tick()
        run = (await house.runs(made.id))[-1]
        assert [command.key for command in house.fleet.follow_ups] == [f"{run.id}:rain:1"]
        assert run.numbers["sent_home"]["cause"] == "rain"
        await house.report(Activity.DOCKED, nine + 900 * SECOND)
        await house.tick_at(nine + 901 * SECOND)
        assert (await house.runs(made.id))[-1].end_reason == "rain"
        if not steps.died:
            break
        names.append(steps.taken[day])
    else:
        pytest.fail("the tick never ended")
    for subject in ("fleet.targets.resolve", "fleet.commands.since", "fleet.commands.issue"):
        assert {f"before {subject}", f"after {subject}"} <= set(names)
    assert {"clock", "execute", "fetchrow", "committed"} <= set(names)


async def test_a_death_at_any_step_of_a_refusal_keeps_the_firing_pending(house: SchedulerHouse) -> None:
    day = 0

    async def prepare() -> None:
        nonlocal day
        day += 1
        house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
        house.clock.moment = NINE + day * DAY

    async def check() -> None:
        assert house.fleet.starts == []
        assert (await house.runs(made.id))[-1].outcome is None
        await house.tick_at(NINE + day * DAY + timedelta(minutes=60))
        run = (await house.runs(made.id))[-1]
        assert (run.occurrence_at, run.outcome, run.reason) == (NINE + day * DAY, "failed", "unavailable")

    house.clock.moment = NINE
    made = await house.create()
    assert "after fleet.commands.issue" in await die_everywhere(house, prepare, check)
    assert len(await house.runs(made.id)) == day


async def test_a_death_at_any_step_of_a_skip_records_it_once(house: SchedulerHouse) -> None:
    day = 0

    async def prepare() -> None:
        nonlocal day
        await house.skip(made.id)
        day += 1
        house.clock.moment = NINE + day * DAY

    async def check() -> None:
        run = (await house.runs(made.id))[-1]
        assert (run.occurrence_at, run.outcome, run.revision) == (NINE + day * DAY, "skipped_manual", 1)
        assert (await house.get(made.id)).skips == ()

    house.clock.moment = NINE
    made = await house.create()
    assert await die_everywhere(house, prepare, check)
    assert house.fleet.asked == []
    assert len(await house.runs(made.id)) == day


async def test_a_death_at_any_step_of_resolving_finds_the_order_that_was_taken(house: SchedulerHouse) -> None:
    day = 0

    async def prepare() -> None:
        nonlocal day
        day += 1
        house.fleet.commands.clear()
        await house.report(Activity.DOCKED, NINE + day * DAY - SECOND)
        house.clock.moment = NINE + day * DAY
        asking = Steps(ALL_STEPS)
        asking.die_at_name = "after fleet.commands.issue"
        await tick_and_die(house, asking)
        assert len(house.fleet.starts) == 1
        house.clock.moment += 61 * SECOND

    async def check() -> None:
        run = (await house.runs(made.id))[-1]
        assert (run.outcome, run.command_id) == ("started", house.fleet.starts[0].id)
        assert len(house.fleet.starts) == 1
        await house.report(Activity.MOWING)
        await house.until_seen(Activity.MOWING)
        await house.report(Activity.DOCKED, house.clock.moment + SECOND)
        await house.tick_at(house.clock.moment + SECOND)

    house.clock.moment = NINE
    made = await house.create()
    assert "after fleet.commands.get" in await die_everywhere(house, prepare, check)
    assert len(await house.runs(made.id)) == day
