"""What Telemetry is asked over the bus."""

from datetime import date, datetime
from enum import StrEnum

import msgspec

from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.mower import Activity, MowerState


class LatestStatesRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`telemetry.states.latest`: the last state of each mower; services and the API ask it for themselves."""

    account_id: str
    mower_ids: tuple[str, ...] | None = None
    """Null is all of the account."""


class LatestStatesReply(msgspec.Struct, frozen=True, kw_only=True):
    """A mower that never reported is missing."""

    items: tuple[MowerState, ...]


class HistoryRequest(Asking, frozen=True, kw_only=True):
    """`telemetry.history.list` and `telemetry.positions.list`: [since, until), oldest first, in pages."""

    mower_id: str
    since: datetime
    until: datetime
    after: datetime | None = None
    """The `next` of the page before."""
    limit: int = 1000
    """1 to 5000."""


class HistoryRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a mower reported, but for its position."""

    observed_at: datetime
    activity: Activity
    battery_percent: int | None = None
    charging: bool | None = None
    area_id: str | None = None
    progress_percent: float | None = None
    job_id: str | None = None
    problem_code: str | None = None


class HistoryReply(msgspec.Struct, frozen=True, kw_only=True):
    """A page of history."""

    items: tuple[HistoryRow, ...]
    next: datetime | None = None


class PositionRow(msgspec.Struct, frozen=True, kw_only=True):
    """Where a mower was."""

    observed_at: datetime
    latitude: float
    longitude: float


class PositionsReply(msgspec.Struct, frozen=True, kw_only=True):
    """A page of positions."""

    items: tuple[PositionRow, ...]
    next: datetime | None = None


class MowerHealth(msgspec.Struct, frozen=True, kw_only=True):
    """`telemetry.health.read`: what a mower did in its life, as far as it was told to us."""

    mower_id: str
    mowing_seconds: float
    distance_m: float
    area_m2: float
    charge_cycles: int
    blade_seconds: float
    """Since the blades were new."""
    blade_life_seconds: float
    """At which they should be changed."""
    blades_reset_at: datetime | None
    """Null: never told that they were changed."""


class DayTotals(msgspec.Struct, frozen=True, kw_only=True):
    """What a mower did on a day of its site."""

    day: date
    mowing_seconds: float
    distance_m: float
    area_m2: float
    charge_cycles: int
    blade_seconds: float


class DaysRequest(Asking, frozen=True, kw_only=True):
    """`telemetry.days.list`: [since, until] by the site's dates, oldest first; empty days are missing."""

    mower_id: str
    since: date
    until: date
    """At most 3660 days after `since`."""


class DaysReply(msgspec.Struct, frozen=True, kw_only=True):
    """Days, oldest first."""

    items: tuple[DayTotals, ...]


class MowedArea(msgspec.Struct, frozen=True, kw_only=True):
    """How long an area of the map, or a zone of the owner's, was mowed."""

    area_id: str
    mowing_seconds: float
    last_mowed_at: datetime


class MowedAreasReply(msgspec.Struct, frozen=True, kw_only=True):
    """`telemetry.areas.list`, asked with `DaysRequest`."""

    items: tuple[MowedArea, ...]


class JobEnding(StrEnum):
    """How a job ended."""

    FINISHED = "finished"
    CANCELLED = "cancelled"
    """The mower dropped it before it was done."""
    REPLACED = "replaced"
    """Another one began before it was done, or a start ended it to begin another."""
    UNKNOWN = "unknown"
    """It ended, and nobody told how far it had come."""


class JobRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One job from start to finish, across charging breaks."""

    id: str
    mower_id: str
    command_id: str | None
    """Null for a job that was started elsewhere."""
    started_at: datetime
    last_at: datetime
    """Of the last report that showed it."""
    ended_at: datetime | None
    """Null while it is open."""
    ending: JobEnding | None
    area_ids: tuple[str, ...]
    """Empty: all of the map, or not known."""
    progress_percent: float | None
    area_m2: float | None
    """Null while the sizes of its areas or its progress are not known."""
    mowing_seconds: float
    distance_m: float
    charging_breaks: int


class JobsRequest(Asking, frozen=True, kw_only=True):
    """`telemetry.jobs.list`: newest first, in pages."""

    mower_id: str
    before: str | None = None
    """The `next` of the page before."""
    limit: int = 100
    """1 to 500."""


class JobsReply(msgspec.Struct, frozen=True, kw_only=True):
    """A page of jobs."""

    items: tuple[JobRecord, ...]
    next: str | None = None


class TrackRequest(Asking, frozen=True, kw_only=True):
    """`telemetry.jobs.track`: where the mower was during one job."""

    mower_id: str
    job_id: str


class TrackReply(msgspec.Struct, frozen=True, kw_only=True):
    """The way of a job, thinned to at most 2000 points."""

    items: tuple[PositionRow, ...]


class Zone(msgspec.Struct, frozen=True, kw_only=True):
    """A zone that the owner drew."""

    id: str
    name: str
    boundary: tuple[tuple[float, float], ...]
    """Latitude and longitude of each corner in degrees; at least three."""


class ZonesReply(msgspec.Struct, frozen=True, kw_only=True):
    """`telemetry.zones.list` and `.put`: the zones of one mower."""

    items: tuple[Zone, ...]


class PutZonesRequest(Asking, frozen=True, kw_only=True):
    """`telemetry.zones.put`: replaces the zones of a mower."""

    mower_id: str
    zones: tuple[Zone, ...]


class ZoneCrossed(msgspec.Struct, frozen=True, kw_only=True):
    """`telemetry.zone.entered` and `telemetry.zone.left`."""

    mower_id: str
    zone_id: str
    name: str | None
    """Null when the zone was deleted while the mower was in it."""
    at: datetime


class BladeThresholdReached(msgspec.Struct, frozen=True, kw_only=True):
    """`telemetry.blade.threshold`: the blades should be changed; told once until they are reset."""

    mower_id: str
    blade_seconds: float
    blade_life_seconds: float
    at: datetime


class JobFinished(msgspec.Struct, frozen=True, kw_only=True):
    """`telemetry.job.finished`: a job ended, well or not."""

    mower_id: str
    job: JobRecord
