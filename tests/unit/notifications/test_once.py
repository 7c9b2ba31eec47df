"""However reports interleave, come again, or are settled in between: the same events, each once."""

import itertools
from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.mower import MowerAvailability, MowerState
from edge_gateway.contracts.notifications import Notification
from edge_gateway.notifications.judging import event_id
from edge_gateway.notifications.watch import Order, Watch
from tests.unit.notifications import strategies
from tests.unit.notifications.reports import Judge, Report, at

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
