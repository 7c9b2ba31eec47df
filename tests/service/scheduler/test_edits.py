"""Changes that meet a firing: pending ones end with their plan, one that was asked for is too late."""

from datetime import timedelta
from typing import Any

import pytest

from edge_gateway.contracts.errors import (
    ConflictError,
    MowDeckError,
    UnavailableError,
)
from tests.service.scheduler.house import NINE, SchedulerHouse

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
OTHER = "user:other"


@pytest.mark.parametrize(
    ("reason", "changes"),
    [
        ("disabled", {"enabled": False}),
        ("edited", {"recurrence": {"at": "09:30"}}),
        ("edited", {"target": {"mower_id": "mower-2"}}),
        ("edited", {"ends_on": "2026-05-03"}),
        ("deleted", None),
    ],
)
async def test_a_pending_firing_ends_with_the_plan_that_it_was_for(
    house: SchedulerHouse, reason: str, changes: dict[str, Any] | None
) -> None:
    house.fleet.add_mower("mower-2")
    made = await house.create()
    house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
    await house.tick_at(NINE)
    assert (await house.run(made.id)).outcome is None
    if changes is None:
        await house.delete(made.id)
    else:
        await house.update(made.id, **changes)
    run = await house.run(made.id)
    assert (run.outcome, run.reason, run.final) == ("skipped_manual", reason, True)
    house.fleet.refusal = None
    await house.tick_at(NINE + MINUTE)
    assert house.fleet.starts == []


async def test_a_pending_firing_takes_the_new_duration_and_the_new_owner(house: SchedulerHouse) -> None:
    house.fleet.known.add(OTHER)
    made = await house.create()
    house.fleet.refusal = UnavailableError("unavailable", "Not reached.")
    await house.tick_at(NINE)
    await house.update(made.id, OTHER, duration_minutes=30)
    await house.tick_at(NINE + MINUTE)
    assert house.fleet.asked[-1].on_behalf_of == OTHER
    await house.tick_at(NINE + 31 * MINUTE)
    run = await house.run(made.id)
    assert (run.outcome, run.window_ends_at, run.owner) == ("failed", NINE + 30 * MINUTE, OTHER)


async def test_a_change_of_what_is_due_and_not_yet_claimed_records_it_first(house: SchedulerHouse) -> None:
    made = await house.create()
    house.clock.moment = NINE + MINUTE
    after = await house.update(made.id, recurrence={"at": "15:00"})
    run = await house.run(made.id)
    assert (run.occurrence_at, run.outcome, run.reason) == (NINE, "skipped_manual", "edited")
    assert after.next_run_at == NINE + timedelta(hours=6)


async def test_another_name_does_not_keep_what_is_due_from_firing(house: SchedulerHouse) -> None:
    made = await house.create()
    house.clock.moment = NINE + MINUTE
    await house.update(made.id, name="Other")
    await house.service.tick()
    assert (await house.run(made.id)).outcome == "started"


@pytest.mark.parametrize("changes", [{"enabled": False}, {"recurrence": {"at": "10:00"}}, None])
async def test_once_asked_for_it_is_too_late(house: SchedulerHouse, changes: dict[str, Any] | None) -> None:
    made = await house.create()
    house.fleet.refusal = MowDeckError("internal", "Broken.")
    await house.tick_at(NINE)
    with pytest.raises(ConflictError) as firing:
        await (house.delete(made.id) if changes is None else house.update(made.id, **changes))
    assert firing.value.code == "firing"
    assert (await house.update(made.id, name="Still allowed")).name == "Still allowed"


async def test_a_row_that_stays_locked_is_a_conflict_within_two_seconds(house: SchedulerHouse) -> None:
    made = await house.create()
    async with house.pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT 1 FROM scheduler.schedule WHERE id = $1 FOR UPDATE", made.id)
        with pytest.raises(ConflictError) as firing:
            await house.update(made.id, enabled=False)
    assert firing.value.code == "firing"
    assert (await house.get(made.id)).enabled


async def test_a_firing_that_meets_a_write_is_put_off_for_seconds_only(house: SchedulerHouse) -> None:
    made = await house.create(duration_minutes=1)
    house.clock.moment = NINE
    await house.service.tick()
    first = await house.run(made.id)
    await house.pool.execute(
        "UPDATE scheduler.run SET outcome = NULL, look_again_at = $1, asked_at = NULL, followed = false", NINE
    )
    house.fleet.commands.clear()
    async with house.pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT 1 FROM scheduler.schedule WHERE id = $1 FOR UPDATE", made.id)
        await house.service.tick()
        assert (await house.run(made.id)).outcome is None
    await house.tick_at(NINE + 5 * SECOND)
    run = await house.run(made.id)
    assert (run.id, run.outcome) == (first.id, "started")
