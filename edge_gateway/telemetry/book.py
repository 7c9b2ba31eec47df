"""One mower's book while a batch is judged: what is stored of it, and what its states change. Pure, no I/O.

States are taken one after the other; what a batch leaves is what the same states leave one at a time.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from edge_gateway.contracts.envelope import Envelope
from edge_gateway.contracts.mower import Activity, MowerState
from edge_gateway.contracts.telemetry import Zone
from edge_gateway.telemetry import events, job_rules
from edge_gateway.telemetry.ground import distance_metres
from edge_gateway.telemetry.rows import AreaDay, Health, JobRow, Totals
from edge_gateway.telemetry.site_day import SiteDay, site_day, split
from edge_gateway.telemetry.write_rules import Effect, Latest, LogRow, judge
from edge_gateway.telemetry.zone_rules import crossings, zones_at

_MICROSECOND = timedelta(microseconds=1)
_UNDERWAY = frozenset({Activity.MOWING, Activity.RETURNING})
"""The activities in which a mower drives; a paused one only seems to."""


class KnownMower(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What the directory says of a mower."""

    mower_id: str
    number: int
    """Stands for the mower in the log."""
    account_id: str
    zone: ZoneInfo
    """Of its site."""
    interval_cap: timedelta
    """A state speaks for at most this long."""
    blade_life_microseconds: int
    area_sizes: Mapping[str, float | None] | None = None
    """Square metres by area of the vendor's map; null while none is known."""
    zones: tuple[Zone, ...] = ()
    """The owner's."""


