"""Which carrier a mower is reached over: one that just hears it is tried, and one that hears it no more is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.bluetooth import Path
from edge_gateway.device_gateway.pinning import HYSTERESIS_DB, best_path, is_usable, lacks_slots


def path(carrier_id: str = "shed", *, dbm: int | None = -70, free: int | None = 1, age: float = 0.0) -> Path:
    return Path(
        kind=LinkKind.BRIDGE,
        carrier_id=carrier_id,
        address="C0",
        device=None,
        signal_dbm=dbm,
        free_slots=free,
        age_seconds=age,
    )


@pytest.mark.parametrize(
    ("dbm", "age", "near"),
    [(-92, 60.0, True), (-93, 0.0, False), (-40, 60.1, False), (None, 0.0, True)],
)
def test_near_is_what_was_heard_within_a_minute_at_92_decibels_below_or_better(
    dbm: int | None, age: float, *, near: bool
) -> None:
    assert is_usable(path(dbm=dbm, age=age)) is near
    assert lacks_slots([path(dbm=dbm, age=age, free=0)]) is near


@pytest.mark.parametrize(("free", "usable"), [(None, True), (1, True), (0, False)])
def test_a_bridge_that_does_not_tell_its_slots_is_tried(free: int | None, *, usable: bool) -> None:
    assert is_usable(path(free=free)) is usable


def test_one_that_tells_its_signal_is_better_than_one_that_does_not() -> None:
    told, untold = path("told", dbm=-91), path("untold", dbm=None)
    assert best_path([untold, told], pinned=None) == told


@given(st.integers(-90, -40), st.integers(-90, -40))
def test_a_mower_changes_over_only_for_a_clearly_better_bridge(here: int, there: int) -> None:
    chosen = best_path([path("here", dbm=here), path("there", dbm=there)], pinned="here")
    assert chosen is not None
    assert (chosen.carrier_id == "there") == (there - here >= HYSTERESIS_DB)


def test_without_a_bridge_of_before_the_best_one_is_taken() -> None:
    chosen = best_path(
        [path("far", dbm=-80), path("near", dbm=-60), path("full", dbm=-40, free=0), path("gone", dbm=-30, age=90)],
        pinned=None,
    )
    assert chosen is not None
    assert chosen.carrier_id == "near"


def test_only_full_bridges_lack_slots() -> None:
    assert best_path([path("full", dbm=-50, free=0)], pinned=None) is None
    assert lacks_slots([path("full", dbm=-50, free=0), path("too far", dbm=-99)])
    assert not lacks_slots([path("full", dbm=-50, free=0), path("free", dbm=-70)])
    assert not lacks_slots([])
