"""Weather: what the Scheduler tells of the rain at a mower, and what it is told of it."""

from datetime import date, datetime
from typing import Any, Literal

import msgspec

from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.schedules import RainSettings, ScheduleDraft

type PrecipitationUnit = Literal["mm", "cm", "in"]


class WeatherHour(msgspec.Struct, frozen=True, kw_only=True):
    """What is expected, or was, in [starts_at, ends_at); null is unknown, never dry."""

    starts_at: datetime
    ends_at: datetime
    precipitation_mm: float | None
    probability_percent: float | None
    rain_mm: float | None = None
    """The part of the precipitation that is rain, where the source says so."""
    raining: bool = False
    """A rain sensor said so."""


class RainRuleSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that a verdict was made by; each has a value."""

    enabled: bool
    probability_percent: float
    precipitation_mm: float
    lookahead_hours: int
    cooldown_hours: int
    run_when_unknown: bool


class Override(msgspec.Struct, frozen=True, kw_only=True):
    """A person's word that wins over the rule until a moment."""

    until: datetime
    set_by: str
    set_at: datetime


class RainState(msgspec.Struct, frozen=True, kw_only=True):
    """The rain verdict of a mower by its site's settings; `scheduler.weather.changed` tells each change of it."""

    mower_id: str
    site_id: str
    obey_rain: bool
    hold: bool
    """A plan's firing would not start now: by the rule, unless overridden, or by a person's hold."""
    reason: str
    """A code: dry, rain_expected, rain_recent, forecast_unknown, rain_rule_off, no_location, not_obeyed,
    rain_override or held_by_user."""
    wet: bool | None
    """Null is unknown."""
    wet_until: datetime | None
    pause_until: datetime | None
    """When the same rule lets a run go; null when it does not hold or the forecast ends before."""
    settings: RainRuleSettings
    mower_hold: Override | None = None
    """No plan starts the mower until then."""
    rain_override: Override | None = None
    """It mows whatever the rain rule says until then."""


class MowerWeather(RainState, frozen=True, kw_only=True):
    """`scheduler.weather.get`: the verdict and what it was made from."""

    numbers: dict[str, Any] = {}
    """The deciding hour and its values."""
    provider: str
    fetched_at: datetime | None
    age_seconds: int | None
    """Of the forecast; null when none is known."""
    attribution: str | None
    """What must be shown with the hours."""
    hours: tuple[WeatherHour, ...]


class WeatherRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.weather.get`: fields of `settings` that are given are tried in place of the site's."""

    mower_id: str
    settings: RainSettings = RainSettings()


class PutOverrideRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.holds.put` and `scheduler.rain_overrides.put`: null takes it back."""

    mower_id: str
    until: datetime | None


class MowerOverrides(msgspec.Struct, frozen=True, kw_only=True):
    """A person's words about one mower that still count."""

    mower_id: str
    mower_hold: Override | None = None
    rain_override: Override | None = None


class PushedHour(msgspec.Struct, frozen=True, kw_only=True):
    """One hour of a pushed forecast, in the unit of the push; null is unknown."""

    starts_at: datetime
    precipitation: float | None = None
    probability_percent: float | None = None


class RainSensor(msgspec.Struct, frozen=True, kw_only=True):
    """What a rain sensor says; it holds until the next push."""

    raining: bool | None
    """Null while the sensor is unavailable."""
    observed_at: datetime


class PushWeatherRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.weather.push`: the hourly forecast of a weather entity and the state of a rain sensor."""

    site_id: str
    source: str | None = None
    """The entity, to be shown."""
    attribution: str | None = None
    precipitation_unit: PrecipitationUnit | None = None
    """Null makes every amount unknown."""
    hours: tuple[PushedHour, ...] = ()
    """Empty where the source has no hourly forecast: then it is unknown."""
    rain_sensor: RainSensor | None = None


class WeatherSourceReply(msgspec.Struct, frozen=True, kw_only=True):
    """What was kept of a push."""

    site_id: str
    pushed_at: datetime
    hours: int
    """How many hours are known, past ones too."""


class PreviewRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.schedules.preview`: of a stored schedule or of a draft, never both."""

    schedule_id: str | None = None
    draft: ScheduleDraft | None = None


class PreviewedMower(msgspec.Struct, frozen=True, kw_only=True):
    """What the rain rule and the quiet hours say of one mower at one occurrence."""

    mower_id: str
    known: bool
    """False beyond the forecast's end, and without one: then what the rain rule says is null."""
    hold: bool | None = None
    reason: str | None = None
    wet: bool | None = None
    pause_until: datetime | None = None
    quiet: bool = False
    """It would not start, whatever the weather: the site's quiet hours are under way then, or about to begin."""
    quiet_from: datetime | None = None
    """When they begin; null when they do not keep it."""
    quiet_until: datetime | None = None


class PreviewedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One occurrence to come."""

    occurrence_at: datetime
    local_time: str
    """Date and wall time with the offset of the zone, ISO 8601."""
    day: date
    """The local date that the rule walked; the one that a skip names."""
    window_ends_at: datetime
    skipped: bool
    mowers: tuple[PreviewedMower, ...]


class SchedulePreview(msgspec.Struct, frozen=True, kw_only=True):
    """The occurrences of the next 14 days."""

    time_zone: str
    enabled: bool
    """A disabled schedule shows what it would do."""
    items: tuple[PreviewedRun, ...]
    attribution: tuple[str, ...] = ()
    """What must be shown with verdicts."""
