"""A job's track to the letter, and each sign of a report by itself."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.mower import Job
from edge_gateway.device_gateway.mammotion.job_track import JobTrack, follow, ordered
from edge_gateway.device_gateway.mammotion.modes import Mode
from tests.unit.device_gateway.mammotion.readings import NOON, reading
from tests.unit.device_gateway.mammotion.test_job_track import AREAS, PATH, after, working

MINUTE = timedelta(minutes=1)
OURS = JobTrack(id="ours", path_hash=PATH, started_at=NOON, area_ids=("lawn",), awaited_until=NOON + MINUTE)
OPEN = JobTrack(id="ours", path_hash=PATH, started_at=NOON, area_ids=("lawn",), progress_percent=40.0)


def test_what_was_ordered_is_awaited_for_a_minute() -> None:
    assert ordered("ours", path_hash=PATH, area_ids=("lawn",), at=NOON) == OURS
    assert OURS.job == Job(id="ours", started_at=NOON, area_ids=("lawn",), resumable=False)
    assert after(OURS, mode=Mode.READY, observed_at=NOON + MINUTE - timedelta(microseconds=1)) is OURS
    assert after(OURS, mode=Mode.READY, observed_at=NOON + MINUTE) is None
    doubtful = after(OURS, mode=Mode.INITIALIZATION, observed_at=NOON + MINUTE)
    assert doubtful == msgspec.structs.replace(OURS, awaited_until=None)


def test_a_foreign_job_is_named_by_its_path_and_the_moment() -> None:
    assert working(mow_percent=5, job_zone_hashes=(8,)) == JobTrack(
        id="job-1092-20260601120000",
        path_hash=PATH,
        started_at=NOON,
        area_ids=("orchard",),
        progress_percent=5.0,
        resumable=False,
    )
    pathless = after(None, mode=Mode.WORKING, path_hash=0)
    assert pathless is not None
    assert (pathless.id, pathless.path_hash, pathless.progress_percent) == ("job-0-20260601120000", None, None)


def test_the_first_hash_of_a_path_is_two() -> None:
    assert working().path_hash == PATH
    assert [
        track.path_hash if (track := after(None, mode=Mode.WORKING, path_hash=number)) else "none"
        for number in (None, 1, 2)
    ] == [None, None, 2]


def test_a_report_brings_the_track_forward_and_takes_nothing_back() -> None:
    told = after(OPEN, mode=Mode.WORKING, path_hash=None, mow_percent=39)
    assert told == OPEN
    further = after(OPEN, mode=Mode.PAUSE, breakpoint=1, path_hash=0, mow_percent=41)
    assert further == msgspec.structs.replace(OPEN, progress_percent=41.0, resumable=True)
    assert after(OPEN, mode=Mode.PAUSE, breakpoint=0, path_hash=0, mow_percent=41) == further


def test_a_track_without_a_path_takes_the_first_that_is_told() -> None:
    pathless = msgspec.structs.replace(OPEN, path_hash=None)
    found = after(pathless, mode=Mode.WORKING, path_hash=PATH + 1)
    assert found == msgspec.structs.replace(OPEN, path_hash=PATH + 1)


@pytest.mark.parametrize(
    ("told", "opens"),
    [
        ({"mode": Mode.WORKING, "path_hash": 0}, True),
        ({"mode": Mode.PAUSE, "path_hash": PATH}, True),
        ({"mode": Mode.CHARGING_PAUSE, "path_hash": PATH}, True),
        ({"mode": Mode.PAUSE, "path_hash": 0}, False),
        ({"mode": Mode.READY, "breakpoint": 99}, True),
        ({"mode": Mode.READY, "breakpoint": 0, "path_hash": PATH}, False),
        ({"mode": Mode.RETURNING, "breakpoint": 0, "path_hash": PATH}, False),
        ({"mode": Mode.READY, "breakpoint": None}, False),
    ],
)
def test_which_reports_open_a_job(told: dict[str, Any], *, opens: bool) -> None:
    assert (follow(None, reading(**told), area_ids=AREAS, seen_before=True) is not None) is opens


@pytest.mark.parametrize(
    ("told", "ends"),
    [
        ({"mode": Mode.READY, "breakpoint": 2}, True),
        ({"mode": Mode.PAUSE, "path_hash": 0}, False),
        ({"mode": Mode.MANUAL_MOWING, "path_hash": 0}, False),
        ({"mode": Mode.RETURNING, "breakpoint": None, "path_hash": 0}, False),
        ({"mode": Mode.CHARGING, "breakpoint": None}, False),
    ],
)
def test_which_reports_end_one(told: dict[str, Any], *, ends: bool) -> None:
    assert (after(OPEN, **told) is None) is ends
