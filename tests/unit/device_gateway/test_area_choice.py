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
    ("named", "disabled", "mower_map", "refusal"),
    [
        (None, NONE, None, Refused(reason="map_unknown", remedy="wait_for_map")),
        (("a",), NONE, None, Refused(reason="map_unknown", remedy="wait_for_map")),
        (None, frozenset({"a", "b", "c"}), MAP, Refused(reason="no_area_enabled", remedy="enable_area")),
        (
            ("a", "x", "y"),
            NONE,
            MAP,
            Refused(reason="areas_gone", remedy="choose_areas", values={"area_ids": ["x", "y"]}),
        ),
        ((), NONE, MAP, Refused(reason="no_area_named", remedy="choose_areas")),
    ],
)
def test_what_cannot_be_chosen_is_refused_with_the_remedy_and_what_is_missing(
    named: tuple[str, ...] | None, disabled: frozenset[str], mower_map: MowerMap | None, refusal: Refused
) -> None:
    assert choose_areas(named, disabled=disabled, mower_map=mower_map) == refusal
