"""The angles of a schedule take turns."""

from typing import Any

import pytest

from edge_gateway.scheduler.angles import angle_of, numbers_of, pattern_of
from tests.unit.scheduler.factories import draft

TURNS = draft(angles=(0.0, 45.0, 90.0))


@pytest.mark.parametrize(("number", "angle"), [(0, 0.0), (1, 45.0), (2, 90.0), (3, 0.0), (7, 45.0)])
def test_each_start_takes_the_next_angle_and_after_the_last_the_first(number: int, angle: float) -> None:
    assert angle_of(TURNS, number) == angle
    assert pattern_of(TURNS, number) == {"angle": angle}
    assert numbers_of(TURNS, number) == {"angle": angle, "angle_number": number}


def test_an_angle_goes_with_the_pattern_and_wins_over_its_own() -> None:
    lanes = draft(angles=(30.0,), pattern={"lanes": 2, "angle": 10})
    assert pattern_of(lanes, 0) == {"lanes": 2, "angle": 30.0}


@pytest.mark.parametrize("pattern", [None, {"lanes": 2}])
def test_without_angles_the_pattern_is_the_schedule_s_own(pattern: dict[str, Any] | None) -> None:
    plain = draft(pattern=pattern)
    assert (angle_of(plain, 1), pattern_of(plain, 1), numbers_of(plain, 1)) == (None, pattern, {})
