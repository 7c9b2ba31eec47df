"""The emulated garden's plane geometry."""

import pytest

from tests.emulators.mammotion.geometry import Track, area_m2, contains, rectangle, stripes


def test_a_rectangle_is_a_closed_walk_around_its_area() -> None:
    lawn = rectangle(2.0, 3.0, 8.0, 6.0)
    assert lawn[0] == lawn[-1]
    assert area_m2(lawn) == pytest.approx(48.0)


@pytest.mark.parametrize(("point", "inside"), [((5.0, 5.0), True), ((1.0, 5.0), False), ((5.0, 9.5), False)])
def test_what_lies_inside(point: tuple[float, float], *, inside: bool) -> None:
    assert contains(rectangle(2.0, 3.0, 8.0, 6.0), point) is inside


def test_stripes_stay_inside_and_alternate() -> None:
    path = stripes(rectangle(0.0, 0.0, 10.0, 4.0), 1.0)
    assert [x for x, _ in path] == pytest.approx([0, 10, 10, 0, 0, 10, 10, 0])
    assert all(0 < y < 4 for _, y in path)


def test_a_track_is_walked_by_distance() -> None:
    track = Track([(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)])
    assert track.length == pytest.approx(7.0)
    assert [track.at(distance) for distance in (-1, 0, 3, 5, 99)] == [(0, 0), (0, 0), (3, 0), (3, 2), (3, 4)]
