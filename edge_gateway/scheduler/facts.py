"""Gathering what a decision is made from, before any lock is taken."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec
import structlog

from edge_gateway.contracts.errors import ForbiddenError, MowDeckError, NotFoundError
from edge_gateway.contracts.fleet import Site, TargetMower
from edge_gateway.contracts.principals import Relation
from edge_gateway.scheduler import rain, runs
from edge_gateway.scheduler.forecast import Forecast
from edge_gateway.scheduler.mower_watch import refresh
from edge_gateway.scheduler.records import MowerRecord, RunRecord, ScheduleRecord
from edge_gateway.scheduler.repository import mower_rows, schedules
from edge_gateway.scheduler.repository.transactions import connection
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.verdicts import Facts, Reason, Target

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Weather:
    """What the rain rule is to be read with."""

    rule: rain.RainRule
    forecast: Forecast | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What was asked for."""

    schedule: ScheduleRecord
    mower_id: str
    target: Target | Reason
    weather: Weather | None = None
    """Null where the rule does not apply."""
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
    found = await _find(surroundings, schedule, mower_id)
    if isinstance(found, Reason):
        return Gathered(schedule=schedule, mower_id=mower_id, target=found)
    owner = run.owner if run.run_now else schedule.owner
    target = await _target(surroundings, found, owner, run.account_id)
    await refresh(surroundings, mower_id)
    if run.run_now or not found.obey_rain:
        return Gathered(schedule=schedule, mower_id=mower_id, target=target)
    async with connection(surroundings.pool) as lent:
        mower = await mower_rows.get(lent, mower_id, run.account_id)
    location = _location(found.site, mower)
    if location is None and surroundings.weather.needs_location:
        # Without a place there is no forecast to come: the run goes ahead and says so.
        numbers = {"rain_reason": Reason.NO_LOCATION, "provider": surroundings.weather.name}
        return Gathered(schedule=schedule, mower_id=mower_id, target=target, numbers=numbers)
    latitude, longitude = location or (None, None)
    weather = Weather(
        rain.rule_of(schedule.draft.rain, found.site.rain),
        await surroundings.weather.forecast(latitude, longitude),
    )
    numbers = {"provider": surroundings.weather.name}
    return Gathered(schedule=schedule, mower_id=mower_id, target=target, weather=weather, numbers=numbers)


def brought_up_to_date(run: RunRecord, schedule: ScheduleRecord) -> RunRecord:
    """Return a firing with the owner and the window that its schedule has now; a run-now keeps its own. Pure."""
    if run.run_now:
        return run
    window = timedelta(minutes=schedule.draft.duration_minutes)
    return msgspec.structs.replace(run, owner=schedule.owner, window_ends_at=run.occurrence_at + window)


def facts_of(
    run: RunRecord,
    schedule: ScheduleRecord,
    gathered: Gathered,
    mower: MowerRecord,
    other_run_id: str | None,
    now: datetime,
) -> Facts:
    """Return the facts of a decision. Pure."""
    weather = gathered.weather
    return Facts(
        now=now,
        start_before=runs.start_before(run),
        waiting_for=run.waiting_for,
        skipped=run.occurrence_on in schedule.skips,
        target=gathered.target,
        area_ids=schedule.draft.area_ids,
        mower=mower,
        other_run_id=other_run_id,
        rain=None if weather is None else rain.decide(weather.forecast, now, weather.rule),
        numbers=gathered.numbers,
    )


async def _find(surroundings: Surroundings, schedule: ScheduleRecord, mower_id: str) -> TargetMower | Reason:
    try:
        reply = await surroundings.fleet.resolve(schedule.account_id, schedule.draft.target)
    except NotFoundError:
        return Reason.TARGET_GONE
    except MowDeckError as error:
        _log.warning("target cannot be resolved", schedule=schedule.id, code=error.code)
        return Reason.FLEET_SILENT
    found = (mower for mower in reply.mowers if mower.mower_id == mower_id)
    return next(found, Reason.TARGET_GONE)


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


def _location(site: Site, mower: MowerRecord) -> tuple[float, float] | None:
    """Return the site's coordinates, else the map's origin, else where the mower was last."""
    for latitude, longitude in (
        (site.latitude, site.longitude),
        (mower.origin_latitude, mower.origin_longitude),
        (mower.latitude, mower.longitude),
    ):
        if latitude is not None and longitude is not None:
            return latitude, longitude
    return None
