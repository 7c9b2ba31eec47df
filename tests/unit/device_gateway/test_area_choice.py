"""Which areas a new job mows: never a guess."""

from datetime import UTC, datetime

import pytest

from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.device_gateway.area_choice import choose_areas
from edge_gateway.device_gateway.decisions import Refused

MAP = MowerMap(
    mower_id="mower-1",
    account_id="home",
    observed_at=datetime(2026, 5, 4, tzinfo=UTC),
    complete=True,
    areas=tuple(Area(id=key, vendor_key=key, name=key) for key in ("a", "b", "c")),
)
NONE: frozenset[str] = frozenset()


def test_without_names_every_enabled_area_in_the_maps_order() -> None:
    assert choose_areas(None, disabled=frozenset({"b"}), mower_map=MAP) == ("a", "c")


def test_named_areas_in_the_order_of_the_request_even_disabled_ones() -> None:
    assert choose_areas(("c", "b"), disabled=frozenset({"b"}), mower_map=MAP) == ("c", "b")


@pytest.mark.parametrize(
    ("named", "disabled", "mower_map", "reason"),
    [
        (None, NONE, None, "map_unknown"),
        (("a",), NONE, None, "map_unknown"),
        (None, frozenset({"a", "b", "c"}), MAP, "no_area_enabled"),
        (("a", "x", "y"), NONE, MAP, "areas_gone"),
        ((), NONE, MAP, "no_area_named"),
    ],
)
def test_what_cannot_be_chosen_is_refused(
    named: tuple[str, ...] | None, disabled: frozenset[str], mower_map: MowerMap | None, reason: str
) -> None:
    choice = choose_areas(named, disabled=disabled, mower_map=mower_map)
    assert isinstance(choice, Refused)
    assert choice.reason == reason


def test_vanished_areas_are_named() -> None:
    choice = choose_areas(("a", "x", "y"), disabled=NONE, mower_map=MAP)
    assert isinstance(choice, Refused)
    assert choice.values == {"area_ids": ["x", "y"]}
