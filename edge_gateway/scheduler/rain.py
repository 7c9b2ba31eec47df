"""The rain rule: whether a run is held, and until when. Nowhere else.

Held when an hour that overlaps [t, t + lookahead] reaches the probability **or** the millimetre threshold, or an hour
that overlaps [t - cooldown, t] reached the millimetre threshold. A wet hour holds; otherwise any needed hour that is
missing, or whose value is, makes the verdict unknown: unknown is not dry.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from edge_gateway.contracts.fleet import SiteRain
from edge_gateway.contracts.schedules import RainSettings
from edge_gateway.scheduler.forecast import Forecast, ForecastHour


@dataclass(frozen=True, slots=True, kw_only=True)
class RainRule:
    """The settings that a verdict is made by; each has a value."""

    enabled: bool = True
    probability_percent: float = 60.0
    precipitation_mm: float = 0.5
    lookahead_hours: int = 3
    cooldown_hours: int = 2
    run_when_unknown: bool = True

    @property
    def lookahead(self) -> timedelta:
        """How far ahead rain holds a run."""
        return timedelta(hours=self.lookahead_hours)

    @property
    def cooldown(self) -> timedelta:
        """How long after rain the grass is wet."""
        return timedelta(hours=self.cooldown_hours)


class RainReason(StrEnum):
    """Why a verdict is as it is."""

    DRY = "dry"
    RAIN_EXPECTED = "rain_expected"
    RAIN_RECENT = "rain_recent"
    UNKNOWN = "forecast_unknown"
    RULE_OFF = "rain_rule_off"


@dataclass(frozen=True, slots=True, kw_only=True)
class RainVerdict:
    """What the rule says at one moment."""

    hold: bool
    """No run may start now."""
    reason: RainReason
    wet: bool | None
    """An hour reaches a threshold, whether the rule is on or not; None when it is not known."""
    wet_until: datetime | None
    """The end of the last hour of those that are wet without a dry one between them; None when not wet."""
    pause_until: datetime | None
    """The first time at which the same rule lets a run go; None when not holding or the forecast ends first."""
    settings: RainRule
    numbers: dict[str, Any]
    """Thresholds, the deciding hour and its values, provider and age of the forecast."""


def rule_of(schedule: RainSettings, site: SiteRain) -> RainRule:
    """Return the rule of a schedule: its own fields, where null its site's."""
    return RainRule(
        enabled=_pick(schedule.enabled, site.enabled),
        probability_percent=_pick(schedule.probability_percent, site.probability_percent),
        precipitation_mm=_pick(schedule.precipitation_mm, site.precipitation_mm),
        lookahead_hours=_pick(schedule.lookahead_hours, site.lookahead_hours),
        cooldown_hours=_pick(schedule.cooldown_hours, site.cooldown_hours),
        run_when_unknown=_pick(schedule.run_when_unknown, site.run_when_unknown),
    )


def decide(forecast: Forecast | None, at: datetime, settings: RainRule) -> RainVerdict:
    """Return the verdict at an aware moment; a forecast of None is unknown."""
    hours = () if forecast is None else forecast.hours
    reason, hour = _judge(hours, at, settings)
    wet = None if reason is RainReason.UNKNOWN else hour is not None
    stopped = wet or (wet is None and not settings.run_when_unknown)
    hold = settings.enabled and stopped
    return RainVerdict(
        hold=hold,
        reason=reason if settings.enabled else RainReason.RULE_OFF,
        wet=wet,
        wet_until=None if hour is None else _wet_until(hours, hour, settings),
        pause_until=_pause_until(hours, at, settings) if hold else None,
        settings=settings,
        numbers=_numbers(forecast, at, settings, hour),
    )


def _pick[T](own: T | None, site: T) -> T:
    return site if own is None else own


