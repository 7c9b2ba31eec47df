"""A job is one record across charging breaks; its progress never falls."""

import pytest

from edge_gateway.contracts import subjects
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.contracts.telemetry import JobEnding, JobFinished
from tests.unit.telemetry.factories import at, book, state, take

J1 = Job(id="j1", command_id="c1", area_ids=("a1",))
J2 = Job(id="j2")
SIZES = {"a1": 200.0, "a2": None}


def test_a_job_goes_on_after_a_charging_break() -> None:
    opened = take(
        book(area_sizes=SIZES),
        state(0, job=J1, progress_percent=0.0, position=at(0)),
        state(30, job=J1, progress_percent=40.0, position=at(5)),
        state(40, job=J1, activity=Activity.DOCKED),
        state(50, job=J1, activity=Activity.DOCKED, progress_percent=0.0),
        state(3600, job=J1, progress_percent=10.0, position=at(5)),
        state(3630, job=J1, progress_percent=100.0, activity=Activity.RETURNING),
        state(3660, activity=Activity.DOCKED),
    )
    (row,) = opened.jobs.values()
    assert (row.started_at, row.ended_at) == (state(0).observed_at, state(3660).observed_at)
    assert (row.ending, row.progress_percent, row.charging_breaks) == (JobEnding.FINISHED, 100.0, 1)
    assert (row.mowing_microseconds, row.area_square_centimetres) == (70_000_000, 2_000_000)
    assert opened.health.area_square_centimetres == 2_000_000
    assert [totals.area_square_centimetres for totals in opened.days.values()] == [2_000_000]
    (event,) = opened.events
    assert (event.type, event.account_id) == (subjects.JOB_FINISHED, "home")
    assert event.decode(JobFinished).job.ending is JobEnding.FINISHED


@pytest.mark.parametrize(
    ("percent", "ending"), [(99.0, JobEnding.FINISHED), (50.0, JobEnding.CANCELLED), (None, JobEnding.UNKNOWN)]
)
def test_a_job_that_is_gone_has_ended(percent: float | None, ending: JobEnding) -> None:
    opened = take(book(), state(0, job=J1, progress_percent=percent), state(10, activity=Activity.IDLE))
    assert opened.jobs["j1"].ending == ending


def test_a_report_that_knows_nothing_ends_no_job() -> None:
    opened = take(book(), state(0, job=J1), state(10, activity=Activity.UNKNOWN), state(20, job=J1))
    assert opened.jobs["j1"].ended_at is None
    assert opened.events == []


def test_a_way_is_a_job_s_until_it_is_known_to_be_over() -> None:
    opened = take(
        book(),
        *(state(10 * number, job=J1, position=at(number)) for number in range(4)),
        state(40, activity=Activity.UNKNOWN, position=at(4)),
    )
    assert opened.jobs["j1"].mowing_microseconds == 40_000_000
    assert opened.jobs["j1"].distance_millimetres == pytest.approx(4000, abs=4)


def test_another_job_replaces_one_that_was_not_done() -> None:
    opened = take(book(), state(0, job=J1, progress_percent=20.0), state(10, job=J2), state(20, job=J1))
    assert (opened.jobs["j2"].ending, opened.jobs["j1"].ending) == (JobEnding.REPLACED, None)
    assert (opened.jobs["j1"].progress_percent, opened.jobs["j1"].started_at) == (20.0, state(0).observed_at)
    assert [event.decode(JobFinished).job.ending for event in opened.events] == [
        JobEnding.REPLACED,
        JobEnding.REPLACED,
    ]


def test_a_job_that_ended_for_another_one_was_replaced() -> None:
    gone = state(10, activity=Activity.IDLE, replaced_job_id="j1")
    opened = take(book(), state(0, job=J1, progress_percent=20.0), gone, state(20, job=J2))
    assert (opened.jobs["j1"].ending, opened.jobs["j2"].ending) == (JobEnding.REPLACED, None)
    assert [event.decode(JobFinished).job.ending for event in opened.events] == [JobEnding.REPLACED]
    # What ended before it could be replaced was not.
    done = take(book(), state(0, job=J1, progress_percent=100.0), gone)
    assert done.jobs["j1"].ending == JobEnding.FINISHED


def test_a_job_whose_areas_have_no_known_size_has_no_known_area() -> None:
    both = Job(id="j1", area_ids=("a1", "a2"))
    opened = take(book(area_sizes=SIZES), state(0, job=both, progress_percent=50.0))
    assert opened.jobs["j1"].area_square_centimetres is None
    assert opened.health.area_square_centimetres == 0
