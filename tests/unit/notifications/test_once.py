"""However reports interleave, come again, or are settled in between: the same events, each once."""

import itertools
from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.commands import CommandKind
from edge_gateway.contracts.mower import Activity, MowerAvailability, MowerState
from edge_gateway.contracts.notifications import Notification, NotificationCode, Phase
from edge_gateway.notifications.judging import event_id
from edge_gateway.notifications.watch import BladeReport, Order, Watch
from tests.unit.notifications import strategies
from tests.unit.notifications.reports import JOB, LIFTED, STREET, STUCK, Judge, Report, at, order, reach, state

_END = 100_000.0


def _moment(report: Report) -> datetime:
    match report:
        case MowerState():
            return report.observed_at
        case MowerAvailability():
            return report.changed_at
        case Order():
            return report.issued_at
        case _:
            return report.at


_WRONG: dict[NotificationCode, tuple[Report, ...]] = {
    NotificationCode.ERROR: (state(0, Activity.ERROR, problem=LIFTED),),
    NotificationCode.STUCK: (state(0, Activity.ERROR, problem=STUCK),),
    NotificationCode.OFFLINE: (reach(0, available=False, reason="silent"),),
    NotificationCode.BATTERY_LOW: (state(0, Activity.IDLE, battery_percent=5),),
    NotificationCode.LEFT_GEOFENCE: (state(0, Activity.DOCKED), state(10, Activity.IDLE, position=STREET)),
    NotificationCode.BLADE_WORN: (BladeReport(mower_id="m1", account_id="home", at=at(0), worn=True),),
    NotificationCode.RESUMED_BY_ITSELF: (
        state(0, job=JOB),
        order(5, CommandKind.PAUSE),
        state(10, Activity.PAUSED, job=JOB),
        state(100, job=JOB),
    ),
}
"""What lets each rule tell that something began."""


@pytest.mark.parametrize("code", NotificationCode)
def test_each_rule_tells_once_however_often_its_reports_come(code: NotificationCode) -> None:
    judge = Judge()
    for _ in range(3):
        judge.take(*_WRONG[code])
        judge.take(*(report for report in _WRONG[code] for _ in range(2)))
        judge.wait(at(500))
    assert [(each.code, each.phase) for each in judge.told] == [(code, Phase.BEGAN)]


@st.composite
def _delivered(draw: st.DrawFn, sources: Sequence[list[Report]]) -> list[Report]:
    """Merge the sources in any way; each may fall back and deliver again what it delivered before, in its order."""
    delivered: list[Report] = []
    reached = [0] * len(sources)
    while True:
        open_sources = [index for index, source in enumerate(sources) if reached[index] < len(source)]
        if not open_sources:
            return delivered
        index = draw(st.sampled_from(open_sources))
        delivered.append(sources[index][reached[index]])
        reached[index] += 1
        if draw(st.integers(0, 3)) == 0:
            begin = draw(st.integers(0, reached[index]))
            delivered += sources[index][begin : reached[index]]


def _told(judge: Judge) -> list[tuple[str, Notification]]:
    judge.wait(at(_END))
    return sorted(((event_id(each), each) for each in judge.told), key=itemgetter(0))


@given(data=st.data(), sources=strategies.sources)
def test_any_interleaving_and_redelivery_tells_the_same_once(
    data: st.DataObject, sources: tuple[list[Report], ...]
) -> None:
    plain, shuffled = Judge(), Judge()
    plain.take(*itertools.chain.from_iterable(sources))
    expected = _told(plain)

    shuffled.take(*data.draw(_delivered(sources)))

    ids = [each for each, _ in expected]
    assert len(ids) == len(set(ids))
    assert _told(shuffled) == expected


@given(data=st.data(), sources=strategies.sources)
def test_ticks_tell_what_would_be_told_anyway(data: st.DataObject, sources: tuple[list[Report], ...]) -> None:
    plain, ticking = Judge(), Judge()
    plain.take(*itertools.chain.from_iterable(sources))

    for report in sorted(itertools.chain.from_iterable(sources), key=_moment):
        if data.draw(st.booleans()):
            # Up to the moment before which everything has come.
            ticking.wait(_moment(report) - datetime.resolution)
        ticking.take(report)

    assert _told(ticking) == _told(plain)


@given(sources=strategies.sources)
def test_a_restart_between_any_two_reports_changes_nothing(sources: tuple[list[Report], ...]) -> None:
    plain, stored = Judge(), Judge()
    for report in itertools.chain.from_iterable(sources):
        plain.take(report)
        stored.take(report)
        document = msgspec.json.encode(stored.watches[report.mower_id])
        stored.watches[report.mower_id] = msgspec.json.decode(document, type=Watch)

    assert _told(stored) == _told(plain)
    assert stored.watches == plain.watches


@given(sources=strategies.sources)
def test_every_end_has_its_beginning_before_it(sources: tuple[list[Report], ...]) -> None:
    judge = Judge()
    judge.take(*itertools.chain.from_iterable(sources))
    judge.wait(at(_END))

    open_findings: set[str] = set()
    for each in judge.told:
        if each.phase == "began":
            assert each.finding_id not in open_findings
            open_findings.add(each.finding_id)
        else:
            open_findings.remove(each.finding_id)
    assert len(open_findings) == len(judge.wrong)
