"""The next 14 days of a plan, stored or drafted."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import Any

import pytest

from edge_gateway.contracts.errors import InvalidError, NotFoundError
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.contracts.quiet_hours import QuietHours, QuietTime
from edge_gateway.contracts.schedules import RainSettings, Target, WeeklyRecurrence
from edge_gateway.scheduler.weather.open_meteo import ATTRIBUTION
from tests.service.scheduler.house import MONDAY, MOWER, NINE, SchedulerHouse
from tests.service.scheduler.sky import Sky

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@pytest.fixture
async def sky(house: SchedulerHouse) -> AsyncIterator[Sky]:
    sky = Sky(house)
    await sky.start()
    sky.server.values = {NINE + DAY + HOUR: (2.0, 90.0)}
    await sky.fetch()
    yield sky
    await sky.server.stop()


async def test_a_draft_s_days_with_what_the_rain_rule_says(house: SchedulerHouse, sky: Sky) -> None:
    preview = await sky.preview(draft=house.draft())
    assert (preview.time_zone, preview.enabled, len(preview.items)) == ("Europe/Berlin", True, 14)
    first, second, third, *_ = preview.items
    assert (first.occurrence_at, first.local_time, first.day) == (NINE, "2026-05-04T09:00:00+02:00", MONDAY)
    assert first.window_ends_at == NINE + HOUR
    assert [(item.mowers[0].known, item.mowers[0].hold, item.mowers[0].reason) for item in (first, second, third)] == [
        (True, False, "dry"),
        (True, True, "rain_expected"),
        (False, None, None),
    ]
    # Two hours after the wet one: a forecast that ends at midnight still reaches that far.
    assert second.mowers[0].pause_until == NINE + DAY + 4 * HOUR
    assert preview.attribution == (ATTRIBUTION,)
    assert await house.runs() == []


async def test_a_stored_schedule_s_skips_are_shown(house: SchedulerHouse, sky: Sky) -> None:
    schedule = await house.create(rain=RainSettings(enabled=False))
    await house.skip(schedule.id)
    preview = await sky.preview(schedule_id=schedule.id)
    assert [item.skipped for item in preview.items[:3]] == [True, False, False]
    assert preview.items[1].mowers[0].hold is False


async def test_the_wall_clock_wins_when_the_clocks_change(house: SchedulerHouse, sky: Sky) -> None:
    house.clock.moment = NINE.replace(month=10, day=20)
    await sky.fetch()
    preview = await sky.preview(draft=house.draft())
    around = [item.local_time for item in preview.items if item.day in {date(2026, 10, 24), date(2026, 10, 25)}]
    assert around == ["2026-10-24T09:00:00+02:00", "2026-10-25T09:00:00+01:00"]


async def test_a_disabled_schedule_shows_what_it_would_do(house: SchedulerHouse, sky: Sky) -> None:
    schedule = await house.create(enabled=False)
    preview = await sky.preview(schedule_id=schedule.id)
    assert (preview.enabled, len(preview.items)) == (False, 14)


async def test_a_mower_that_does_not_obey_is_not_held(house: SchedulerHouse, sky: Sky) -> None:
    house.fleet.change_mower(MOWER, obey_rain=False)
    preview = await sky.preview(draft=house.draft())
    assert [item.mowers[0].hold for item in preview.items[:2]] == [False, False]


async def test_quiet_hours_are_shown_by_the_rule_of_a_firing(house: SchedulerHouse, sky: Sky) -> None:
    """Nine o'clock lies before them, but within the quarter of an hour in which a mower is called home."""
    house.fleet.change_site(quiet_hours=QuietHours(begin=QuietTime(at="09:10"), end=QuietTime(at="11:00")))
    draft = house.draft(recurrence=WeeklyRecurrence(days=("mon", "tue"), at="09:00"))
    shown = (await sky.preview(draft=draft)).items[0].mowers[0]
    assert (shown.quiet, shown.quiet_from, shown.quiet_until) == (True, NINE + HOUR / 6, NINE + 2 * HOUR)
    assert (shown.known, shown.hold) == (True, False)
    early = await sky.preview(draft=house.draft(recurrence=WeeklyRecurrence(days=("mon",), at="08:54")))
    assert [(item.mowers[0].quiet, item.mowers[0].quiet_from) for item in early.items] == [(False, None)] * 2
    schedule = await house.create(recurrence=draft.recurrence)
    assert (await sky.preview(schedule_id=schedule.id)).items[0].mowers[0] == shown
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.reason) == ("skipped_window", "quiet_hours")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"recurrence": WeeklyRecurrence(days=(), at="09:00")}, "draft.recurrence.days"),
        ({"recurrence": WeeklyRecurrence(days=("mon",), at="25:00")}, "draft.recurrence.at"),
        ({"time_zone": "Mars/Olympus"}, "draft.time_zone"),
        ({"target": Target(mower_id="mower-9")}, "draft.target.mower_id"),
        ({"area_ids": ("nowhere",)}, "draft.area_ids"),
        ({"rain": RainSettings(probability_percent=0)}, "draft.rain.probability_percent"),
    ],
)
async def test_what_is_wrong_with_a_draft_is_named(
    house: SchedulerHouse, sky: Sky, changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidError) as raised:
        await sky.preview(draft=house.draft(**changes))
    assert raised.value.field == field


async def test_one_of_both_is_previewed_and_only_what_is_seen(house: SchedulerHouse, sky: Sky) -> None:
    schedule = await house.create()
    both: dict[str, Any] = {"draft": house.draft(), "schedule_id": schedule.id}
    for fields in ({}, both):
        with pytest.raises(InvalidError) as raised:
            await sky.preview(**fields)
        assert raised.value.field == "draft"
    with pytest.raises(NotFoundError):
        await sky.preview(schedule_id="nothing")
    house.fleet.known.add("user:guest")
    house.fleet.denied.add(("user:guest", Relation.CAN_VIEW))
    with pytest.raises(NotFoundError):
        await sky.preview(schedule_id=schedule.id, principal="user:guest")
    assert (await sky.preview(schedule_id=schedule.id, principal=OWNER)).items
