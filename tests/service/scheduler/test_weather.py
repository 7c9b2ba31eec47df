"""Forecasts fetched ahead and kept; no tick waits for one; a firing without one waits a minute, then it is unknown."""

import asyncio
import time
from datetime import timedelta

import pytest

from edge_gateway.contracts.mower import Activity, Position
from edge_gateway.contracts.schedules import RainSettings, Target
from edge_gateway.scheduler.weather.fetching import Fetching
from edge_gateway.scheduler.weather.open_meteo import ATTRIBUTION
from tests.eventually import eventually
from tests.service.scheduler.house import NINE, SchedulerHouse
from tests.service.scheduler.sky import Sky

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


async def test_a_forecast_is_fetched_a_quarter_of_an_hour_ahead(house: SchedulerHouse, sky: Sky) -> None:
    await house.create()
    await sky.look_at(NINE - 15 * MINUTE - SECOND)
    assert sky.server.requests == []
    await sky.look_at(NINE - 15 * MINUTE)
    assert [(query["latitude"], query["longitude"]) for query in sky.server.requests] == [("52.52", "13.41")]


async def test_the_firing_decides_by_it_and_says_so(house: SchedulerHouse, sky: Sky) -> None:
    sky.server.values = {NINE + HOUR: (1.2, 40.0)}
    await house.create()
    await sky.look_at(NINE - 12 * MINUTE)
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.reason, run.final) == ("skipped_rain", "rain_expected", True)
    assert run.numbers["precipitation_mm"] == 1.2
    assert run.numbers["forecast_age_seconds"] == 720
    assert run.numbers["provider"] == "open_meteo"
    assert house.fleet.asked == []


async def test_a_forecast_of_a_clock_that_was_ahead_is_fetched_anew(house: SchedulerHouse, sky: Sky) -> None:
    await house.create()
    await sky.look_at(NINE + DAY - 12 * MINUTE)
    await sky.look_at(NINE - 12 * MINUTE)
    assert len(sky.server.requests) == 2
    await sky.look_at(NINE - 11 * MINUTE)
    assert len(sky.server.requests) == 2, "kept from now on"
    await house.tick_at(NINE)
    assert (await house.run()).numbers["forecast_age_seconds"] == 720


async def test_four_mowers_on_a_site_are_one_request(house: SchedulerHouse, sky: Sky) -> None:
    await house.create()
    for number in range(2, 5):
        house.fleet.add_mower(f"mower-{number}")
        await house.create(target=Target(mower_id=f"mower-{number}"))
    await sky.look_at(NINE - 10 * MINUTE)
    await house.tick_at(NINE)
    assert [run.outcome for run in await house.runs()] == ["started"] * 4
    await sky.look_at(NINE + MINUTE)
    assert len(sky.server.requests) == 1


async def test_disabled_and_static_ask_nobody(house: SchedulerHouse, sky: Sky) -> None:
    await house.create(enabled=False)
    await sky.look_at(NINE - MINUTE)
    await sky.restart(weather_provider="static")
    await house.create()
    await sky.look_at(NINE - MINUTE)
    assert sky.server.requests == []


async def test_the_tick_never_waits_for_a_server_that_hangs(house: SchedulerHouse, sky: Sky) -> None:
    sky.server.hanging = asyncio.Event()
    await house.create()
    house.clock.moment = NINE - MINUTE
    looking = asyncio.create_task(house.service.look_at_weather())

    async def asked() -> bool:
        return bool(sky.server.requests)

    await eventually(asked)
    begun_at = time.monotonic()
    await house.tick_at(NINE)
    assert time.monotonic() - begun_at < 2
    assert not looking.done()
    assert (await house.run()).outcome is None
    await house.tick_at(NINE + 60 * SECOND)
    run = await house.run()
    assert (run.outcome, run.numbers["rain_reason"]) == ("started", "forecast_unknown")
    sky.server.hanging.set()
    await looking


async def test_a_firing_without_a_forecast_goes_on_as_soon_as_one_comes(house: SchedulerHouse, sky: Sky) -> None:
    sky.server.values = {NINE: (2.0, 100.0)}
    await house.create()
    await house.tick_at(NINE)
    assert (await house.run()).outcome is None
    await sky.look_at(NINE + SECOND)
    await house.service.tick()
    run = await house.run()
    assert (run.outcome, run.numbers["hour"]) == ("skipped_rain", NINE.isoformat().replace("+00:00", "Z"))


