"""How fast the next occurrence is found, against dateutil's rrule with the same rule for clock changes on top."""

import statistics
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from dateutil.rrule import DAILY, MO, TH, WEEKLY, rrule

from edge_gateway.scheduler.recurrence import EveryNDays, Recurrence, Weekly, next_occurrence

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 7, 1, 10, 30, tzinfo=UTC)
_DAY = timedelta(days=1)
_AT = datetime(2025, 7, 1, 2, 30)  # noqa: DTZ001 - a wall time: rrule leaves zones to its caller

PLANS: tuple[tuple[Recurrence, rrule], ...] = (
    (
        Weekly(frozenset({0, 3}), _AT.time()),
        rrule(WEEKLY, byweekday=(MO, TH), dtstart=_AT, cache=False),
    ),
    (EveryNDays(3, _AT.date(), _AT.time()), rrule(DAILY, interval=3, dtstart=_AT, cache=False)),
)
"""Both kinds; the rules are stored, begin a year back and keep no list of what they have found."""


def by_rrule(rule: rrule, zone: ZoneInfo, after: datetime) -> datetime | None:
    """Return the first instant strictly after a moment: the rule's wall times, each converted with fold 0."""
    wall = rule.after(after.astimezone(zone).replace(tzinfo=None) - _DAY, inc=True)
    while wall is not None:
        instant = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
        if instant > after:
            return instant
        wall = rule.after(wall)
    return None


def ratios(rounds: int, calls: int) -> Iterator[float]:
    """Yield how many times as fast ours is, per round; both sides take turns and must agree."""
    for _ in range(rounds):
        for recurrence, rule in PLANS:
            moments = [NOW + number * timedelta(hours=7) for number in range(calls)]
            ours = [next_occurrence(recurrence, BERLIN, moment) for moment in moments]
            assert ours == [by_rrule(rule, BERLIN, moment) for moment in moments]  # noqa: S101 - a ratio of two rights
            theirs_seconds = _seconds(lambda: [by_rrule(rule, BERLIN, moment) for moment in moments])  # noqa: B023
            ours_seconds = _seconds(lambda: [next_occurrence(recurrence, BERLIN, moment) for moment in moments])  # noqa: B023
            yield theirs_seconds / ours_seconds


def ratio(*, rounds: int = 3, calls: int = 300) -> float:
    """Return the smaller of the two kinds' medians."""
    found = list(ratios(rounds, calls))
    return min(statistics.median(found[kind :: len(PLANS)]) for kind in range(len(PLANS)))


def microseconds(calls: int = 3000) -> float:
    """Return how long one of ours takes."""
    recurrence = PLANS[0][0]
    moments = [NOW + number * timedelta(hours=7) for number in range(calls)]
    return _seconds(lambda: [next_occurrence(recurrence, BERLIN, moment) for moment in moments]) / calls * 1e6


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
