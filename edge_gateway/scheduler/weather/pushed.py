"""What Home Assistant pushes: the hourly forecast of a weather entity and a rain sensor, kept as hours. Pure.

A weather entity only tells of the future: an hour that was pushed stays when it is over, which makes a past. A unit
that is not known, an amount or a probability that is missing or no sensible number is unknown, never 0.
"""

import math
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import msgspec

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.weather import PushedHour, PushWeatherRequest, RainSensor
from edge_gateway.scheduler.forecast import Forecast, ForecastHour

NAME = "home_assistant"

MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4}
MOST_HOURS = 24 * 16
_ONE_HOUR = timedelta(hours=1)
_PAST_KEPT_FOR = timedelta(hours=50)
"""The longest cooldown, and a little."""
_STATE_HOLDS_FOR = timedelta(minutes=90)
"""So long what a sensor said counts without being said again."""
_MOST_AHEAD = timedelta(days=17)
_SENSOR_TOLERANCE = timedelta(minutes=5)
_CERTAIN_PERCENT = 100.0


class Span(msgspec.Struct, frozen=True):
    """[starts_at, ends_at)."""

    starts_at: datetime
    ends_at: datetime


class PushedWeather(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of a site by what was pushed."""

    pushed_at: datetime
    source: str | None = None
    attribution: str | None = None
    hours: tuple[ForecastHour, ...] = ()
    wet_spans: tuple[Span, ...] = ()
    raining: bool | None = None
    sensed_at: datetime | None = None


def check(request: PushWeatherRequest, now: datetime) -> None:
    """Raise `InvalidError` naming the field of what no forecast can hold."""
    if len(request.hours) > MOST_HOURS:
        raise InvalidError("invalid", f"A forecast has at most {MOST_HOURS} hours.", field="hours")
    for number, hour in enumerate(request.hours):
        if abs(hour.starts_at - now) > _MOST_AHEAD:
            raise InvalidError(
                "invalid", "This hour does not lie within days of now.", field=f"hours[{number}].starts_at"
            )
    sensor = request.rain_sensor
    if sensor is not None and sensor.observed_at > now + _SENSOR_TOLERANCE:
        raise InvalidError("invalid", "This lies in the future.", field="rain_sensor.observed_at")


def taken(known: PushedWeather | None, request: PushWeatherRequest, now: datetime) -> PushedWeather:
    """Return what is known after a checked push."""
    before = known or PushedWeather(pushed_at=now)
    factor = None if request.precipitation_unit is None else MILLIMETRES[request.precipitation_unit]
    hours = tuple(sorted((_hour(hour, factor) for hour in request.hours), key=lambda hour: hour.starts_at))
    sensed = before if request.rain_sensor is None else _sensed(before, request.rain_sensor)
    return PushedWeather(
        pushed_at=now,
        source=request.source,
        attribution=request.attribution,
        hours=(*_past(before.hours, hours, now), *hours),
        wet_spans=tuple(span for span in sensed.wet_spans if span.ends_at > now - _PAST_KEPT_FOR),
        raining=sensed.raining if request.rain_sensor is not None else None,
        sensed_at=sensed.sensed_at if request.rain_sensor is not None else None,
    )


def forecast_of(known: PushedWeather, now: datetime) -> Forecast:
    """Return what was pushed as hours; the spans in which the sensor felt rain are wet hours of their own."""
    spans = list(known.wet_spans)
    if known.raining and known.sensed_at is not None and known.sensed_at <= now < known.sensed_at + _STATE_HOLDS_FOR:
        # Nobody knows when it ends: this hour is wet, and the next one when it still rains then.
        this_hour = now.replace(minute=0, second=0, microsecond=0)
        spans.append(Span(known.sensed_at, this_hour + _ONE_HOUR))
    wet = tuple(ForecastHour(span.starts_at, span.ends_at, None, None, raining=True) for span in spans)
    return Forecast(NAME, known.pushed_at, (*known.hours, *wet), known.attribution)


def _hour(pushed: PushedHour, factor: float | None) -> ForecastHour:
    starts_at = pushed.starts_at.astimezone(UTC)
    amount = None if factor is None or pushed.precipitation is None else pushed.precipitation * factor
    percent = pushed.probability_percent
    return ForecastHour(
        starts_at,
        starts_at + _ONE_HOUR,
        amount if amount is not None and math.isfinite(amount) and amount >= 0 else None,
        percent if percent is not None and 0 <= percent <= _CERTAIN_PERCENT else None,
    )


def _past(before: Iterable[ForecastHour], new: tuple[ForecastHour, ...], now: datetime) -> Iterable[ForecastHour]:
    """Return the hours from earlier pushes that stay: those that have begun and that the new ones do not tell of."""
    told = {hour.starts_at for hour in new}
    return (
        hour
        for hour in before
        if hour.starts_at not in told and hour.starts_at <= now and hour.ends_at > now - _PAST_KEPT_FOR
    )


def _sensed(before: PushedWeather, sensor: RainSensor) -> PushedWeather:
    """Return what is known after a word of the sensor; one that is older than the last is no news."""
    observed_at = sensor.observed_at.astimezone(UTC)
    if before.sensed_at is not None and observed_at < before.sensed_at:
        return before
    spans = before.wet_spans
    if before.raining and before.sensed_at is not None:
        # It rained from then to now, or as long as its word counts.
        until = min(observed_at, before.sensed_at + _STATE_HOLDS_FOR)
        spans = _with(spans, Span(before.sensed_at, until))
    return msgspec.structs.replace(before, wet_spans=spans, raining=sensor.raining, sensed_at=observed_at)


def _with(spans: tuple[Span, ...], span: Span) -> tuple[Span, ...]:
    if span.ends_at <= span.starts_at:
        return spans
    if spans and spans[-1].ends_at >= span.starts_at:
        return (*spans[:-1], Span(spans[-1].starts_at, span.ends_at))
    return (*spans, span)