class Book:
    """The rows of one mower."""

    def __init__(self, mower: KnownMower, *, latest: Latest | None, health: Health, job: JobRow | None = None) -> None:
        """Open it with what is stored; `job`: its newest one."""
        self.mower = mower
        self.latest = latest
        self.health = health
        self.job = job
        self.newest: MowerState | None = None
        """The state that becomes the latest; null when none is newer than what is stored."""
        self.newer: list[LogRow] = []
        self.late: list[LogRow] = []
        self.days: dict[date, Totals] = {}
        """What these states add."""
        self.area_days: dict[tuple[str, date], AreaDay] = {}
        """What these states add."""
        self.jobs: dict[str, JobRow] = {}
        """The jobs that these states change, as they are then."""
        self.other_jobs: dict[str, JobRow] = {}
        """Those that the batch names besides the newest, as they are stored."""
        self.events: list[Envelope] = []
        self._day: SiteDay | None = None
        self._went_back = False

    def turn_page(self) -> None:
        """Begin another batch: what the last one changed is stored."""
        self.newest = None
        self._went_back = False
        for changes in (self.newer, self.late, self.events):
            changes.clear()
        for changed in (self.days, self.area_days, self.jobs, self.other_jobs):
            changed.clear()

    def take(self, state: MowerState, now: datetime) -> Effect:
        """Judge one state and note what it changes; `now` is when it is taken in."""
        before = self.latest
        judgement = judge(state, before, directory_account_id=self.mower.account_id, now=now)
        effect = judgement.effect
        if effect is Effect.NEWER:
            self._advance(before, state)
            self._follow_job(state)
            self._follow_place(state)
            self.latest = judgement.latest
            self.newest = state
            if before is not None and state.observed_at <= before.observed_at:
                self._went_back = True
            if judgement.row is not None:
                # Behind a latest state that yielded a moment may have its row already: the first one stays.
                (self.late if self._went_back else self.newer).append(judgement.row)
        elif judgement.row is not None:
            self.late.append(judgement.row)
        return effect

    def _advance(self, before: Latest | None, state: MowerState) -> None:
        """Move the totals on by the interval since the state before, which takes that one's activity."""
        health = self.health
        if state.charging is not None:
            if state.charging and health.was_charging is False:
                health.charge_cycles += 1
                self._totals(state.observed_at).charge_cycles += 1
            health.was_charging = state.charging
        if before is None or before.shown.activity not in _UNDERWAY:
            return
        elapsed = state.observed_at - before.observed_at
        if elapsed < _MICROSECOND:
            return  # the state before lay in the future
        counted = min(elapsed, self.mower.interval_cap)
        microseconds = counted // _MICROSECOND
        millimetres = 0
        if health.place is not None and state.position is not None:
            metres = distance_metres(health.place, (state.position.latitude, state.position.longitude))
            # Of a longer silence only what it speaks for counts, of the way as of the time.
            millimetres = int(metres * 1000 * (counted / elapsed))
        is_mowing = before.shown.activity is Activity.MOWING
        mowed = microseconds if is_mowing else 0
        _add(health, mowed, millimetres)
        job = self.job
        if job is not None and job.ended_at is None and job.job_id == before.shown.job_id:
            self.jobs[job.job_id] = job
            job.mowing_microseconds += mowed
            job.distance_millimetres += millimetres
        self._add_to_days(before, counted, millimetres, is_mowing=is_mowing)
        if health.blade_microseconds >= self.mower.blade_life_microseconds and not health.blade_threshold_told:
            self._tell_blades(state)

    def _add_to_days(self, before: Latest, counted: timedelta, millimetres: int, *, is_mowing: bool) -> None:
        begins_at = before.observed_at
        ends_at = begins_at + counted
        area_id = self._mowed_area(before) if is_mowing else None
        day = self._day_of(begins_at)
        if ends_at <= day.ends_at:
            self._add_to_day(day, counted, millimetres, area_id, ends_at, is_mowing=is_mowing)
            return
        left = millimetres
        for part_day, part in split(begins_at, ends_at, self.mower.zone):
            until = min(part_day.ends_at, ends_at)
            share = left if until == ends_at else int(millimetres * (part / counted))
            left -= share
            self._add_to_day(part_day, part, share, area_id, until, is_mowing=is_mowing)

    def _add_to_day(
        self, day: SiteDay, part: timedelta, millimetres: int, area_id: str | None, until: datetime, *, is_mowing: bool
    ) -> None:
        microseconds = part // _MICROSECOND if is_mowing else 0
        totals = self.days.get(day.date)
        if totals is None:
            totals = self.days[day.date] = Totals()
        _add(totals, microseconds, millimetres)
        if area_id is not None:
            key = (area_id, day.date)
            area_day = self.area_days.get(key)
            if area_day is None:
                area_day = self.area_days[key] = AreaDay(last_mowed_at=until)
            area_day.mowing_microseconds += microseconds
            area_day.last_mowed_at = until

    def _mowed_area(self, before: Latest) -> str | None:
        """Return the area that was mowed: the vendor's, else the first of the owner's zones."""
        if before.shown.area_id is not None or self.mower.area_sizes:
            return before.shown.area_id
        zone_ids = self.health.zone_ids
        return zone_ids[0] if zone_ids else None

    def _follow_job(self, state: MowerState) -> None:
        job, row = state.job, self.job
        if job is None:
            if row is not None and row.ended_at is None and job_rules.is_over(state):
                self._end(row, state, replaced=state.replaced_job_id == row.job_id)
            return
        if row is None or row.job_id != job.id:
            if row is not None:
                self.other_jobs[row.job_id] = row
                if row.ended_at is None:
                    self._end(row, state, replaced=True)
            row = self.job = self.other_jobs.get(job.id) or job_rules.begun(job, state)
            self.health.job_id = job.id
        self.jobs[job.id] = row
        mowed = job_rules.follow(row, job, state, self.mower.area_sizes)
        if mowed:
            self.health.area_square_centimetres += mowed
            self._totals(state.observed_at).area_square_centimetres += mowed

    def _end(self, row: JobRow, state: MowerState, *, replaced: bool) -> None:
        job_rules.end(row, state, replaced=replaced)
        self.jobs[row.job_id] = row
        self.events.append(events.job_finished(state.mower_id, state.account_id, row, state.observed_at))

    def _follow_place(self, state: MowerState) -> None:
        position, health = state.position, self.health
        if position is None:
            return
        health.place = place = (position.latitude, position.longitude)
        zones = self.mower.zones
        if not zones and not health.zone_ids:
            return
        now = zones_at(place, zones)
        if now != health.zone_ids:
            self.events += [
                events.zone_crossed(state.mower_id, state.account_id, crossing, state.observed_at)
                for crossing in crossings(health.zone_ids, now, zones)
            ]
            health.zone_ids = now

    def _tell_blades(self, state: MowerState) -> None:
        self.health.blade_threshold_told = True
        self.events.append(
            events.blade_threshold(
                state.mower_id,
                state.account_id,
                self.health,
                blade_life_microseconds=self.mower.blade_life_microseconds,
                at=state.observed_at,
            )
        )

    def _day_of(self, moment: datetime) -> SiteDay:
        if self._day is None or not self._day.holds(moment):
            self._day = site_day(moment, self.mower.zone)
        return self._day

    def _totals(self, moment: datetime) -> Totals:
        return self.days.setdefault(self._day_of(moment).date, Totals())


def _add(totals: Totals, microseconds: int, millimetres: int) -> None:
    totals.mowing_microseconds += microseconds
    totals.blade_microseconds += microseconds
    totals.distance_millimetres += millimetres
