"""By what a verdict of the rain rule was made: whose settings, which hour, how old a forecast."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from edge_gateway.contracts.fleet import SiteRain
from edge_gateway.contracts.schedules import RainSettings
from edge_gateway.scheduler.forecast import Forecast, ForecastHour
from edge_gateway.scheduler.rain import RainRule, decide, rule_of

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
RULE = RainRule(probability_percent=50.0)
SITE = {
    "enabled": False,
    "probability_percent": 90.0,
    "precipitation_mm": 3.0,
    "lookahead_hours": 9,
    "cooldown_hours": 8,
    "run_when_unknown": False,
}
OWN = {
    "enabled": True,
    "probability_percent": 30.0,
    "precipitation_mm": 1.5,
    "lookahead_hours": 0,
    "cooldown_hours": 0,
    "run_when_unknown": True,
}


@pytest.mark.parametrize("field", OWN)
def test_each_field_is_the_schedule_s_own_or_the_site_s(field: str) -> None:
    own: dict[str, Any] = {field: OWN[field]}
    site: dict[str, Any] = SITE
    assert asdict(rule_of(RainSettings(**own), SiteRain(**site))) == SITE | own


def hours(*amounts: float | None, first: datetime = NOON) -> tuple[ForecastHour, ...]:
    """Return hours one after the other, none of them probable."""
    return tuple(
        ForecastHour(first + number * HOUR, first + (number + 1) * HOUR, amount, 20.0)
        for number, amount in enumerate(amounts)
    )


def test_the_numbers_name_the_rule_the_forecast_and_the_hour_that_decided() -> None:
    forecast = Forecast("pushed", NOON - timedelta(seconds=90.4), hours(0.0, 0.7, 2.0))
    verdict = decide(forecast, NOON, RULE)
    assert verdict.settings is RULE
    assert verdict.numbers == {
        "rain_rule": asdict(RULE),
        "provider": "pushed",
        "forecast_age_seconds": 90,
        "hour": NOON + HOUR,
        "precipitation_mm": 0.7,
        "probability_percent": 20.0,
    }


def test_without_a_wet_hour_there_is_none_to_name() -> None:
    assert decide(Forecast("pushed", NOON, hours(0.0)), NOON, RULE).numbers == {
        "rain_rule": asdict(RULE),
        "provider": "pushed",
        "forecast_age_seconds": 0,
    }
    assert decide(None, NOON, RULE).numbers == {"rain_rule": asdict(RULE)}


def test_the_hours_may_come_in_any_order_the_first_wet_one_decides() -> None:
    later_first = hours(0.0, 0.7, 2.0)[::-1]
    verdict = decide(Forecast("pushed", NOON, later_first), NOON, RULE)
    assert (verdict.numbers["hour"], verdict.wet_until) == (NOON + HOUR, NOON + 3 * HOUR)


@pytest.mark.parametrize(
    ("told", "until"),
    [
        (hours(2.0, 2.0, 0.0, 2.0), NOON + 2 * HOUR),
        (hours(2.0, 0.0, 2.0), NOON + HOUR),
        ((*hours(2.0), ForecastHour(NOON, NOON + 2 * HOUR, 2.0, None)), NOON + 2 * HOUR),
        ((ForecastHour(NOON, NOON + 3 * HOUR, 2.0, None), *hours(2.0, 2.0)), NOON + 3 * HOUR),
        ((*hours(2.0, first=NOON - 3 * HOUR), *hours(0.0, 0.0, first=NOON - 2 * HOUR), *hours(2.0)), NOON + HOUR),
    ],
)
def test_wet_until_is_the_end_of_the_hours_that_are_wet_without_a_dry_one_between(
    told: tuple[ForecastHour, ...], until: datetime
) -> None:
    assert decide(Forecast("pushed", NOON, told), NOON, RULE).wet_until == until


def test_after_rain_it_is_wet_until_that_hour_s_end_and_the_grass_is_for_the_cooldown() -> None:
    fell = hours(2.0, *[0.0] * 8, first=NOON - 2 * HOUR)
    verdict = decide(Forecast("pushed", NOON, fell), NOON, RULE)
    assert (verdict.numbers["hour"], verdict.wet_until) == (NOON - 2 * HOUR, NOON - HOUR)
    assert verdict.pause_until == NOON + HOUR