def _judge(hours: Iterable[ForecastHour], at: datetime, settings: RainRule) -> tuple[RainReason, ForecastHour | None]:
    """Return the reason, and the hour that decides: the first wet one from now on, else the first that was."""
    ordered = sorted(hours, key=lambda hour: hour.starts_at)
    ahead = _overlapping(ordered, at, at + settings.lookahead)
    behind = _overlapping(ordered, at - settings.cooldown, at)
    if (hour := next((hour for hour in ahead if _is_wet(hour, settings)), None)) is not None:
        return RainReason.RAIN_EXPECTED, hour
    if (hour := next((hour for hour in behind if _wets(hour, settings)), None)) is not None:
        return RainReason.RAIN_RECENT, hour
    if _covers(ahead, at, at + settings.lookahead, _knows_both) and _covers(
        behind, at - settings.cooldown, at, _knows_amount
    ):
        return RainReason.DRY, None
    return RainReason.UNKNOWN, None


def _overlapping(hours: Iterable[ForecastHour], begin: datetime, end: datetime) -> list[ForecastHour]:
    """Return the hours with an instant in [begin, end]."""
    return [hour for hour in hours if hour.starts_at <= end and hour.ends_at > begin]


def _wets(hour: ForecastHour, settings: RainRule) -> bool:
    if hour.raining:
        return True
    return hour.precipitation_mm is not None and hour.precipitation_mm >= settings.precipitation_mm


def _is_wet(hour: ForecastHour, settings: RainRule) -> bool:
    probable = hour.probability_percent is not None and hour.probability_percent >= settings.probability_percent
    return probable or _wets(hour, settings)


def _knows_amount(hour: ForecastHour) -> bool:
    return hour.precipitation_mm is not None


def _knows_both(hour: ForecastHour) -> bool:
    return hour.precipitation_mm is not None and hour.probability_percent is not None


def _covers(
    hours: Iterable[ForecastHour], begin: datetime, end: datetime, knows: Callable[[ForecastHour], bool]
) -> bool:
    """Tell whether every instant of [begin, end] lies in an hour, and every such hour knows its value."""
    known_until = begin
    for hour in hours:
        if not knows(hour) or hour.starts_at > known_until:
            return False
        known_until = max(known_until, hour.ends_at)
    return known_until > end


def _wet_until(hours: Iterable[ForecastHour], first: ForecastHour, settings: RainRule) -> datetime:
    until = first.ends_at
    for hour in sorted(hours, key=lambda hour: hour.starts_at):
        if first.starts_at <= hour.starts_at <= until and _is_wet(hour, settings):
            until = max(until, hour.ends_at)
    return until


def _pause_until(hours: Iterable[ForecastHour], at: datetime, settings: RainRule) -> datetime | None:
    """Return the first moment from `at` on at which the rule lets a run go; None when the forecast ends before."""
    hours = tuple(hours)
    ends_at = max((hour.ends_at for hour in hours), default=at)
    for moment in sorted({at, *(turn for turn in _turning_points(hours, settings) if turn > at)}):
        if moment + settings.lookahead >= ends_at:
            return None
        reason, hour = _judge(hours, moment, settings)
        if hour is None and (reason is RainReason.DRY or settings.run_when_unknown):
            return moment
    return None


def _turning_points(hours: Iterable[ForecastHour], settings: RainRule) -> Iterator[datetime]:
    """Yield the moments at which an hour, or a gap between hours, leaves what the rule looks at."""
    for hour in hours:
        for edge in (hour.starts_at, hour.ends_at):
            yield edge
            yield edge + settings.cooldown


def _numbers(forecast: Forecast | None, at: datetime, settings: RainRule, hour: ForecastHour | None) -> dict[str, Any]:
    numbers: dict[str, Any] = {"rain_rule": asdict(settings)}
    if forecast is not None:
        numbers["provider"] = forecast.provider
        numbers["forecast_age_seconds"] = round((at - forecast.fetched_at).total_seconds())
    if hour is not None:
        numbers["hour"] = hour.starts_at
        numbers["precipitation_mm"] = hour.precipitation_mm
        numbers["probability_percent"] = hour.probability_percent
    return numbers
