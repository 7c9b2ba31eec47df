"""Skipping any later occurrence by its local date."""

from datetime import UTC, date, datetime, timedelta

import pytest

from edge_gateway.contracts import routes
from edge_gateway.contracts.errors import ConflictError, InvalidError
from edge_gateway.contracts.principals import OWNER
from edge_gateway.contracts.schedules import RunOutcome, Schedule, SkipDateRequest, WeeklyRecurrence
from tests.service.scheduler.house import MONDAY, NINE, SchedulerHouse

DAY = timedelta(days=1)


async def change(house: SchedulerHouse, schedule_id: str, day: date, *, add: bool = True) -> Schedule:
    route = routes.SKIPS_PUT if add else routes.SKIPS_DELETE
    request = SkipDateRequest(on_behalf_of=OWNER, account_id="home", schedule_id=schedule_id, day=day)
    return await house.bus.request(route, request)


async def test_a_later_one_is_skipped_once_and_those_before_run(house: SchedulerHouse) -> None:
    made = await house.create()
    later = MONDAY + 2 * DAY
    assert await change(house, made.id, later) == await change(house, made.id, later)
    shown = await house.get(made.id)
    assert (shown.skips, shown.next_run_skipped, shown.next_effective_run_at) == ((later,), False, NINE)
    await house.restart()
    for number in range(4):
        await house.tick_at(NINE + number * DAY)
        await house.tick_at(NINE + number * DAY + timedelta(hours=3))
    outcomes = [run.outcome for run in await house.runs(made.id)]
    assert outcomes[2] == "skipped_manual"
    assert outcomes.count(RunOutcome.SKIPPED_MANUAL) == 1
    assert (await house.get(made.id)).skips == ()


async def test_it_is_taken_back(house: SchedulerHouse) -> None:
    made = await house.create()
    await change(house, made.id, MONDAY)
    assert (await house.get(made.id)).next_effective_run_at == NINE + DAY
    after = await change(house, made.id, MONDAY, add=False)
    assert (after.skips, after.next_effective_run_at) == ((), NINE)


@pytest.mark.parametrize("day", [date(2026, 5, 3), date(2026, 5, 5), date(2025, 5, 5)])
async def test_a_date_that_is_none_of_the_plan_s_or_over_is_refused_by_its_field(
    house: SchedulerHouse, day: date
) -> None:
    made = await house.create(recurrence=WeeklyRecurrence(days=("mon",), at="09:00"))
    with pytest.raises(InvalidError) as refused:
        await change(house, made.id, day)
    assert refused.value.field == "day"


async def test_one_that_has_begun_to_fire_is_a_conflict(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.tick_at(NINE)
    with pytest.raises(ConflictError):
        await change(house, made.id, MONDAY)


async def test_of_a_disabled_schedule_nothing_can_be_skipped(house: SchedulerHouse) -> None:
    made = await house.create(enabled=False)
    with pytest.raises(ConflictError):
        await change(house, made.id, MONDAY)


async def test_the_date_is_the_one_that_the_rule_walks(house: SchedulerHouse) -> None:
    # At midnight of 28 March 2026 Nuuk's clock leaps from 22:00 on to 23:00 the evening before.
    house.clock.moment = datetime(2026, 3, 20, tzinfo=UTC)
    recurrence = WeeklyRecurrence(days=("sat",), at="22:30")
    made = await house.create(recurrence=recurrence, time_zone="America/Nuuk")
    after = await change(house, made.id, date(2026, 3, 28))
    assert after.skips == (date(2026, 3, 28),)
