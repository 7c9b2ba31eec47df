"""The next 14 days of a schedule, stored or drafted: each occurrence with what rain rule and quiet hours say of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

import msgspec

from edge_gateway.contracts.errors import InvalidError, NotFoundError
from edge_gateway.contracts.fleet import TargetMower
from edge_gateway.contracts.principals import Relation
from edge_gateway.contracts.schedules import ScheduleDraft
from edge_gateway.contracts.weather import PreviewedMower, PreviewedRun, PreviewRequest, SchedulePreview
from edge_gateway.scheduler import rain, rights, schedule_rules
from edge_gateway.scheduler.facts import quiet_of
from edge_gateway.scheduler.plan import plan_of
from edge_gateway.scheduler.quiet_hours import Quiet
from edge_gateway.scheduler.reading import read
from edge_gateway.scheduler.recurrence import Occurrence
from edge_gateway.scheduler.repository import mower_rows
from edge_gateway.scheduler.repository.transactions import connection
from edge_gateway.scheduler.surroundings import Surroundings
from edge_gateway.scheduler.targets import zone_of
from edge_gateway.scheduler.weather.answering import FIRST_FORECAST_SECONDS
from edge_gateway.scheduler.weather.forecasts import Sky

AHEAD = timedelta(days=14)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Previewed:
    """What is previewed."""

    draft: ScheduleDraft
    time_zone: str
    skips: frozenset[date] = frozenset()
    mowers: tuple[TargetMower, ...]
    """None of a target that is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """What a mower's occurrences are judged by: as at a firing."""

    sky: Sky
    quiet: Quiet | None


class Previewing:
    """Previews schedules."""

    def __init__(self, surroundings: Surroundings) -> None:
        """Work with these."""
        self._surroundings = surroundings
        self._rights = rights.Rights(surroundings.fleet)

    async def preview(self, request: PreviewRequest) -> SchedulePreview:
        """Answer `scheduler.schedules.preview`."""
        match request:
            case PreviewRequest(schedule_id=str() as schedule_id, draft=None):
                previewed = await self._stored(request, schedule_id)
            case PreviewRequest(schedule_id=None, draft=ScheduleDraft() as draft):
                previewed = await self._drafted(request, draft)
            case _:
                raise InvalidError("invalid", "Either a stored schedule or a draft is previewed.", field="draft")
        now = self._surroundings.now()
        plan = plan_of(previewed.draft, previewed.time_zone)
        found = list(takewhile(lambda occurrence: occurrence.at <= now + AHEAD, plan.after(now)))
        around = await self._around(request.account_id, previewed.mowers)
        forecasts = (each.sky.forecast for each in around.values())
        told = {forecast.attribution for forecast in forecasts if forecast is not None}
        return SchedulePreview(
            time_zone=previewed.time_zone,
            enabled=previewed.draft.enabled,
            items=tuple(_run(previewed, occurrence, around) for occurrence in found),
            attribution=tuple(sorted(text for text in told if text is not None)),
        )

    async def _stored(self, request: PreviewRequest, schedule_id: str) -> _Previewed:
        record = await read(self._surroundings, request.account_id, schedule_id)
        if not await self._rights.seen(request.on_behalf_of, request.account_id, [record]):
            raise rights.not_found()
        try:
            mowers = (await self._surroundings.fleet.resolve(request.account_id, record.draft.target)).mowers
        except NotFoundError:
            mowers = ()
        return _Previewed(draft=record.draft, time_zone=record.effective_time_zone, skips=record.skips, mowers=mowers)

    async def _drafted(self, request: PreviewRequest, draft: ScheduleDraft) -> _Previewed:
        """Check a draft as if it were made; a field that is wrong is named below `draft`."""
        try:
            schedule_rules.check(draft)
            await self._rights.require(request.on_behalf_of, request.account_id, draft.target, (Relation.CAN_VIEW,))
            reply = await self._surroundings.fleet.resolve(request.account_id, draft.target)
            schedule_rules.check_on_map(draft.area_ids, reply.mowers[0].area_ids)
        except InvalidError as error:
            field = f"draft.{error.field}"
            raise InvalidError(
                error.code, error.detail, remedy=error.remedy, field=field, values=error.values
            ) from error
        return _Previewed(draft=draft, time_zone=draft.time_zone or zone_of(reply), mowers=reply.mowers)

    async def _around(self, account_id: str, mowers: tuple[TargetMower, ...]) -> dict[str, _Around]:
        around = await self._look(account_id, mowers)
        if any(each.sky.may_come for each in around.values()):
            await self._surroundings.forecasts.wait_looked(FIRST_FORECAST_SECONDS)
            around = await self._look(account_id, mowers)
        return around

    async def _look(self, account_id: str, mowers: tuple[TargetMower, ...]) -> dict[str, _Around]:
        around = {}
        for found in mowers:
            async with connection(self._surroundings.pool) as lent:
                mower = await mower_rows.get(lent, found.mower_id, account_id)
            around[found.mower_id] = _Around(
                sky=await self._surroundings.forecasts.known(found.site, mower),
                quiet=quiet_of(found.site, mower, self._surroundings.settings),
            )
        return around


def _run(previewed: _Previewed, occurrence: Occurrence, around: Mapping[str, _Around]) -> PreviewedRun:
    draft = previewed.draft
    return PreviewedRun(
        occurrence_at=occurrence.at,
        local_time=occurrence.at.astimezone(ZoneInfo(previewed.time_zone)).isoformat(),
        day=occurrence.day,
        window_ends_at=occurrence.at + timedelta(minutes=draft.duration_minutes),
        skipped=occurrence.day in previewed.skips,
        mowers=tuple(_mower(draft, found, around[found.mower_id], occurrence.at) for found in previewed.mowers),
    )


def _mower(draft: ScheduleDraft, found: TargetMower, around: _Around, at: datetime) -> PreviewedMower:
    """Return the verdicts on one mower at a moment to come; that of the rain rule as far as the forecast reaches."""
    interval = None if around.quiet is None else around.quiet.called_home_at(at)
    shown = PreviewedMower(
        mower_id=found.mower_id,
        known=False,
        quiet=interval is not None,
        quiet_from=None if interval is None else interval.begin,
        quiet_until=None if interval is None else interval.end,
    )
    rule = rain.rule_of(draft.rain, found.site.rain)
    forecast = around.sky.forecast
    if forecast is None or all(hour.ends_at <= at + rule.lookahead for hour in forecast.hours):
        return shown
    verdict = rain.decide(forecast, at, rule)
    return msgspec.structs.replace(
        shown,
        known=True,
        hold=verdict.hold and found.obey_rain,
        reason=verdict.reason,
        wet=verdict.wet,
        pause_until=verdict.pause_until,
    )
