"""Gathering what is going on around the runs that are followed, before any lock is taken."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog

from edge_gateway.contracts.commands import Command
from edge_gateway.contracts.errors import MowDeckError
from edge_gateway.contracts.fleet import ResolveTargetReply, Site, TargetMower
from edge_gateway.contracts.schedules import RainSettings, Target
from edge_gateway.contracts.weather import MowerOverrides
from edge_gateway.scheduler import quiet_hours, rain
from edge_gateway.scheduler.facts import quiet_of
from edge_gateway.scheduler.follow_up import PARKING_PROVIDERS, Cause, Scene
from edge_gateway.scheduler.records import MowerRecord, RunRecord, ScheduleRecord
from edge_gateway.scheduler.repository import mower_rows, overrides, schedules
from edge_gateway.scheduler.repository.transactions import connection
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.weather.forecasts import Sky

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What was asked for around a run that was seen moving."""

    schedule: ScheduleRecord | None
    """Null when it was deleted: what its site says still counts."""
    target: TargetMower
    account_owner: str
    sky: Sky | None
    words: MowerOverrides
    commands: tuple[Command, ...]


async def look_around(surroundings: Surroundings, run: RunRecord) -> Around | None:
    """Ask Fleet and the weather about a run; None when Fleet is silent or the mower is gone: nothing is ordered."""
    if run.mower_id is None or run.confirmed_at is None:
        return None
    fleet = surroundings.fleet
    try:
        reply: ResolveTargetReply = await fleet.resolve(run.account_id, Target(mower_id=run.mower_id))
        commands = await fleet.commands_since(run.account_id, run.mower_id, run.confirmed_at)
    except MowDeckError as error:
        _log.warning("run cannot be looked after", run=run.id, code=error.code)
        return None
    target = reply.mowers[0]
    async with connection(surroundings.pool) as lent:
        schedule = await schedules.get(lent, run.account_id, run.schedule_id)
        mower = await mower_rows.get(lent, run.mower_id, run.account_id)
        words = await overrides.of_mower(lent, run.mower_id, surroundings.now())
    sky = None
    if target.obey_rain and not run.rain_exempt:
        sky = await surroundings.forecasts.known(target.site, mower)
    return Around(
        schedule=schedule,
        target=target,
        account_owner=reply.account_owner,
        sky=sky,
        words=words,
        commands=commands,
    )


def scene_of(run: RunRecord, around: Around, mower: MowerRecord, surroundings: Surroundings, now: datetime) -> Scene:
    """Return the scene of a run at a moment."""
    given = RainSettings() if around.schedule is None else around.schedule.draft.rain
    site = around.target.site
    inside = now < run.window_ends_at
    resumes = _either(given.resume_when_dry, site.rain.resume_when_dry)
    quiet = None if run.override_quiet_hours else quiet_of(site, mower, surroundings.settings)
    interval = None if quiet is None else quiet.called_home_at(now)
    calls: Iterable[tuple[Cause, dict[str, Any] | None]] = (
        (Cause.QUIET_HOURS, None if interval is None else quiet_hours.numbers_of(interval)),
        (Cause.WINDOW_END, None if inside or not _calls_at_the_end(around.schedule) else {}),
        (Cause.RAIN, _rain_numbers(around, given, site, now)),
    )
    return Scene(
        now=now,
        mower=mower,
        calls={cause: numbers for cause, numbers in calls if numbers is not None},
        parks=around.target.provider in PARKING_PROVIDERS,
        may_resume=resumes and inside and run.sent_home_for == Cause.RAIN,
        commands=around.commands,
    )


def _calls_at_the_end(schedule: ScheduleRecord | None) -> bool:
    return schedule is not None and schedule.draft.return_to_dock_at_window_end


def _rain_numbers(around: Around, given: RainSettings, site: Site, now: datetime) -> dict[str, Any] | None:
    """Return the numbers of a rule that calls running mowers home now; None when it does not."""
    sky = around.sky
    if sky is None or sky.no_location or sky.may_come or around.words.rain_override is not None:
        return None
    if not _either(given.pause_running_jobs_on_rain, site.rain.pause_running_jobs_on_rain):
        return None
    verdict = rain.decide(sky.forecast, now, rain.rule_of(given, site.rain))
    if not verdict.hold:
        return None
    return {**verdict.numbers, "rain_reason": verdict.reason, "pause_until": verdict.pause_until}


def _either(own: bool | None, site: bool) -> bool:  # noqa: FBT001  # two settings, not a switch
    return site if own is None else own
