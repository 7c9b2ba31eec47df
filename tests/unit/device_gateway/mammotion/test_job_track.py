"""One job across breaks, its progress, and what ends it."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.device_gateway.mammotion.job_track import START_GRACE, JobTrack, follow, ordered
from edge_gateway.device_gateway.mammotion.modes import Mode
from tests.unit.device_gateway.mammotion.readings import NOON, reading

PATH = 4242
AREAS = {7: "lawn", 8: "orchard"}


def after(track: JobTrack | None, *, seen_before: bool = True, **told: Any) -> JobTrack | None:  # noqa: ANN401  # any field
    return follow(track, reading(**told), area_ids=AREAS, seen_before=seen_before)


def working(**told: Any) -> JobTrack:  # noqa: ANN401  # any field of a reading
    track = after(None, mode=Mode.WORKING, path_hash=PATH, **told)
    assert track is not None
    return track


def test_a_job_that_shows_up_began_now_unless_it_was_running_at_the_first_look() -> None:
    assert working().started_at == NOON
    first = after(None, mode=Mode.WORKING, path_hash=PATH, seen_before=False)
    assert first is not None
    assert first.started_at is None


def test_a_foreign_job_knows_its_areas() -> None:
    assert working(job_zone_hashes=(8, 7, 99)).area_ids == ("orchard", "lawn")


@pytest.mark.parametrize(
    "told",
    [
        {"mode": Mode.PAUSE, "breakpoint": 1},
        {"mode": Mode.RETURNING, "breakpoint": 10, "path_hash": PATH},
        {"mode": Mode.CHARGING_PAUSE, "breakpoint": 10, "charge_state": 1},
        {"mode": Mode.READY, "breakpoint": 1, "charge_state": 1},
        {"mode": Mode.RETURNING, "breakpoint": 0, "path_hash": PATH},
        {"mode": None},
        {"mode": Mode.INITIALIZATION},
        {"mode": Mode.SYSTEM_ERROR},
        {"mode": Mode.READY, "breakpoint": None},
        {"mode": Mode.WORKING, "path_hash": 0},
        {"mode": Mode.WORKING, "path_hash": 1},
    ],
    ids=str,
)
def test_it_stays_the_same_job_through_breaks_restarts_and_doubt(told: dict[str, Any]) -> None:
    job = working()
    kept = after(job, **told)
    assert kept is not None
    assert kept.id == job.id
    again = after(kept, mode=Mode.WORKING, path_hash=PATH)
    assert again is not None
    assert again.id == job.id


@pytest.mark.parametrize(
    "told",
    [
        {"mode": Mode.READY},
        {"mode": Mode.CHARGING, "charge_state": 1},
        {"mode": Mode.RETURNING, "path_hash": 0},
        {"mode": Mode.SLEEPING, "charge_state": 2},
    ],
    ids=str,
)
def test_it_ends_when_nothing_is_left_of_it(told: dict[str, Any]) -> None:
    assert after(working(), **told) is None


def test_another_path_is_another_job() -> None:
    job = working()
    other = after(job, mode=Mode.WORKING, path_hash=PATH + 1)
    assert other is not None
    assert other.id != job.id


def test_resumable_is_what_the_mower_could_go_on_with() -> None:
    job = working()
    assert not job.resumable
    paused = after(job, mode=Mode.PAUSE, breakpoint=1)
    assert paused is not None
    assert paused.resumable
    assert paused.job.resumable


def test_a_job_that_was_ordered_is_not_ended_by_reports_from_before() -> None:
    track: JobTrack | None = ordered("ours", path_hash=PATH, area_ids=("lawn",), at=NOON)
    track = after(track, mode=Mode.READY)
    assert track is not None
    track = after(track, mode=Mode.WORKING, path_hash=PATH + 5)
    assert track is not None
    assert (track.id, track.awaited_until, track.path_hash) == ("ours", None, PATH + 5)


def test_a_job_that_was_ordered_and_never_seen_is_forgotten() -> None:
    track = ordered("ours", path_hash=PATH, area_ids=("lawn",), at=NOON)
    assert after(track, mode=Mode.READY, observed_at=NOON + START_GRACE + timedelta(seconds=1)) is None


@given(st.lists(st.one_of(st.none(), st.integers(0, 100)), min_size=1, max_size=20))
def test_progress_never_falls_within_a_job(percents: list[int | None]) -> None:
    track: JobTrack | None = None
    told: list[float] = []
    for percent in percents:
        track = after(track, mode=Mode.WORKING, path_hash=PATH, mow_percent=percent)
        assert track is not None
        if track.progress_percent is not None:
            told.append(track.progress_percent)
    assert told == sorted(told)
    assert (not told) == all(percent is None for percent in percents)
