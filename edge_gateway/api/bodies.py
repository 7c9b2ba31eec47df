"""Bodies of requests: stricter than the bus, a field that nobody knows is refused by name."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

import msgspec

from edge_gateway.contracts.commands import StartMode
from edge_gateway.contracts.fleet import SiteRainChanges, WeatherSource
from edge_gateway.contracts.identifiers import IDENTIFIER_PATTERN
from edge_gateway.contracts.quiet_hours import QuietHours, QuietTime
from edge_gateway.contracts.schedules import (
    EveryNDaysRecurrence,
    OnceRecurrence,
    RainSettings,
    ScheduleDraft,
    Target,
    WeeklyRecurrence,
)

type Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
type Identifier = Annotated[str, msgspec.Meta(pattern=f"^{IDENTIFIER_PATTERN}$")]
type Latitude = Annotated[float, msgspec.Meta(ge=-90, le=90, description="Degrees; both coordinates or none.")]
type Longitude = Annotated[float, msgspec.Meta(ge=-180, le=180, description="Degrees; both coordinates or none.")]
type DurationMinutes = Annotated[int, msgspec.Meta(ge=1, le=1440)]
type Moment = Annotated[datetime, msgspec.Meta(tz=True)]
type TimeZone = Annotated[str, msgspec.Meta(min_length=1, max_length=64, description="An IANA zone.")]
type MowerIds = Annotated[tuple[Identifier, ...], msgspec.Meta(min_length=1, max_length=100)]
type MaxConcurrent = Annotated[int, msgspec.Meta(ge=1, le=100)]
type Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class MowerPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the owner may change of a mower; absent is left alone."""

    name: Name | msgspec.UnsetType = msgspec.UNSET
    site_id: Identifier | msgspec.UnsetType = msgspec.UNSET
    obey_rain: bool | msgspec.UnsetType = msgspec.UNSET


class AreaPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the owner may change of an area; absent is left alone."""

    name: Name | msgspec.UnsetType = msgspec.UNSET
    enabled: bool | msgspec.UnsetType = msgspec.UNSET


class SettingBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The new value of a setting of the mower's own."""

    value: bool | int | float | str


