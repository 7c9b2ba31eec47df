"""What keeps a firing from starting: rain, a busy mower, rights, a target or areas that are gone, a manual skip."""

from datetime import timedelta
from typing import Any

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.contracts.schedules import RainSettings, ScheduleDisabled
from tests.service.scheduler.house import MONDAY, MOWER, NINE, SchedulerHouse

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


async def test_held_by_rain(house: SchedulerHouse) -> None:
    await house.restart(static_weather="rain")
    await house.create()
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.reason, run.final) == ("skipped_rain", "rain_expected", True)
    assert run.numbers["precipitation_mm"] == 2.0
    assert house.fleet.asked == []


@pytest.mark.parametrize(
    ("settings", "rain", "outcome"),
    [
        ({"static_weather": "rain"}, RainSettings(enabled=False), "started"),
        ({"static_weather": "unknown"}, RainSettings(), "started"),
        ({"static_weather": "unknown"}, RainSettings(run_when_unknown=False), "skipped_rain"),
        ({"weather_provider": "open_meteo"}, RainSettings(), "started"),
    ],
)
async def test_the_rain_rule_s_settings(
    house: SchedulerHouse, settings: dict[str, Any], rain: RainSettings, outcome: str
) -> None:
    await house.restart(**settings)
    await house.create(rain=rain)
    await house.tick_at(NINE)
    assert (await house.run()).outcome == outcome


async def test_without_a_place_there_is_no_forecast_and_the_record_says_so(house: SchedulerHouse) -> None:
    await house.restart(weather_provider="open_meteo")
    await house.create()
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.numbers["rain_reason"]) == ("started", "no_location")


async def test_a_mower_that_does_not_obey_the_rain_mows(house: SchedulerHouse) -> None:
    await house.restart(static_weather="rain")
    house.fleet.change_mower(MOWER, obey_rain=False)
    await house.create()
    await house.tick_at(NINE)
    assert (await house.run()).outcome == "started"


@pytest.mark.parametrize("activity", [Activity.MOWING, Activity.PAUSED, Activity.RETURNING])
async def test_a_busy_mower_is_left_alone(house: SchedulerHouse, activity: Activity) -> None:
    await house.create()
    await house.report(activity, NINE - MINUTE)
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.reason, run.numbers["activity"]) == ("skipped_mower_busy", "mower_busy", activity)
    assert house.fleet.asked == []


async def test_of_two_schedules_at_the_same_minute_one_starts(house: SchedulerHouse) -> None:
    await house.create()
    await house.create(name="Other")
    await house.tick_at(NINE)
    assert sorted(str(run.outcome) for run in await house.runs()) == ["skipped_mower_busy", "started"]
    assert len(house.fleet.starts) == 1


async def test_a_confirmed_open_run_makes_a_mower_busy_though_it_charges(house: SchedulerHouse) -> None:
    first = await house.create()
    await house.tick_at(NINE)
    job = Job(id="job-1", command_id=house.fleet.starts[0].id, resumable=True)
    await house.report(Activity.MOWING, NINE + 20 * SECOND, job=job)
    await house.until_seen(Activity.MOWING)
    await house.report(Activity.DOCKED, NINE + 20 * MINUTE, job=job)
    await house.tick_at(NINE + 21 * MINUTE)
    reply = await house.run_now((await house.create(name="Other")).id)
    run = reply.runs[0]
    assert (run.outcome, run.reason) == ("skipped_mower_busy", "other_run")
    assert run.numbers["run_id"] == (await house.run(first.id)).id


async def test_a_start_that_failed_makes_nobody_busy(house: SchedulerHouse) -> None:
    await house.create()
    await house.tick_at(NINE)
    await house.tick_at(NINE + 180 * SECOND)
    reply = await house.run_now((await house.create(name="Other")).id)
    assert reply.runs[0].outcome == "started"


@pytest.mark.parametrize("relation", [Relation.CAN_CONTROL])
async def test_three_firings_without_rights_disable(house: SchedulerHouse, relation: Relation) -> None:
    made = await house.create()
    house.fleet.denied = {(OWNER, relation)}
    for number in range(3):
        assert (await house.get(made.id)).enabled
        await house.tick_at(NINE + number * DAY)
    runs = await house.runs()
    assert [(run.outcome, run.reason, run.final) for run in runs] == [("skipped_permission", "forbidden", True)] * 3
    after = await house.get(made.id)
    assert (after.enabled, after.disabled_reason, after.next_run_at) == (False, "permission", None)
    [told] = await house.until_told(subjects.SCHEDULE_DISABLED, 1)
    assert told.decode(ScheduleDisabled) == ScheduleDisabled(schedule_id=made.id, reason="permission")
    assert house.fleet.asked == []


async def test_a_firing_with_rights_in_between_begins_the_count_anew(house: SchedulerHouse) -> None:
    made = await house.create()
    for number in range(5):
        house.fleet.denied = set() if number == 2 else {(OWNER, Relation.CAN_CONTROL)}
        await house.tick_at(NINE + number * DAY)
    assert (await house.get(made.id)).enabled


async def test_an_owner_that_fleet_does_not_know_any_more(house: SchedulerHouse) -> None:
    await house.create()
    house.fleet.known = set()
    await house.tick_at(NINE)
    house.fleet.known = {OWNER}
    run = await house.run()
    assert (run.outcome, run.reason) == ("skipped_permission", "unknown_principal")


async def test_a_target_that_is_gone_fails_and_disables(house: SchedulerHouse) -> None:
    made = await house.create()
    del house.fleet.mowers[MOWER]
    await house.tick_at(NINE)
    after = await house.get(made.id)
    assert (after.enabled, after.disabled_reason) == (False, "target_gone")
    assert after.last_run is not None
    assert (after.last_run.outcome, after.last_run.reason) == ("failed", "target_gone")


@pytest.mark.parametrize(
    ("area_ids", "known", "enabled", "reason"),
    [
        (None, None, None, "map_unknown"),
        (("area-1", "area-2"), ("area-2",), ("area-2",), "areas_gone"),
        (None, ("area-1",), (), "no_area_enabled"),
    ],
)
async def test_areas_are_never_a_guess(
    house: SchedulerHouse,
    area_ids: tuple[str, ...] | None,
    known: tuple[str, ...] | None,
    enabled: tuple[str, ...] | None,
    reason: str,
) -> None:
    await house.create(area_ids=area_ids)
    house.fleet.change_mower(MOWER, area_ids=known, enabled_area_ids=enabled)
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.reason, run.final) == ("failed", reason, True)
    assert house.fleet.asked == []


async def test_a_manual_skip_wins_over_everything_and_is_consumed(house: SchedulerHouse) -> None:
    made = await house.create()
    await house.skip(made.id)
    del house.fleet.mowers[MOWER]
    await house.tick_at(NINE)
    after = await house.get(made.id)
    assert after.last_run is not None
    assert (after.last_run.outcome, after.last_run.reason) == ("skipped_manual", "skipped")
    assert (after.enabled, after.skips, after.next_run_at) == (True, (), NINE + DAY)
    assert MONDAY not in after.skips
