"""Gathering what a decision is made from, before any lock is taken."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import structlog

from edge_gateway.contracts.errors import ForbiddenError, MowDeckError, NotFoundError
from edge_gateway.contracts.fleet import ResolveTargetReply, Site, TargetMower
from edge_gateway.contracts.principals import Relation
from edge_gateway.contracts.weather import MowerOverrides
from edge_gateway.scheduler import angles, rain, runs
from edge_gateway.scheduler.mower_watch import refresh
from edge_gateway.scheduler.quiet_hours import Quiet
from edge_gateway.scheduler.records import MowerRecord, RunRecord, ScheduleMowerRecord, ScheduleRecord
from edge_gateway.scheduler.repository import schedules
from edge_gateway.scheduler.repository.transactions import connection
from edge_gateway.scheduler.settings import SchedulerSettings
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.targets import member
from edge_gateway.scheduler.verdicts import Facts, Reason, Slots, Target
from edge_gateway.scheduler.weather.forecasts import Sky
from edge_gateway.scheduler.weather.places import place_of

FORECAST_AWAITED_FOR = timedelta(seconds=60)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Weather:
    """What the rain rule is to be read with."""

    rule: rain.RainRule
    sky: Sky


@dataclass(frozen=True, slots=True)
class Group:
    """The group that a schedule is for."""

    id: str
    mower_ids: tuple[str, ...]
    max_concurrent: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What was asked for."""

    schedule: ScheduleRecord
    mower_id: str
    target: Target | Reason
    weather: Weather | None = None
    """Null where the rule does not apply."""
    quiet: Quiet | None = None
    """Null where the site has no quiet hours."""
    group: Group | None = None
    """Null of a single mower."""
    numbers: dict[str, Any] = field(default_factory=dict)


async def gather(surroundings: Surroundings, run: RunRecord) -> Gathered | None:
    """Ask Fleet, the bus and the weather about a run; null when its schedule is gone (its deletion ended it)."""
    if run.mower_id is None:
        return None
    async with connection(surroundings.pool) as lent:
        schedule = await schedules.get(lent, run.account_id, run.schedule_id)
    if schedule is None:
        return None
    mower_id = run.mower_id
    reply = await _resolve(surroundings, schedule)
    if isinstance(reply, Reason):
        return Gathered(schedule=schedule, mower_id=mower_id, target=reply)
    found = member(reply, mower_id)
    if found is None:
        return Gathered(schedule=schedule, mower_id=mower_id, target=Reason.TARGET_GONE)
    owner = run.owner if run.run_now else schedule.owner
    target = await _target(surroundings, found, owner, run.account_id)
    mower = await refresh(surroundings, mower_id, run.account_id)
    gathered = Gathered(
        schedule=schedule,
        mower_id=mower_id,
        target=target,
        quiet=quiet_of(found.site, mower, surroundings.settings),
        group=_group(schedule, reply),
        numbers={"time_zone": found.site.time_zone},
    )
    if run.run_now or not found.obey_rain:
        return gathered
    weather, numbers = await _weather(surroundings, schedule, found.site, mower)
    return replace(gathered, weather=weather, numbers=gathered.numbers | numbers)


def brought_up_to_date(run: RunRecord, schedule: ScheduleRecord) -> RunRecord:
    """Return a firing with the owner and the window that its schedule has now; a run-now keeps its own. Pure."""
    if run.run_now:
        return run
    window = timedelta(minutes=schedule.draft.duration_minutes)
    return msgspec.structs.replace(run, owner=schedule.owner, window_ends_at=run.occurrence_at + window)


@dataclass(frozen=True, slots=True, kw_only=True)
class Locked:
    """What is read under the mower's lock: what was accepted before this moment counts."""

    mower: MowerRecord
    kept: ScheduleMowerRecord
    other_run_id: str | None
    slots: Slots | None
    words: MowerOverrides


