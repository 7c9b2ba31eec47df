"""What a batch leaves is what its states leave one at a time, whatever was stored before."""

import copy
import itertools
from datetime import date, timedelta

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from edge_gateway.contracts.mower import Activity, Job, MowerState
from edge_gateway.contracts.telemetry import Zone
from edge_gateway.telemetry.book import Book
from edge_gateway.telemetry.rows import AreaDay, Health, JobRow, Totals
from edge_gateway.telemetry.write_rules import Effect, Latest, LogRow, shown
from tests.unit.telemetry.factories import BEGIN, NOW, at, book, known, state

MOWER = known(
    area_sizes={"a1": 200.0, "a2": 50.0},
    zones=(Zone(id="z1", name="South", boundary=((52.4, 13.3), (52.4, 13.5), (at(5).latitude, 13.4))),),
    blade_life_microseconds=120_000_000,
)
J1, J2 = Job(id="j1", command_id="c1", area_ids=("a1",)), Job(id="j2")
HOURS_TO_MIDNIGHT = 13


class Store:
    """Keeps what books leave, as the database does."""

    def __init__(self) -> None:
        """Know nothing of the mower yet."""
        self.latest: Latest | None = None
        self.health = Health()
        self.jobs: dict[str, JobRow] = {}
        self.days: dict[date, Totals] = {}
        self.area_days: dict[tuple[str, date], AreaDay] = {}
        self.newer: list[LogRow] = []
        self.late: list[LogRow] = []
        self.events: list[str] = []

    def take(self, states: list[MowerState]) -> None:
        """Let one book judge a batch, and keep what it leaves."""
        # What is read from a database is nobody else's object.
        health, jobs = copy.deepcopy((self.health, self.jobs))
        opened = Book(MOWER, latest=self.latest, health=health, job=jobs.get(health.job_id or ""))
        opened.other_jobs |= jobs
        for each in states:
            opened.take(each, NOW)
        self.latest, self.health = opened.latest, opened.health
        _add(Totals(), opened.health)
        self.jobs |= opened.jobs
        for day, totals in opened.days.items():
            _add(self.days.setdefault(day, Totals()), totals)
        for key, area_day in opened.area_days.items():
            kept = self.area_days.setdefault(key, AreaDay(last_mowed_at=area_day.last_mowed_at))
            kept.mowing_microseconds += area_day.mowing_microseconds
            kept.last_mowed_at = max(kept.last_mowed_at, area_day.last_mowed_at)
        self.newer += opened.newer
        self.late += opened.late
        self.events += [event.id for event in opened.events]


def _add(totals: Totals, more: Totals) -> None:
    for field in msgspec.structs.fields(Totals):
        value = getattr(more, field.name)
        assert type(value) is int, field.name
        setattr(totals, field.name, getattr(totals, field.name) + value)


_states = st.lists(
    st.builds(
        state,
        st.sampled_from([0, 20, 40, 59, 61, 300, HOURS_TO_MIDNIGHT * 3600 - 30]).flatmap(
            lambda begin: st.integers(begin, begin + 90)
        ),
        activity=st.sampled_from(
            [Activity.MOWING, Activity.MOWING, Activity.RETURNING, Activity.DOCKED, Activity.IDLE]
        ),
        charging=st.sampled_from([None, True, False]),
        position=st.sampled_from([None, at(0), at(3), at(12)]),
        area_id=st.sampled_from([None, "a1", "a2"]),
        job=st.sampled_from([None, J1, J1, J2]),
        progress_percent=st.sampled_from([None, 0.0, 40.0, 99.5]),
        backfill=st.booleans(),
    ),
    max_size=20,
)


@settings(max_examples=100)
@given(states=_states, cuts=st.sets(st.integers(1, 20)))
def test_it_does_not_matter_how_states_are_batched(states: list[MowerState], cuts: set[int]) -> None:
    at_once, cut, singly = Store(), Store(), Store()
    at_once.take(states)
    places = [0, *sorted(place for place in cuts if place < len(states)), len(states)]
    for begin, end in itertools.pairwise(places):
        cut.take(states[begin:end])
    for each in states:
        singly.take([each])
    assert vars(cut) == vars(at_once)
    assert vars(singly) == vars(at_once)


def test_on_a_new_page_nothing_of_the_last_one_stands_and_all_that_is_known_is_kept() -> None:
    told = [
        state(0, charging=False, area_id="a1", job=J1, progress_percent=40.0, position=at(0)),
        state(20, charging=True, job=J1),
        state(10, backfill=True),
        state(30),
    ]
    opened = Book(MOWER, latest=None, health=Health())
    opened.other_jobs["j9"] = JobRow(job_id="j9", started_at=BEGIN, last_at=BEGIN)
    for each in told:
        opened.take(each, NOW)
    # Behind a latest state in the future every row is one of the past.
    opened.take(state(25, charging=False), BEGIN - timedelta(minutes=5))
    kept = (opened.latest, opened.health, opened.job)
    assert all((opened.late, opened.newer, opened.days, opened.area_days, opened.jobs, opened.events))
    opened.turn_page()
    blank = Book(MOWER, latest=kept[0], health=kept[1], job=kept[2])
    assert {name: value for name, value in vars(opened).items() if name != "_day"} == {
        name: value for name, value in vars(blank).items() if name != "_day"
    }


def test_behind_a_latest_state_that_yielded_every_row_is_one_of_the_past() -> None:
    opened = book()
    ahead, first, second = (state(seconds, position=at(0)) for seconds in (3600, 1, 2))
    opened.take(ahead, ahead.observed_at)
    assert [opened.take(each, BEGIN) for each in (first, second)] == [Effect.NEWER, Effect.NEWER]
    assert [row.observed_at for row in opened.newer] == [ahead.observed_at]
    assert [row.observed_at for row in opened.late] == [first.observed_at, second.observed_at]
    assert opened.newest == second


def test_a_job_that_was_over_goes_on_as_itself_after_another() -> None:
    hour = timedelta(hours=1)
    over = JobRow(job_id="j1", started_at=BEGIN - hour, last_at=BEGIN, ended_at=BEGIN, ending="finished")
    opened = Book(MOWER, latest=None, health=Health(job_id="j1"), job=over)
    for each in (state(0, job=J2), state(10, job=J1)):
        opened.take(each, NOW)
    assert (opened.jobs["j1"].started_at, opened.jobs["j1"].ended_at) == (BEGIN - hour, None)


def test_a_book_tells_the_newest_state_and_the_rows_of_the_present_and_of_the_past() -> None:
    opened = book()
    first, second, late = state(0), state(20, activity=Activity.DOCKED), state(10, backfill=True)
    nothing_new = state(30, activity=Activity.DOCKED)
    assert (opened.newest, opened.newer, opened.late) == (None, [], [])
    assert [opened.take(each, NOW) for each in (first, second, late, nothing_new)] == [
        Effect.NEWER,
        Effect.NEWER,
        Effect.LATE,
        Effect.NEWER,
    ]
    assert opened.newer == [
        LogRow("m1", each.observed_at, shown(each), changed=True, position=None) for each in (first, second)
    ]
    assert opened.late == [LogRow("m1", late.observed_at, shown(late), changed=True, position=None)]
    assert opened.newest == nothing_new
