"""Schedules, runs and what the Scheduler is asked over the bus."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any, Literal

import msgspec

from edge_gateway.contracts.fleet import Asking
from edge_gateway.contracts.principals import Origin

type Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""In the order of `date.weekday()`: Monday is 0."""


class WeeklyRecurrence(msgspec.Struct, frozen=True, kw_only=True, tag="weekly", tag_field="kind"):
    """On days of the week."""

    days: tuple[Weekday, ...]
    at: str
    """Wall time `HH:MM` in the schedule's zone."""


class EveryNDaysRecurrence(msgspec.Struct, frozen=True, kw_only=True, tag="every_n_days", tag_field="kind"):
    """Every so many calendar days from an anchor, never before it."""

    interval: int
    anchor: date
    at: str


class OnceRecurrence(msgspec.Struct, frozen=True, kw_only=True, tag="once", tag_field="kind"):
    """On one day."""

    day: date
    at: str


type Recurrence = WeeklyRecurrence | EveryNDaysRecurrence | OnceRecurrence


class Target(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One mower or one group."""

    mower_id: str | None = None
    group_id: str | None = None


class RainSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The rain rule's settings; null takes the site's."""

    enabled: bool | None = None
    probability_percent: float | None = None
    precipitation_mm: float | None = None
    lookahead_hours: int | None = None
    cooldown_hours: int | None = None
    run_when_unknown: bool | None = None
    pause_running_jobs_on_rain: bool | None = None
    resume_when_dry: bool | None = None


class ScheduleDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A schedule as it is given."""

    name: str
    target: Target
    recurrence: Recurrence
    duration_minutes: int
    """The window: 1 to 1440 from the start."""
    starts_on: date | None = None
    ends_on: date | None = None
    time_zone: str | None = None
    """Null takes the site's."""
    area_ids: tuple[str, ...] | None = None
    """Null is all enabled areas of the mower."""
    pattern: dict[str, Any] | None = None
    angles: tuple[float, ...] | None = None
    enabled: bool = True
    when_held: Literal["skip", "wait"] = "skip"
    max_hold_days: int | None = None
    rain: RainSettings = RainSettings()
    return_to_dock_at_window_end: bool = False


class RunOutcome(StrEnum):
    """How a firing ended for one mower (fixed)."""

    STARTED = "started"
    SKIPPED_RAIN = "skipped_rain"
    SKIPPED_PERMISSION = "skipped_permission"
    SKIPPED_WINDOW = "skipped_window"
    SKIPPED_MOWER_BUSY = "skipped_mower_busy"
    SKIPPED_MANUAL = "skipped_manual"
    FAILED = "failed"


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """What happened at one occurrence for one mower."""

    id: str
    account_id: str
    schedule_id: str
    mower_id: str | None
    """Null only where the target could not be resolved."""
    occurrence_at: datetime
    """The instant it was due (of run-now: the moment of the order)."""
    window_ends_at: datetime
    run_now: bool = False
    outcome: RunOutcome | None
    """Null while pending."""
    reason: str | None = None
    """A code."""
    numbers: dict[str, Any] = {}
    """The numbers of the decision: rule, thresholds, values, hour, forecast age, provider, `missed`, …"""
    revision: int
    final: bool
    command_id: str | None = None
    owner: str
    """The principal it acted for."""
    created_at: datetime
    decided_at: datetime | None = None
    confirmed_at: datetime | None = None
    """When the mower was seen moving."""
    ended_at: datetime | None = None
    end_reason: str | None = None
    """completed, rain, window_end, quiet_hours, user, error or unknown."""
    sentence: str | None = None
    """What happened and why, in English, made from the code and the numbers."""


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """A schedule as it is stored and answered."""

    id: str
    account_id: str
    owner: str
    name: str
    target: Target
    recurrence: Recurrence
    duration_minutes: int
    starts_on: date | None = None
    ends_on: date | None = None
    time_zone: str | None = None
    effective_time_zone: str
    area_ids: tuple[str, ...] | None = None
    pattern: dict[str, Any] | None = None
    angles: tuple[float, ...] | None = None
    enabled: bool = True
    disabled_reason: str | None = None
    when_held: Literal["skip", "wait"] = "skip"
    max_hold_days: int | None = None
    rain: RainSettings = RainSettings()
    return_to_dock_at_window_end: bool = False
    next_run_at: datetime | None = None
    """Null when there is none left, or it is disabled."""
    next_run_skipped: bool = False
    next_effective_run_at: datetime | None = None
    skips: tuple[date, ...] = ()
    last_run: Run | None = None
    created_at: datetime
    changed_at: datetime


class CreateScheduleRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.schedules.create`."""

    draft: ScheduleDraft
    key: str | None = None
    """The idempotency key: a known one answers with the stored schedule."""


class UpdateScheduleRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.schedules.update`: only the fields present in `changes` (a JSON merge over the draft's fields)."""

    schedule_id: str
    changes: dict[str, Any]


class ScheduleRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.schedules.get` and `.delete`."""

    schedule_id: str


class ListSchedulesRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.schedules.list`: in the order of their ids, in pages."""

    mower_id: str | None = None
    after: str | None = None
    limit: int = 100


class ListSchedulesReply(msgspec.Struct, frozen=True, kw_only=True):
    """A page of schedules."""

    items: tuple[Schedule, ...]
    next: str | None = None


class RunNowRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.schedules.run_now`: acts for its caller, whatever the rain rule says."""

    schedule_id: str
    key: str
    origin: Origin = Origin.API
    override_quiet_hours: bool = False
    """Run it in the site's quiet hours too."""


class RunNowReply(msgspec.Struct, frozen=True, kw_only=True):
    """One run per mower of the target."""

    runs: tuple[Run, ...]


class SkipRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.schedules.skip_next` and `.unskip_next`."""

    schedule_id: str
    occurrence: datetime | None = None
    """The instant that is meant; null is the next one."""


class SkipDateRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.skips.put` and `.delete`: one occurrence to come, by the local date that the rule walks."""

    schedule_id: str
    day: date


class ListRunsRequest(Asking, frozen=True, kw_only=True):
    """`scheduler.runs.list`: newest first, in pages."""

    schedule_id: str | None = None
    mower_id: str | None = None
    before: str | None = None
    limit: int = 100


class ListRunsReply(msgspec.Struct, frozen=True, kw_only=True):
    """A page of runs."""

    items: tuple[Run, ...]
    next: str | None = None


class SchedulesOfGroupRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`scheduler.schedules.of_group`: what plans with a group; services ask it for themselves."""

    account_id: str
    group_id: str


class NamedSchedule(msgspec.Struct, frozen=True, kw_only=True):
    """Which schedule is meant."""

    id: str
    name: str


class SchedulesOfGroupReply(msgspec.Struct, frozen=True, kw_only=True):
    """Disabled ones too, in the order of their names."""

    items: tuple[NamedSchedule, ...]


class ScheduleChanged(msgspec.Struct, frozen=True, kw_only=True):
    """`scheduler.schedule.changed`: made, changed, next run moved, removed."""

    schedule_id: str
    removed: bool = False


class ScheduleDisabled(msgspec.Struct, frozen=True, kw_only=True):
    """`scheduler.schedule.disabled`."""

    schedule_id: str
    reason: str
