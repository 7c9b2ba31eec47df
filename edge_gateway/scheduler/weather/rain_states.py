"""The rain verdict of a mower as it is shown: by its site's settings, with what persons said of it. Pure."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

import msgspec

from edge_gateway.contracts.fleet import TargetMower
from edge_gateway.contracts.weather import MowerOverrides, MowerWeather, RainRuleSettings, RainState, WeatherHour
from edge_gateway.scheduler.forecast import Forecast, ForecastHour
from edge_gateway.scheduler.rain import RainRule, RainVerdict, decide
from edge_gateway.scheduler.verdicts import Reason
from edge_gateway.scheduler.weather.forecasts import Sky

NOT_OBEYED = "not_obeyed"
RAIN_OVERRIDE = "rain_override"

_OF_THE_DECIDING_HOUR = ("hour", "precipitation_mm", "probability_percent")


def weather_of(found: TargetMower, sky: Sky, words: MowerOverrides, rule: RainRule, now: datetime) -> MowerWeather:
    """Return what is shown of a mower's weather now."""
    verdict = decide(sky.forecast, now, rule)
    hold, reason = _held(found, sky, words, verdict)
    forecast = sky.forecast
    return MowerWeather(
        mower_id=found.mower_id,
        site_id=found.site.id,
        obey_rain=found.obey_rain,
        hold=hold,
        reason=reason,
        wet=verdict.wet,
        wet_until=verdict.wet_until,
        pause_until=verdict.pause_until,
        settings=RainRuleSettings(**asdict(rule)),
        mower_hold=words.mower_hold,
        rain_override=words.rain_override,
        numbers=_numbers(verdict),
        provider=sky.source,
        fetched_at=None if forecast is None else forecast.fetched_at,
        age_seconds=None if forecast is None else round((now - forecast.fetched_at).total_seconds()),
        attribution=None if forecast is None else forecast.attribution,
        hours=() if forecast is None else hours_of(forecast),
    )


def state_of(weather: MowerWeather) -> RainState:
    """Return the part of it that is told when it changes."""
    return RainState(**{name: getattr(weather, name) for name in RainState.__struct_fields__})


def hours_of(forecast: Forecast) -> tuple[WeatherHour, ...]:
    """Return a forecast's hours as they are shown, in their order."""
    ordered = sorted(forecast.hours, key=lambda hour: hour.starts_at)
    return tuple(msgspec.convert(_fields(hour), WeatherHour) for hour in ordered)


def _fields(hour: ForecastHour) -> dict[str, Any]:
    return asdict(hour)


def _held(found: TargetMower, sky: Sky, words: MowerOverrides, verdict: RainVerdict) -> tuple[bool, str]:
    """Return whether a plan's firing would be held, and why or why not: the order in which a firing is decided."""
    if words.mower_hold is not None:
        return True, Reason.HELD_BY_USER
    if not found.obey_rain:
        return False, NOT_OBEYED
    if sky.no_location:
        return False, Reason.NO_LOCATION
    if words.rain_override is not None:
        return False, RAIN_OVERRIDE
    return verdict.hold, verdict.reason


def _numbers(verdict: RainVerdict) -> dict[str, Any]:
    return {name: verdict.numbers[name] for name in _OF_THE_DECIDING_HOUR if name in verdict.numbers}
