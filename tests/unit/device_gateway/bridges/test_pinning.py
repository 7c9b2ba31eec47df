"""A bridge that only just hears a mower is one to try, and one that hears it no more is not."""

import pytest

from edge_gateway.contracts.mower import LinkKind
from edge_gateway.device_gateway.bluetooth import Path
from edge_gateway.device_gateway.bridges.pinning import best_path, is_usable, lacks_slots


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