def quiet_of(site: Site, mower: MowerRecord, settings: SchedulerSettings) -> Quiet | None:
    """Return the quiet hours that count for a mower; None where its site has none. Pure."""
    if site.quiet_hours is None:
        return None
    return Quiet(
        hours=site.quiet_hours,
        zone=ZoneInfo(site.time_zone),
        location=place_of(site, mower),
        lead=timedelta(minutes=settings.quiet_hours_lead_minutes),
    )


def facts_of(
    run: RunRecord,
    schedule: ScheduleRecord,
    gathered: Gathered,
    locked: Locked,
    now: datetime,
) -> Facts:
    """Return the facts of a decision. Pure."""
    weather = gathered.weather
    quiet = None if run.override_quiet_hours else gathered.quiet
    return Facts(
        now=now,
        start_before=runs.start_before(run),
        waiting_for=run.waiting_for,
        waited_by=run.numbers,
        skipped=run.occurrence_on in schedule.skips,
        target=gathered.target,
        area_ids=schedule.draft.area_ids,
        mower=locked.mower,
        other_run_id=locked.other_run_id,
        rain=None if weather is None else rain.decide(weather.sky.forecast, now, weather.rule),
        waits_for_rain=schedule.draft.when_held == "wait" and not run.run_now,
        held_days=locked.kept.held_days,
        max_hold_days=schedule.draft.max_hold_days,
        quiet=None if quiet is None else quiet.called_home_at(now),
        slots=locked.slots,
        forecast_awaited_until=None if weather is None else _awaited_until(run, weather.sky),
        mower_hold=None if run.run_now else locked.words.mower_hold,
        rain_override=locked.words.rain_override,
        numbers=gathered.numbers | angles.numbers_of(schedule.draft, locked.kept.angle_number),
    )


def _awaited_until(run: RunRecord, sky: Sky) -> datetime | None:
    """Return how long a firing waits for the first forecast of its place: 60 s, or half of a short window."""
    if not sky.may_come:
        return None
    return run.created_at + min(FORECAST_AWAITED_FOR, (run.window_ends_at - run.occurrence_at) / 2)


def _group(schedule: ScheduleRecord, reply: ResolveTargetReply) -> Group | None:
    group_id = schedule.draft.target.group_id
    if group_id is None:
        return None
    return Group(group_id, tuple(mower.mower_id for mower in reply.mowers), reply.max_concurrent)


async def _weather(
    surroundings: Surroundings, schedule: ScheduleRecord, site: Site, mower: MowerRecord
) -> tuple[Weather | None, dict[str, Any]]:
    """Return what the rain rule is to be read with, and what else the record is to say."""
    sky = await surroundings.forecasts.known(site, mower)
    if sky.no_location:
        # Without a place there is no forecast to come: the run goes ahead and says so.
        return None, {"provider": sky.source, "rain_reason": Reason.NO_LOCATION}
    return Weather(rain.rule_of(schedule.draft.rain, site.rain), sky), {"provider": sky.source}


async def _resolve(surroundings: Surroundings, schedule: ScheduleRecord) -> ResolveTargetReply | Reason:
    try:
        return await surroundings.fleet.resolve(schedule.account_id, schedule.draft.target)
    except NotFoundError:
        return Reason.TARGET_GONE
    except MowDeckError as error:
        _log.warning("target cannot be resolved", schedule=schedule.id, code=error.code)
        return Reason.FLEET_SILENT


async def _target(surroundings: Surroundings, found: TargetMower, owner: str, account_id: str) -> Target | Reason:
    refusal = None
    try:
        allowed = await surroundings.fleet.allowed(owner, Relation.CAN_CONTROL, account_id, (found.mower_id,))
        if not allowed.get(found.mower_id, False):
            refusal = ForbiddenError.kind
    except ForbiddenError as error:
        refusal = error.code
    except MowDeckError as error:
        _log.warning("permission cannot be checked", mower=found.mower_id, code=error.code)
        return Reason.FLEET_SILENT
    return Target(area_ids=found.area_ids, enabled_area_ids=found.enabled_area_ids, refusal=refusal)