@pytest.mark.parametrize(("run_when_unknown", "outcome"), [(True, "started"), (False, "skipped_rain")])
async def test_after_a_minute_without_one_it_is_unknown(
    house: SchedulerHouse,
    sky: Sky,
    run_when_unknown: bool,  # noqa: FBT001  # the table's column
    outcome: str,
) -> None:
    sky.server.status = 502
    await house.create(rain=RainSettings(run_when_unknown=run_when_unknown))
    await sky.look_at(NINE - MINUTE)
    for second in range(0, 60, 5):
        await house.tick_at(NINE + second * SECOND)
        assert (await house.run()).outcome is None
    await house.tick_at(NINE + 60 * SECOND)
    run = await house.run()
    assert (run.outcome, run.numbers["rain_reason"]) == (outcome, "forecast_unknown")


@pytest.mark.usefixtures("sky")
async def test_a_short_window_is_not_waited_away(house: SchedulerHouse) -> None:
    await house.create(duration_minutes=1)
    await house.tick_at(NINE)
    assert (await house.run()).outcome is None
    await house.tick_at(NINE + 30 * SECOND)
    assert (await house.run()).outcome == "started"


async def test_a_rule_that_is_off_waits_for_nothing(house: SchedulerHouse, sky: Sky) -> None:
    await house.create(rain=RainSettings(enabled=False))
    await house.tick_at(NINE)
    assert (await house.run()).outcome == "started"
    assert sky.server.requests == []


async def test_an_outage_of_hours_keeps_the_last_forecast_for_six_and_shows_its_age(
    house: SchedulerHouse, sky: Sky
) -> None:
    sky.server.values = {NINE + number * HOUR: (2.0, 100.0) for number in range(-2, 12)}
    await house.create()
    fetched_at = NINE - 6 * HOUR
    house.clock.moment = fetched_at
    await sky.fetch()
    sky.server.status = 502
    for minutes in range(15, 0, -1):
        await sky.look_at(NINE - minutes * MINUTE)
    assert len(sky.server.requests) <= 1 + 5
    shown = await sky.weather()
    assert (shown.age_seconds, shown.fetched_at) == (6 * 3600 - 60, fetched_at)
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.numbers["forecast_age_seconds"]) == ("skipped_rain", 6 * 3600)
    house.clock.moment = NINE + SECOND
    gone = await sky.fetch()
    assert (gone.reason, gone.hours, gone.age_seconds) == ("forecast_unknown", (), None)


@pytest.mark.parametrize("body", [b"<html>busy</html>", b'{"hourly": {}}'])
async def test_garbage_is_no_forecast_and_no_failure_of_the_tick(house: SchedulerHouse, sky: Sky, body: bytes) -> None:
    sky.server.body = body
    await house.create()
    await sky.look_at(NINE - MINUTE)
    await house.tick_at(NINE)
    await house.tick_at(NINE + MINUTE)
    run = await house.run()
    assert (run.outcome, run.numbers["rain_reason"]) == ("started", "forecast_unknown")


async def test_a_look_that_fails_is_tried_again(
    house: SchedulerHouse, sky: Sky, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: Fetching) -> None:
        message = "not foreseen"
        raise RuntimeError(message)

    await house.create()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Fetching, "fetch_all", fail)
        await sky.look_at(NINE - 10 * MINUTE)
    await sky.look_at(NINE - 10 * MINUTE)
    assert len(sky.server.requests) == 1


async def test_hours_that_are_missing_make_it_unknown_and_wet_ones_hold(house: SchedulerHouse, sky: Sky) -> None:
    sky.server.left_out = 72 - 24 - 8
    strict = await house.create(rain=RainSettings(run_when_unknown=False))
    await sky.look_at(NINE - MINUTE)
    await house.tick_at(NINE)
    run = await house.run(strict.id)
    assert (run.outcome, run.reason) == ("skipped_rain", "forecast_unknown")


