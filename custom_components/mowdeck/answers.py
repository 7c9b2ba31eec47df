"""What is answered when somebody asks for a mower's next mow, or why it does not mow: codes, moments, names. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from .client.mower import Activity, Mower
from .client.run import Run, RunOutcome
from .client.schedule import Schedule
from .client.weather import MowerWeather

RECENT = timedelta(hours=24)
"""A run that was left out longer ago explains nothing about now."""


class Words(StrEnum):
    """From which list of the translations a reason's words are taken."""

    RAIN = "rain"
    RUN = "run"
    PROBLEM = "problem"
    REACH = "reach"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One sentence about a mower, without its words."""

    key: str
    """Of the sentence."""
    moment: datetime | None = None
    zone: str | None = None
    """In which the moment is told; None is Home Assistant's own."""
    schedule: str | None = None
    words: Words | None = None
    reason: str | None = None
    """A code of `words`."""


@dataclass(frozen=True, kw_only=True)
class NextMow:
    """The next occurrence of a mower's plans, skipped or not."""

    schedule: Schedule
    at: datetime
    skipped: bool


def next_mow(schedules: Iterable[Schedule]) -> NextMow | None:
    """Return the first occurrence of all plans."""
    found = [
        NextMow(schedule=schedule, at=schedule.next_run_at, skipped=schedule.next_run_skipped)
        for schedule in schedules
        if schedule.enabled and schedule.next_run_at is not None
    ]
    return min(found, key=lambda each: each.at, default=None)


def when_next(schedules: Iterable[Schedule]) -> Answer:
    """Answer when a mower mows next."""
    found = next_mow(schedules)
    if found is None:
        return Answer(key="none_planned")
    return Answer(
        key="next_skipped" if found.skipped else "next",
        moment=found.at,
        zone=found.schedule.effective_time_zone,
        schedule=found.schedule.name,
    )


def why_not(mower: Mower, schedules: Iterable[Schedule], weather: MowerWeather | None, now: datetime) -> Answer:
    """Answer why a mower does not mow: the first thing that stands in its way."""
    plans = tuple(schedules)
    found = _now(mower) or _held(weather) or _left_out(plans, now)
    return when_next(plans) if found is None else found


def _now(mower: Mower) -> Answer | None:
    """Return what the mower itself says."""
    if not mower.available:
        return Answer(key="unreachable", words=Words.REACH, reason=mower.unavailable_reason)
    if mower.problem is not None or mower.activity is Activity.ERROR:
        code = None if mower.problem is None else mower.problem.code
        return Answer(key="problem", words=Words.PROBLEM, reason=code)
    if mower.activity in (Activity.MOWING, Activity.RETURNING, Activity.PAUSED):
        return Answer(key=mower.activity.value)
    return None


def _held(weather: MowerWeather | None) -> Answer | None:
    """Return what the rain rule, or somebody, says."""
    if weather is None or not weather.hold:
        return None
    key = "held" if weather.hold_until is None else "held_until"
    return Answer(key=key, moment=weather.hold_until, words=Words.RAIN, reason=weather.reason)


def _left_out(schedules: Iterable[Schedule], now: datetime) -> Answer | None:
    """Return the last run, when it was to begin lately and did not."""
    runs = [schedule.last_run for schedule in schedules if schedule.last_run is not None]
    last = max(runs, key=lambda run: run.occurrence_at, default=None)
    if last is None or now - last.occurrence_at > RECENT or last.outcome in _NOT_LEFT_OUT:
        return None
    zone = next(schedule.effective_time_zone for schedule in schedules if schedule.last_run is last)
    return Answer(
        key="last_failed" if last.outcome is RunOutcome.FAILED else "last_skipped",
        moment=last.occurrence_at,
        zone=zone,
        words=Words.RUN,
        reason=_reason_of(last),
    )


_NOT_LEFT_OUT = frozenset({RunOutcome.STARTED, RunOutcome.PENDING, RunOutcome.UNKNOWN})


def _reason_of(run: Run) -> str:
    return run.reason or run.outcome.value
