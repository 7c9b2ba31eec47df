"""What is read of a forecast and of a rain sensor: nothing is made up."""

from datetime import UTC, datetime
from typing import Any

import pytest

from custom_components.mowdeck.client.pushed_weather import PushedHour
from custom_components.mowdeck.forecast_reading import read_hours, read_raining, read_unit
from custom_components.mowdeck.weather_choice import WeatherChoice, with_choice


def hour(number: int, amount: float | None, percent: float | None) -> PushedHour:
    """Return an hour of the first of May."""
    moment = datetime(2026, 5, 1, number, tzinfo=UTC)
    return PushedHour(starts_at=moment, precipitation=amount, probability_percent=percent)


def test_hours_are_read_in_their_order_and_what_is_missing_is_unknown() -> None:
    forecast: list[Any] = [
        {"datetime": "2026-05-01T10:00:00+02:00", "precipitation": 0.5, "precipitation_probability": 40},
        {"datetime": "2026-05-01T07:00:00", "precipitation": "0.0"},
        {"datetime": "2026-05-01T09:00:00+00:00", "precipitation": -1, "precipitation_probability": True},
        {"datetime": "2026-05-01T10:00:00+00:00", "precipitation": float("nan"), "precipitation_probability": "much"},
        {"precipitation": 3},
        "rain",
    ]
    assert read_hours(forecast) == (hour(7, 0.0, None), hour(8, 0.5, 40.0), hour(9, None, None), hour(10, None, None))


@pytest.mark.parametrize("nothing", [None, {}, "rain"])
def test_what_is_no_forecast_has_no_hours(nothing: object) -> None:
    assert read_hours(nothing) == ()


def test_only_units_that_the_gateway_knows_are_told() -> None:
    assert read_unit({"precipitation_unit": "in"}) == "in"
    assert read_unit({"precipitation_unit": "cubits"}) is None
    assert read_unit({}) is None


@pytest.mark.parametrize(
    ("state", "raining"),
    [
        ("on", True),
        ("off", False),
        ("0.0", False),
        ("0.2", True),
        ("unavailable", None),
        ("unknown", None),
        ("wet", None),
        (None, None),
    ],
)
def test_a_rain_sensor_says_on_or_off_or_an_amount(state: str | None, raining: bool | None) -> None:  # noqa: FBT001
    assert read_raining(state) is raining


def test_a_choice_of_one_site_leaves_the_others_alone() -> None:
    options = with_choice({}, "home", {"weather_entity": "weather.a", "rain_sensor": "binary_sensor.b"})
    options = with_choice(options, "away", {"weather_entity": "weather.c"})
    assert WeatherChoice.read(options, "home") == WeatherChoice(
        weather_entity="weather.a", rain_sensor="binary_sensor.b"
    )
    assert WeatherChoice.read(options, "away") == WeatherChoice(weather_entity="weather.c", rain_sensor=None)
    options = with_choice(options, "home", {})
    assert WeatherChoice.read(options, "home") is None
    assert WeatherChoice.read(options, "away") is not None
