"""What is shown of the weather at a mower: the rule's verdict, and a person's word before it."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.fleet import Site, TargetMower
from edge_gateway.contracts.weather import (
    MowerOverrides,
    MowerWeather,
    Override,
    RainRuleSettings,
    RainState,
    WeatherHour,
)
from edge_gateway.scheduler.forecast import Forecast, ForecastHour
from edge_gateway.scheduler.rain import RainRule
from edge_gateway.scheduler.weather.forecasts import Sky
from edge_gateway.scheduler.weather.rain_states import state_of, weather_of

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MOWER = TargetMower(
    mower_id="mower-1",
    site=Site(id="home", account_id="home", name="Home", time_zone="Europe/Berlin"),
    area_ids=None,
    enabled_area_ids=None,
    obey_rain=True,
)
RULE = RainRule(lookahead_hours=1)
WET = Forecast(
    "pushed",
    NOON - timedelta(seconds=90.4),
    tuple(ForecastHour(NOON + number * HOUR, NOON + (number + 1) * HOUR, 1.5, 80.0, 1.0) for number in (1, 0)),
    attribution="by somebody",
)
WORD = Override(until=NOON + HOUR, set_by="user:owner", set_at=NOON)
NO_WORDS = MowerOverrides(mower_id="mower-1")


def weather(
    sky: Sky | None = None,
    words: MowerOverrides = NO_WORDS,
    **changes: Any,  # noqa: ANN401  # fields of the mower
) -> MowerWeather:
    mower = msgspec.structs.replace(MOWER, **changes)
    return weather_of(mower, sky or Sky(source="pushed", forecast=WET), words, RULE, NOON)


def test_all_of_a_verdict_is_shown_with_its_hours_in_order() -> None:
    shown = weather()
    assert shown == MowerWeather(
        mower_id="mower-1",
        site_id="home",
        obey_rain=True,
        hold=True,
        reason="rain_expected",
        wet=True,
        wet_until=NOON + 2 * HOUR,
        pause_until=None,
        settings=RainRuleSettings(**asdict(RULE)),
        numbers={"hour": NOON, "precipitation_mm": 1.5, "probability_percent": 80.0},
        provider="pushed",
        fetched_at=WET.fetched_at,
        age_seconds=90,
        attribution="by somebody",
        hours=tuple(
            WeatherHour(
                starts_at=NOON + number * HOUR,
                ends_at=NOON + (number + 1) * HOUR,
                precipitation_mm=1.5,
                probability_percent=80.0,
                rain_mm=1.0,
            )
            for number in (0, 1)
        ),
    )
    told = state_of(shown)
    assert type(told) is RainState
    assert {name: getattr(told, name) for name in RainState.__struct_fields__} == {
        name: getattr(shown, name) for name in RainState.__struct_fields__
    }


def test_without_a_forecast_nothing_is_known_and_nothing_invented() -> None:
    shown = weather(Sky(source="open_meteo", forecast=None))
    assert (shown.hold, shown.reason, shown.wet, shown.pause_until) == (False, "forecast_unknown", None, None)
    assert (shown.provider, shown.fetched_at, shown.age_seconds, shown.attribution) == ("open_meteo", None, None, None)
    assert (shown.numbers, shown.hours) == ({}, ())


def test_the_end_of_a_pause_is_shown() -> None:
    dry = tuple(ForecastHour(NOON + number * HOUR, NOON + (number + 1) * HOUR, 0.0, 0.0) for number in range(2, 9))
    shown = weather(Sky(source="pushed", forecast=Forecast("pushed", NOON, (*WET.hours, *dry))))
    assert shown.pause_until == NOON + 4 * HOUR


HELD = MowerOverrides(mower_id="mower-1", mower_hold=WORD)
ALL_THE_SAME = MowerOverrides(mower_id="mower-1", rain_override=WORD)
NOWHERE = Sky(source="none", forecast=WET, no_location=True)


@pytest.mark.parametrize(
    ("sky", "words", "obeys", "hold", "reason"),
    [
        (NOWHERE, HELD, False, True, "held_by_user"),
        (NOWHERE, ALL_THE_SAME, False, False, "not_obeyed"),
        (NOWHERE, ALL_THE_SAME, True, False, "no_location"),
        (None, ALL_THE_SAME, True, False, "rain_override"),
        (None, NO_WORDS, True, True, "rain_expected"),
    ],
)
def test_a_hold_wins_then_the_mower_then_the_place_then_a_person_s_word_then_the_rule(
    sky: Sky | None, words: MowerOverrides, *, obeys: bool, hold: bool, reason: str
) -> None:
    shown = weather(sky, words, obey_rain=obeys)
    assert (shown.hold, shown.reason, shown.obey_rain) == (hold, reason, obeys)
    assert (shown.mower_hold, shown.rain_override) == (words.mower_hold, words.rain_override)
