"""Packed positions are where they were, within a centimetre, and few."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.telemetry import PositionRow
from edge_gateway.telemetry.ground import METRES_PER_DEGREE, distance_metres
from edge_gateway.telemetry.segments import LONGEST, pack, thin, unpack

_BEGIN = datetime(2026, 5, 4, 9, tzinfo=UTC)


def _point(deciseconds: int, latitude: float = 52.5, longitude: float = 13.4) -> PositionRow:
    return PositionRow(
        observed_at=_BEGIN + timedelta(milliseconds=100 * deciseconds), latitude=latitude, longitude=longitude
    )


_ways = st.lists(
    st.tuples(
        st.integers(1, 40_000),
        st.one_of(st.floats(52.49, 52.51), st.sampled_from([-89.9, 0.0, 60.0])),
        st.floats(13.39, 13.41),
    ),
    min_size=1,
    max_size=30,
)


@given(steps=_ways)
def test_what_is_packed_comes_out_again(steps: list[tuple[int, float, float]]) -> None:
    moment, points = 0, []
    for pause, latitude, longitude in steps:
        moment += pause
        points.append(_point(moment, latitude, longitude))

    segments = pack(points)

    unpacked = [point for segment in segments for point in unpack(segment)]
    assert [point.observed_at for point in unpacked] == [point.observed_at for point in points]
    for before, after in zip(points, unpacked, strict=True):
        apart = distance_metres((before.latitude, before.longitude), (after.latitude, after.longitude))
        assert apart < 0.011
    for segment in segments:
        assert segment.deciseconds[-1] < LONGEST / timedelta(milliseconds=100)
        assert all(abs(way) <= 32_767 for way in (*segment.north_centimetres, *segment.east_centimetres))


def test_a_moment_is_kept_to_the_tenth_of_a_second_that_began_before_it() -> None:
    between = PositionRow(observed_at=_BEGIN + timedelta(milliseconds=1290), latitude=52.5, longitude=13.4)
    (segment,) = pack([_point(0), between])
    assert [repr(each) for each in segment.deciseconds] == ["0", "12"]


@pytest.mark.parametrize(
    ("deciseconds", "centimetres", "segments"),
    [(2999, 32_000, 1), (2999, -32_000, 1), (3000, 0, 2), (0, 32_001, 2), (0, -32_001, 2)],
)
def test_a_segment_reaches_as_far_in_time_and_place_as_its_numbers_do(
    deciseconds: int, centimetres: int, segments: int
) -> None:
    far = _point(deciseconds, latitude=centimetres / 100 / METRES_PER_DEGREE)
    assert len(pack([_point(0, latitude=0.0), far])) == segments


def test_of_no_points_nothing_is_left() -> None:
    assert list(thin([], timedelta(seconds=15))) == []
    assert pack([]) == []


def test_thinned_points_lie_apart_and_the_last_one_stays() -> None:
    thinned = list(thin([_point(10 * second) for second in range(40)], timedelta(seconds=15)))
    assert [(point.observed_at - _BEGIN).total_seconds() for point in thinned] == [0, 15, 30, 39]
