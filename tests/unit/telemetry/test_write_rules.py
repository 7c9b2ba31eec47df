"""A state moves the latest, adds to the past, or does nothing; once is enough."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.mower import BUSY, Activity, Job, MowerState, Position, Problem
from edge_gateway.telemetry.write_rules import Effect, Latest, LogRow, is_storable, judge, latest_of, shown

_BEGIN = datetime(2026, 5, 4, 9, tzinfo=UTC)
_NOW = datetime(2026, 12, 1, tzinfo=UTC)
_HERE = Position(latitude=52.5, longitude=13.4)


def _state(
    seconds: float = 0, activity: Activity = Activity.MOWING, position: Position | None = _HERE, **changes: object
) -> MowerState:
    state = MowerState(
        mower_id="m1",
        account_id="home",
        observed_at=_BEGIN + timedelta(seconds=seconds),
        activity=activity,
        position=position,
    )
    return msgspec.structs.replace(state, **changes)


def _latest(state: MowerState) -> Latest:
    latest = judge(state, None, directory_account_id="home", now=_NOW).latest
    assert latest is not None
    return latest


def test_the_first_state_is_history_and_latest() -> None:
    judgement = judge(_state(), None, directory_account_id="home", now=_NOW)

    assert judgement.effect is Effect.NEWER
    assert judgement.row == LogRow("m1", _BEGIN, shown(_state()), changed=True, position=_HERE)
    assert judgement.latest == latest_of(_state()) == Latest("home", _BEGIN, shown(_state()))


def test_a_state_of_the_same_moment_changes_nothing() -> None:
    latest = _latest(_state())

    judgement = judge(_state(activity=Activity.ERROR), latest, directory_account_id="home", now=_NOW)

    assert (judgement.effect, judgement.row, judgement.latest) == (Effect.NOTHING, None, latest)


@pytest.mark.parametrize("activity", sorted(BUSY))
def test_every_state_of_a_busy_mower_keeps_its_position(activity: Activity) -> None:
    latest = _latest(_state(activity=activity))
    elsewhere = Position(latitude=52.6, longitude=13.4)

    judgement = judge(_state(5, activity, elsewhere), latest, directory_account_id="home", now=_NOW)

    assert judgement.row is not None
    assert judgement.row.position == elsewhere
    assert not judgement.row.changed


def test_a_state_of_a_resting_mower_that_says_nothing_new_only_moves_the_latest() -> None:
    latest = _latest(_state(activity=Activity.DOCKED))

    judgement = judge(_state(60, Activity.DOCKED), latest, directory_account_id="home", now=_NOW)

    assert judgement.effect is Effect.NEWER
    assert judgement.row is None
    assert judgement.latest is not None
    assert judgement.latest.observed_at == _BEGIN + timedelta(seconds=60)


@pytest.mark.parametrize(
    "changes",
    [
        {"battery_percent": 50},
        {"charging": True},
        {"area_id": "a1"},
        {"progress_percent": 12.5},
        {"job": Job(id="j1")},
        {"problem": Problem(code="stuck")},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_whatever_changed_besides_the_position_is_history(changes: dict[str, object]) -> None:
    latest = _latest(_state(activity=Activity.DOCKED, position=None))

    judgement = judge(_state(1, Activity.DOCKED, None, **changes), latest, directory_account_id="home", now=_NOW)

    assert judgement.row is not None
    assert judgement.row.changed


def test_a_live_state_of_the_past_comes_again_and_changes_nothing() -> None:
    latest = _latest(_state(10))

    judgement = judge(_state(5, Activity.DOCKED), latest, directory_account_id="home", now=_NOW)

    assert (judgement.effect, judgement.row, judgement.latest) == (Effect.NOTHING, None, latest)


@pytest.mark.parametrize(("ahead_seconds", "effect"), [(61, Effect.NEWER), (60, Effect.LATE)])
def test_a_latest_state_in_the_future_yields(ahead_seconds: int, effect: Effect) -> None:
    latest = _latest(_state(ahead_seconds))

    judgement = judge(_state(1), latest, directory_account_id="home", now=_BEGIN)

    assert judgement.effect is effect


def test_a_late_state_adds_to_the_past_and_leaves_the_latest() -> None:
    latest = _latest(_state(10))

    late = _state(5, backfill=True)
    judgement = judge(late, latest, directory_account_id="home", now=_NOW)

    assert judgement.effect is Effect.LATE
    assert judgement.row == LogRow("m1", late.observed_at, shown(late), changed=True, position=_HERE)
    assert judgement.latest is latest


def test_a_state_of_another_account_is_dropped_alone() -> None:
    latest = _latest(_state())

    by_directory = judge(_state(1), latest, directory_account_id="elsewhere", now=_NOW)
    by_stored_row = judge(_state(1, account_id="elsewhere"), latest, directory_account_id="elsewhere", now=_NOW)

    assert by_directory.effect is by_stored_row.effect is Effect.FOREIGN
    assert by_directory.row is by_stored_row.row is None
    assert by_directory.latest is by_stored_row.latest is latest


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"battery_percent": 0, "progress_percent": 0.0}, True),
        ({"battery_percent": 100, "progress_percent": 100.0}, True),
        ({"position": Position(latitude=90.0, longitude=180.0)}, True),
        ({"position": Position(latitude=-90.0, longitude=-180.0)}, True),
        ({"battery_percent": 101}, False),
        ({"battery_percent": -1}, False),
        ({"progress_percent": 100.1}, False),
        ({"position": Position(latitude=90.5, longitude=0)}, False),
        ({"position": Position(latitude=0, longitude=-180.5)}, False),
        ({"position": Position(latitude=float("nan"), longitude=0)}, False),
        ({"position": None}, True),
    ],
)
def test_numbers_where_no_mower_can_be_are_poison(changes: dict[str, object], *, expected: bool) -> None:
    assert is_storable(_state(**changes)) is expected  # type: ignore[arg-type]  # fields by name


def _apply(states: Sequence[MowerState]) -> tuple[dict[datetime, LogRow], Latest | None]:
    """Return what is stored after some states, as the database would keep it."""
    log: dict[datetime, LogRow] = {}
    latest: Latest | None = None
    for state in states:
        judgement = judge(state, latest, directory_account_id="home", now=_NOW)
        latest = judgement.latest
        if judgement.row is not None:
            log.setdefault(judgement.row.observed_at, judgement.row)
    return log, latest


_states = st.builds(
    _state,
    seconds=st.integers(0, 30),
    activity=st.sampled_from(Activity),
    position=st.sampled_from([_HERE, None]),
    battery_percent=st.sampled_from([None, 50, 49]),
    backfill=st.booleans(),
)


@given(states=st.lists(_states, max_size=30, unique_by=lambda state: state.observed_at), split=st.integers(0, 30))
def test_what_is_delivered_again_stores_nothing_new(states: list[MowerState], split: int) -> None:
    once = _apply(states)

    again = _apply([*states, *states[split:]])

    assert again == once


@given(states=st.lists(_states, min_size=1, max_size=30))
def test_the_latest_is_the_newest_and_every_busy_position_is_kept(states: list[MowerState]) -> None:
    # Live ones come in order: in any other order they are of the past, and marked.
    log, latest = _apply([msgspec.structs.replace(state, backfill=True) for state in states])

    assert latest is not None
    assert latest.observed_at == max(state.observed_at for state in states)
    first: dict[datetime, MowerState] = {}
    for state in states:
        first.setdefault(state.observed_at, state)
    for moment, state in first.items():
        if state.activity in BUSY and state.position is not None:
            assert log[moment].position == state.position
