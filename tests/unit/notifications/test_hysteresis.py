"""A condition turns when the opposite was seen for its hold, at the moment from which on it was seen."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from edge_gateway.notifications.hysteresis import Condition, Holds, Sight, Turn, due_at, see, settle
from tests.unit.notifications.reports import at

HOLDS = Holds(begin=timedelta(seconds=10), end=timedelta(seconds=30))
VALUES: dict[str, Any] = {"problem_code": "lifted"}
IDLE = Condition()
BEGINNING = Condition(turning_since=at(0), values=VALUES)
OPEN = Condition(is_open=True, began_at=at(0), values=VALUES)
ENDING = msgspec.structs.replace(OPEN, turning_since=at(100))
BEGAN = Turn(began=True, at=at(0), began_at=at(0), values=VALUES)
ENDED = Turn(began=False, at=at(100), began_at=at(0), values=VALUES)


@pytest.mark.parametrize(("condition", "seconds"), [(IDLE, None), (BEGINNING, 10), (OPEN, None), (ENDING, 130)])
def test_when_it_turns_by_itself(condition: Condition, seconds: float | None) -> None:
    assert due_at(condition, HOLDS) == (None if seconds is None else at(seconds))


@pytest.mark.parametrize(
    ("condition", "until", "expected"),
    [
        (IDLE, 999, (IDLE, ())),
        (OPEN, 999, (OPEN, ())),
        (BEGINNING, 9.9, (BEGINNING, ())),
        (BEGINNING, 10, (OPEN, (BEGAN,))),
        (ENDING, 129.9, (ENDING, ())),
        (ENDING, 130, (IDLE, (ENDED,))),
    ],
)
def test_it_turns_at_its_time_and_not_before(
    condition: Condition, until: float, expected: tuple[Condition, tuple[Turn, ...]]
) -> None:
    assert settle(condition, at(until), HOLDS) == expected


def test_what_is_open_without_a_beginning_began_when_its_end_was_seen() -> None:
    unknown = Condition(is_open=True, turning_since=at(100), values=VALUES)
    assert settle(unknown, at(130), HOLDS)[1] == (Turn(began=False, at=at(100), began_at=at(100), values=VALUES),)


@pytest.mark.parametrize(
    ("condition", "seen", "seconds", "expected"),
    [
        (IDLE, True, 0, (BEGINNING, ())),
        (IDLE, False, 0, (IDLE, ())),
        (IDLE, None, 0, (IDLE, ())),
        (BEGINNING, True, 9, (BEGINNING, ())),
        (BEGINNING, None, 9, (BEGINNING, ())),
        (BEGINNING, False, 9, (Condition(values=VALUES), ())),
        (BEGINNING, True, 10, (OPEN, (BEGAN,))),
        (BEGINNING, False, 10, (msgspec.structs.replace(OPEN, turning_since=at(10)), (BEGAN,))),
        (OPEN, False, 100, (ENDING, ())),
        (OPEN, True, 100, (OPEN, ())),
        (ENDING, True, 129, (OPEN, ())),
        (ENDING, None, 129, (OPEN, ())),
        (ENDING, None, 130, (IDLE, (ENDED,))),
        (ENDING, False, 129, (ENDING, ())),
    ],
)
def test_one_sighting(
    condition: Condition, *, seen: bool | None, seconds: float, expected: tuple[Condition, tuple[Turn, ...]]
) -> None:
    values = VALUES if condition is IDLE else {"problem_code": "told later"}
    assert see(condition, Sight(seen=seen, values=values), at(seconds), HOLDS) == expected


def test_without_a_hold_it_turns_at_once() -> None:
    opened, turns = see(IDLE, Sight(seen=True, values=VALUES), at(0), Holds())
    assert (opened, turns) == (OPEN, (BEGAN,))
    assert see(opened, Sight(seen=False), at(100), Holds()) == (IDLE, (ENDED,))


@pytest.mark.parametrize(("condition", "idle"), [(IDLE, True), (BEGINNING, False), (OPEN, False), (ENDING, False)])
def test_only_what_is_closed_and_stays_so_is_forgotten(condition: Condition, *, idle: bool) -> None:
    assert condition.is_idle is idle