class CommandBodyDraft(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An order to one mower. What is not named stays as the mower has it."""

    kind: Literal["start_mow", "pause", "resume", "return_to_dock", "cancel_job", "refresh"]
    mode: StartMode = StartMode.AUTO
    """Of a start only: `auto` (the default) resumes an open job where that is what one means."""
    area_ids: tuple[Identifier, ...] | None = None
    """Of a start only; null is all enabled areas."""
    pattern: dict[str, Any] | None = None
    """Of a start only; opaque to all but the provider, but for `angle` (degrees)."""


class WeeklyBody(WeeklyRecurrence, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="weekly"):
    """On days of the week."""


class EveryNDaysBody(EveryNDaysRecurrence, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="every_n_days"):
    """Every so many calendar days from an anchor, never before it."""


class OnceBody(OnceRecurrence, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="once"):
    """On one day."""


class TargetBody(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One mower or one group."""

    mower_id: Identifier | None = None
    group_id: Identifier | None = None


class RainBody(RainSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rain rule's settings; null takes the site's."""


class ScheduleBody(ScheduleDraft, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A schedule as it is made."""

    name: Name
    target: TargetBody
    recurrence: WeeklyBody | EveryNDaysBody | OnceBody
    duration_minutes: DurationMinutes
    time_zone: TimeZone | None = None
    area_ids: tuple[Identifier, ...] | None = None
    rain: RainBody = RainBody()


class SchedulePatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What may change of a schedule; absent is left alone, target and recurrence are given whole."""

    name: Name | msgspec.UnsetType = msgspec.UNSET
    target: TargetBody | msgspec.UnsetType = msgspec.UNSET
    recurrence: WeeklyBody | EveryNDaysBody | OnceBody | msgspec.UnsetType = msgspec.UNSET
    duration_minutes: DurationMinutes | msgspec.UnsetType = msgspec.UNSET
    starts_on: date | msgspec.UnsetType | None = msgspec.UNSET
    ends_on: date | msgspec.UnsetType | None = msgspec.UNSET
    time_zone: TimeZone | msgspec.UnsetType | None = msgspec.UNSET
    area_ids: tuple[Identifier, ...] | msgspec.UnsetType | None = msgspec.UNSET
    pattern: dict[str, Any] | msgspec.UnsetType | None = msgspec.UNSET
    angles: tuple[float, ...] | msgspec.UnsetType | None = msgspec.UNSET
    enabled: bool | msgspec.UnsetType = msgspec.UNSET
    when_held: Literal["skip", "wait"] | msgspec.UnsetType = msgspec.UNSET
    max_hold_days: int | msgspec.UnsetType | None = msgspec.UNSET
    rain: RainPatch | msgspec.UnsetType = msgspec.UNSET
    return_to_dock_at_window_end: bool | msgspec.UnsetType = msgspec.UNSET


class RainPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What may change of a schedule's rain settings; absent is left alone, null takes the site's."""

    enabled: bool | msgspec.UnsetType | None = msgspec.UNSET
    probability_percent: float | msgspec.UnsetType | None = msgspec.UNSET
    precipitation_mm: float | msgspec.UnsetType | None = msgspec.UNSET
    lookahead_hours: int | msgspec.UnsetType | None = msgspec.UNSET
    cooldown_hours: int | msgspec.UnsetType | None = msgspec.UNSET
    run_when_unknown: bool | msgspec.UnsetType | None = msgspec.UNSET
    pause_running_jobs_on_rain: bool | msgspec.UnsetType | None = msgspec.UNSET
    resume_when_dry: bool | msgspec.UnsetType | None = msgspec.UNSET


class GroupBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group as it is made."""

    name: Name
    mower_ids: MowerIds
    max_concurrent: MaxConcurrent | None = None
    """So many of its mowers are out at a time; null is all."""


class GroupPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may change of a group; absent is left alone, the mowers are given whole."""

    name: Name | msgspec.UnsetType = msgspec.UNSET
    mower_ids: MowerIds | msgspec.UnsetType = msgspec.UNSET
    max_concurrent: MaxConcurrent | msgspec.UnsetType | None = msgspec.UNSET


class RunNowBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to run a schedule now."""

    override_quiet_hours: bool = False
    """Run it in the site's quiet hours too."""


class OccurrenceBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which occurrence is meant; null or absent is the next one."""

    occurrence: Moment | None = None


class SiteRainBody(SiteRainChanges, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What may change of a site's rain settings; absent is left alone, null is the default again."""


class QuietTimeBody(QuietTime, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A time of the day: of the clock on the wall, or of the sun."""


class QuietHoursBody(QuietHours, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a site's mowers stay at home; given whole."""

    begin: QuietTimeBody
    end: QuietTimeBody


class SiteBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A garden as it is made."""

    name: Name
    time_zone: TimeZone
    latitude: Latitude | None = None
    longitude: Longitude | None = None
    rain: SiteRainBody = SiteRainBody()
    weather_source: WeatherSource | None = None
    quiet_hours: QuietHoursBody | None = None


class SitePatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may change of a site; absent is left alone, null takes the coordinates away."""

    name: Name | msgspec.UnsetType = msgspec.UNSET
    time_zone: TimeZone | msgspec.UnsetType = msgspec.UNSET
    latitude: Latitude | msgspec.UnsetType | None = msgspec.UNSET
    longitude: Longitude | msgspec.UnsetType | None = msgspec.UNSET
    rain: SiteRainBody = SiteRainBody()
    weather_source: WeatherSource | msgspec.UnsetType | None = msgspec.UNSET
    quiet_hours: QuietHoursBody | msgspec.UnsetType | None = msgspec.UNSET


class VendorAccountBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A login at a vendor; the password goes to the device gateway and is never answered."""

    provider: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    username: Secret
    password: Secret


class VendorAccountPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Log in again with a new password."""

    password: Secret
