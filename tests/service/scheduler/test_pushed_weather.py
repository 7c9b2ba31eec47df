"""Weather that Home Assistant pushes: a weather entity's hours and a rain sensor."""

from datetime import timedelta
from typing import Any

import pytest

from edge_gateway.contracts.errors import ForbiddenError, InvalidError, NotFoundError
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.contracts.weather import PushedHour, RainSensor
from tests.service.scheduler.house import NINE, SchedulerHouse
from tests.service.scheduler.sky import Sky

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
async def sky(house: SchedulerHouse) -> Sky:
    await house.restart(weather_provider="open_meteo")
    house.fleet.change_site(weather_source="home_assistant")
    return Sky(house)


def hours(first: int, last: int, **wet: Any) -> tuple[PushedHour, ...]:  # noqa: ANN401  # an hour's values
    """Return hours from nine + first to nine + last, dry but for those given as h<number>=(amount, percent)."""
    return tuple(
        PushedHour(starts_at=NINE + number * HOUR, precipitation=amount, probability_percent=percent)
        for number in range(first, last)
        for amount, percent in [wet.get(f"h{number}", (0.0, 0.0))]
    )


async def test_a_site_s_own_source_decides(house: SchedulerHouse, sky: Sky) -> None:
    reply = await sky.push(
        precipitation_unit="mm", hours=hours(-3, 8, h1=(0.6, 10.0)), source="weather.home", attribution="By somebody"
    )
    assert (reply.hours, reply.pushed_at) == (11, NINE - HOUR)
    await house.create()
    await house.tick_at(NINE)
    run = await house.run()
    assert (run.outcome, run.numbers["provider"], run.numbers["precipitation_mm"]) == (
        "skipped_rain",
        "home_assistant",
        0.6,
    )
    assert run.numbers["forecast_age_seconds"] == 3600
    assert (await sky.weather()).attribution == "By somebody"


@pytest.mark.parametrize(("unit", "amount", "holds"), [("in", 0.02, True), ("in", 0.019, False), ("cm", 0.05, True)])
async def test_units_are_converted(sky: Sky, unit: str, amount: float, holds: bool) -> None:  # noqa: FBT001  # the table's column
    await sky.push(precipitation_unit=unit, hours=hours(-4, 8, h1=(amount, 0.0)))
    assert (await sky.weather()).hold is holds


@pytest.mark.parametrize(
    "pushed",
    [
        {"precipitation_unit": "mm", "hours": ()},
        {"precipitation_unit": None, "hours": hours(-4, 8)},
        {"precipitation_unit": "mm", "hours": hours(-4, 8, h0=(0.0, None))},
        {"precipitation_unit": "mm", "hours": hours(-4, 8, h0=(None, 0.0))},
        {"precipitation_unit": "mm", "hours": hours(-4, 8, h0=(-1.0, 0.0))},
        {"precipitation_unit": "mm", "hours": hours(-4, 8, h0=(0.0, 130.0))},
    ],
)
async def test_what_is_missing_is_unknown(sky: Sky, pushed: dict[str, Any]) -> None:
    await sky.push(**pushed)
    shown = await sky.weather()
    assert (shown.wet, shown.reason) == (None, "forecast_unknown")


async def test_hours_that_are_over_stay_as_a_past(house: SchedulerHouse, sky: Sky) -> None:
    house.clock.moment = NINE - 2 * HOUR
    await sky.push(precipitation_unit="mm", hours=hours(-2, 8, **{"h-1": (3.0, 90.0)}))
    house.clock.moment = NINE
    await sky.push(precipitation_unit="mm", hours=hours(0, 8))
    shown = await sky.weather()
    assert (shown.hold, shown.reason) == (True, "rain_recent")
    assert shown.numbers["precipitation_mm"] == 3.0
    house.clock.moment = NINE + 2 * HOUR + MINUTE
    assert (await sky.weather()).reason == "dry"


async def test_without_a_past_it_is_unknown_until_there_is_one(house: SchedulerHouse, sky: Sky) -> None:
    house.clock.moment = NINE
    await sky.push(precipitation_unit="mm", hours=hours(0, 12))
    assert (await sky.weather()).reason == "forecast_unknown"
    house.clock.moment = NINE + 2 * HOUR
    await sky.push(precipitation_unit="mm", hours=hours(2, 12))
    assert (await sky.weather()).reason == "dry"


async def test_a_rain_sensor_holds_now_and_for_the_cooldown(house: SchedulerHouse, sky: Sky) -> None:
    dry: dict[str, Any] = {"precipitation_unit": "mm", "hours": hours(-4, 12)}
    house.clock.moment = NINE
    await sky.push(**dry, rain_sensor=RainSensor(raining=True, observed_at=NINE - 10 * MINUTE))
    shown = await sky.weather()
    assert (shown.hold, shown.wet) == (True, True)
    assert [hour.raining for hour in shown.hours].count(True) == 1
    house.clock.moment = NINE + 20 * MINUTE
    await sky.push(**dry, rain_sensor=RainSensor(raining=False, observed_at=NINE + 20 * MINUTE))
    recent = await sky.weather()
    assert (recent.hold, recent.reason, recent.pause_until) == (
        True,
        "rain_recent",
        NINE + 20 * MINUTE + 2 * HOUR,
    )
    house.clock.moment = NINE + 2 * HOUR + 20 * MINUTE
    assert (await sky.weather()).hold is False


async def test_a_sensor_that_falls_silent_does_not_hold_for_ever(house: SchedulerHouse, sky: Sky) -> None:
    await sky.push(
        precipitation_unit="mm",
        hours=hours(-4, 12),
        rain_sensor=RainSensor(raining=True, observed_at=NINE - HOUR),
    )
    house.clock.moment = NINE + 4 * HOUR
    assert (await sky.weather()).hold is False


async def test_a_push_is_old_after_six_hours(house: SchedulerHouse, sky: Sky) -> None:
    await sky.push(precipitation_unit="mm", hours=hours(-4, 40))
    house.clock.moment = NINE + 5 * HOUR
    assert (await sky.weather()).reason == "dry"
    house.clock.moment = NINE + 5 * HOUR + MINUTE
    assert (await sky.weather()).reason == "forecast_unknown"


async def test_bad_pushes_name_the_field(house: SchedulerHouse, sky: Sky) -> None:
    far = PushedHour(starts_at=NINE + timedelta(days=400))
    bad: tuple[tuple[dict[str, Any], str], ...] = (
        ({"hours": hours(0, 400)}, "hours"),
        ({"hours": (*hours(0, 1), far)}, "hours[1].starts_at"),
        ({"rain_sensor": RainSensor(raining=True, observed_at=NINE + HOUR)}, "rain_sensor.observed_at"),
    )
    for fields, field in bad:
        with pytest.raises(InvalidError) as raised:
            await sky.push(**fields)
        assert raised.value.field == field
    with pytest.raises(NotFoundError):
        await sky.push(site_id="elsewhere")
    house.fleet.denied.add((OWNER, Relation.CAN_MANAGE_MOWERS))
    with pytest.raises(ForbiddenError):
        await sky.push()
