"""What one report changes in a job's record."""

from datetime import datetime, timedelta

import pytest

from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.telemetry.job_rules import begun, follow
from edge_gateway.telemetry.rows import JobRow
from tests.unit.telemetry.factories import BEGIN, state

J1 = Job(id="j1", command_id="c1", area_ids=("a1", "a2"))
SIZES = {"a1": 200.0, "a2": 50.0}
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("told", "started_at"), [(None, BEGIN), (BEGIN - MINUTE, BEGIN - MINUTE), (BEGIN + MINUTE, BEGIN)]
)
def test_a_job_began_when_the_mower_says_so_and_never_after_it_was_seen(
    told: datetime | None, started_at: datetime
) -> None:
    assert begun(Job(id="j1", started_at=told), state()) == JobRow(job_id="j1", started_at=started_at, last_at=BEGIN)


def test_a_report_that_names_less_takes_nothing_back() -> None:
    row = begun(J1, state())
    follow(row, J1, state(), None)
    follow(row, Job(id="j1"), state(10), None)
    assert (row.command_id, row.area_ids, row.last_at) == ("c1", ("a1", "a2"), BEGIN + timedelta(seconds=10))


def test_each_time_in_the_dock_is_a_break_however_often_it_is_reported() -> None:
    row = begun(J1, state())
    for activity in (Activity.DOCKED, Activity.MOWING, Activity.DOCKED, Activity.DOCKED, Activity.MOWING):
        follow(row, J1, state(activity=activity), None)
    assert row.charging_breaks == 2


def test_a_job_that_begins_in_the_dock_has_had_no_break_yet() -> None:
    row = begun(J1, state(activity=Activity.DOCKED))
    for activity in (Activity.DOCKED, Activity.MOWING):
        follow(row, J1, state(activity=activity), None)
    assert row.charging_breaks == 0


def test_the_area_of_a_job_is_that_of_all_its_areas_and_counts_with_its_progress() -> None:
    row = begun(J1, state())
    assert follow(row, J1, state(progress_percent=10.0), SIZES) == 250_000
    assert follow(row, J1, state(progress_percent=50.0), SIZES) == 1_000_000
    assert row.area_square_centimetres == 1_250_000


def test_a_map_that_comes_later_is_counted_with_the_next_progress() -> None:
    row = begun(J1, state())
    assert follow(row, J1, state(progress_percent=50.0), None) == 0
    assert follow(row, J1, state(progress_percent=50.0), SIZES) == 0
    assert row.area_square_centimetres is None
    assert follow(row, J1, state(progress_percent=60.0), SIZES) == 1_500_000
