"""The Scheduler's rows as frozen data: what is read, judged by pure rules, and written back."""

from datetime import date, datetime
from typing import Any

import msgspec

from edge_gateway.contracts.commands import CommandKind, CommandStatus
from edge_gateway.contracts.mower import BUSY, Activity
from edge_gateway.contracts.principals import Origin
from edge_gateway.contracts.schedules import Run, RunOutcome, Schedule, ScheduleDraft
from edge_gateway.scheduler.plan import Plan, next_not_skipped, plan_of
from edge_gateway.scheduler.recurrence import Occurrence


class ScheduleRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A schedule."""

    id: str
    account_id: str
    owner: str
    draft: ScheduleDraft
    disabled_reason: str | None = None
    effective_time_zone: str
    next_run_at: datetime | None = None
    next_run_on: date | None = None
    computed_at: datetime
    fired_on: date | None = None
    permission_skips: int = 0
    created_by: str
    creation_key: str | None = None
    creation_digest: bytes | None = None
    created_at: datetime
    changed_at: datetime
    skips: frozenset[date] = frozenset()

    @property
    def plan(self) -> Plan:
        """Its plan in its zone; raises `ZoneInfoNotFoundError` when the zone database has lost the zone."""
        return plan_of(self.draft, self.effective_time_zone)

    @property
    def next_run(self) -> Occurrence | None:
        """Its next occurrence as it is stored."""
        if self.next_run_at is None or self.next_run_on is None:
            return None
        return Occurrence(self.next_run_at, self.next_run_on)

    def with_next_run(self, occurrence: Occurrence | None, *, now: datetime) -> ScheduleRecord:
        """Return it with another next occurrence, computed now."""
        return msgspec.structs.replace(
            self,
            next_run_at=None if occurrence is None else occurrence.at,
            next_run_on=None if occurrence is None else occurrence.day,
            computed_at=now,
        )

    def shown(self, last_run: Run | None) -> Schedule:
        """Return it as it is answered."""
        upcoming = self.next_run
        effective = upcoming
        if upcoming is not None and upcoming.day in self.skips:
            effective = next_not_skipped(self.plan, upcoming, self.skips)
        given = {name: getattr(self.draft, name) for name in ScheduleDraft.__struct_fields__}
        return Schedule(
            **given,
            id=self.id,
            account_id=self.account_id,
            owner=self.owner,
            effective_time_zone=self.effective_time_zone,
            disabled_reason=self.disabled_reason,
            next_run_at=self.next_run_at,
            next_run_skipped=self.next_run_on in self.skips,
            next_effective_run_at=None if effective is None else effective.at,
            skips=tuple(sorted(self.skips)),
            last_run=last_run,
            created_at=self.created_at,
            changed_at=self.changed_at,
        )


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of one occurrence for one mower; pending while `outcome` is null."""

    id: str
    account_id: str
    schedule_id: str
    mower_id: str | None
    order_key: str
    occurrence_at: datetime
    occurrence_on: date | None
    window_ends_at: datetime
    group_id: str | None = None
    """The group that it was fired for; pending without a mower it stands for all of them until they are asked for."""
    run_now: bool = False
    override_quiet_hours: bool = False
    origin: Origin = Origin.SCHEDULER
    owner: str
    outcome: RunOutcome | None = None
    reason: str | None = None
    numbers: dict[str, Any] = {}
    revision: int = 0
    final: bool = False
    look_again_at: datetime | None
    refusals: int = 0
    waiting_for: str | None = None
    asked_at: datetime | None = None
    attempt: int = 1
    followed: bool = False
    command_id: str | None = None
    created_at: datetime
    decided_at: datetime | None = None
    confirmed_at: datetime | None = None
    rain_exempt: bool = False
    """It was started although the rule held, or without asking it: rain does not send it home."""
    sent_home_for: str | None = None
    """The cause for which the mower was sent home last."""
    parked_at: datetime | None = None
    """When it was seen in its dock after that; null again when it is out once more."""
    ended_at: datetime | None = None
    end_reason: str | None = None

    def shown(self) -> Run:
        """Return it without its sentence."""
        stored = (name for name in Run.__struct_fields__ if name in RunRecord.__struct_fields__)
        return Run(**{name: getattr(self, name) for name in stored})


class ScheduleMowerRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What goes on from one firing of a schedule to the next, for one of its mowers."""

    angle_number: int = 0
    """Counts the confirmed starts."""
    held_days: int = 0
    """Days in a row on which rain held it."""


class FollowUpRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An order to a mower whose run is under way."""

    run_id: str
    cause: str
    attempt: int
    """From 1; it rises when the order before it failed or expired, and when the cause comes back after a resume."""
    kind: CommandKind
    issued_by: str
    asked_at: datetime
    command_id: str | None = None
    """Null until Fleet is known to have taken it."""
    status: CommandStatus | None = None
    reason: str | None = None
    refusals: int = 0
    look_again_at: datetime


class MowerRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a mower."""

    id: str
    account_id: str
    activity: Activity = Activity.UNKNOWN
    activity_before: Activity | None = None
    """The other activity that came before."""
    observed_at: datetime | None = None
    busy_at: datetime | None = None
    """The newest report of it being busy."""
    busy_command_id: str | None = None
    """The command whose job it was on then; null when that is not known."""
    job_id: str | None = None
    job_command_id: str | None = None
    job_resumable: bool = False
    progress_percent: float | None = None
    """Of the open job, else of the last one."""
    latitude: float | None = None
    longitude: float | None = None
    available: bool | None = None
    """Null while nothing was heard about it."""
    availability_changed_at: datetime | None = None
    area_ids: tuple[str, ...] | None = None
    origin_latitude: float | None = None
    origin_longitude: float | None = None
    map_observed_at: datetime | None = None

    @property
    def busy(self) -> bool:
        """Whether it is out on something."""
        return self.activity in BUSY