async def test_a_restart_has_the_forecast_and_asks_no_more(house: SchedulerHouse, sky: Sky) -> None:
    sky.server.values = {NINE: (2.0, 100.0)}
    await house.create()
    await sky.look_at(NINE - 14 * MINUTE)
    await sky.restart()
    await sky.look_at(NINE - MINUTE)
    await house.tick_at(NINE)
    assert (await house.run()).outcome == "skipped_rain"
    assert len(sky.server.requests) == 1


async def test_without_coordinates_the_map_s_origin_counts_and_before_a_map_the_last_position(
    house: SchedulerHouse, sky: Sky
) -> None:
    """48.1 north is where it was last, 50.0 the origin of its map, 52.52 the site's own."""
    house.fleet.change_site(latitude=None, longitude=None)
    await house.tell_site_changed()
    await house.report(Activity.IDLE, NINE - HOUR, position=Position(latitude=48.1, longitude=11.6))
    await house.create()
    for step in range(3):
        if step == 1:
            await house.tell_map(origin=(50.0012, 8.9987))
        if step == 2:
            house.fleet.change_site(latitude=52.5212, longitude=13.4101)
            await house.tell_site_changed()

        async def asked(count: int = step + 1) -> bool:
            await sky.look_at(NINE - MINUTE)
            return len(sky.server.requests) == count

        await eventually(asked)
    places = [(query["latitude"], query["longitude"]) for query in sky.server.requests]
    assert places == [("48.1", "11.6"), ("50", "9"), ("52.52", "13.41")]


async def test_a_mower_that_is_out_keeps_its_forecast_fresh(house: SchedulerHouse, sky: Sky) -> None:
    await house.create()
    await sky.look_at(NINE - 10 * MINUTE)
    await house.tick_at(NINE)
    await sky.look_at(NINE + 20 * MINUTE)
    assert len(sky.server.requests) == 2


async def test_the_loop_asks_for_what_a_waiting_firing_wants(house: SchedulerHouse, sky: Sky) -> None:
    await house.service.stop()
    house.service = house.make_service(weather_provider="open_meteo", open_meteo_url=sky.server.url)
    await house.service.start()
    sky.server.values = {NINE: (2.0, 100.0)}
    await house.create()
    house.clock.moment = NINE
    await house.create(name="Wakes the tick")

    async def decided() -> bool:
        runs = await house.runs()
        return bool(runs) and runs[0].outcome == "skipped_rain"

    await eventually(decided)


async def test_the_weather_of_a_mower(sky: Sky) -> None:
    sky.server.values = {NINE + HOUR: (1.2, 70.0), NINE + 2 * HOUR: (0.0, 65.0)}
    sky.house.clock.moment = NINE
    shown = await sky.fetch()
    assert (shown.hold, shown.reason, shown.wet) == (True, "rain_expected", True)
    assert (shown.wet_until, shown.pause_until) == (NINE + 3 * HOUR, NINE + 4 * HOUR)
    assert (shown.provider, shown.attribution, shown.age_seconds) == ("open_meteo", ATTRIBUTION, 0)
    assert shown.settings.probability_percent == 60.0
    assert len(shown.hours) == 72
    assert [hour.rain_mm for hour in shown.hours if hour.starts_at == NINE + HOUR] == [1.2]
    tried = await sky.weather(probability_percent=80.0, precipitation_mm=2.0)
    assert (tried.hold, tried.settings.probability_percent) == (False, 80.0)
    assert len(sky.server.requests) == 1


async def test_a_site_s_settings_count_where_a_plan_says_nothing(house: SchedulerHouse, sky: Sky) -> None:
    sky.server.values = {NINE + HOUR: (0.0, 50.0)}
    rain = house.fleet.site.rain
    house.fleet.change_site(rain=type(rain)(probability_percent=45.0))
    house.fleet.add_mower("mower-2")
    lenient = await house.create(rain=RainSettings(probability_percent=55.0))
    strict = await house.create(target=Target(mower_id="mower-2"))
    await sky.look_at(NINE - MINUTE)
    await house.tick_at(NINE)
    assert (await house.run(strict.id)).outcome == "skipped_rain"
    assert (await house.run(lenient.id)).outcome == "started"


async def test_without_a_place_it_says_so(house: SchedulerHouse, sky: Sky) -> None:
    house.fleet.change_site(latitude=None, longitude=None)
    shown = await sky.weather()
    assert (shown.hold, shown.reason, shown.wet, shown.hours) == (False, "no_location", None, ())
