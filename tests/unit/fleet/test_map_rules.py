"""What a new map does to the areas."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.fleet.map_rules import KeptArea, follow_map

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)


def mower_map(*areas: Area, complete: bool = True) -> MowerMap:
    return MowerMap(mower_id="m1", account_id="home", observed_at=NOW, complete=complete, areas=areas)


def area(area_id: str, name: str = "Lawn", size_m2: float | None = None) -> Area:
    return Area(id=area_id, vendor_key=area_id, name=name, size_m2=size_m2)


KEPT = {"a": KeptArea(id="a", map_name="Front", given_name="Vorgarten", enabled=False, size_m2=120.0, place=0)}


def test_a_first_map_brings_enabled_areas_in_its_order() -> None:
    changes = follow_map({}, mower_map(area("b", "Back", 10.0), area("a", "Front")))
    assert [(kept.id, kept.map_name, kept.enabled, kept.place) for kept in changes.put] == [
        ("b", "Back", True, 0),
        ("a", "Front", True, 1),
    ]
    assert changes.removed == []


def test_the_same_map_changes_nothing() -> None:
    assert not follow_map(KEPT, mower_map(area("a", "Front", 120.0)))


def test_what_the_owner_said_stays() -> None:
    (kept,) = follow_map(KEPT, mower_map(area("a", "Zone 1", 130.0))).put
    assert (kept.given_name, kept.enabled, kept.map_name, kept.size_m2) == ("Vorgarten", False, "Zone 1", 130.0)
    assert kept.shown().name == "Vorgarten"


def test_a_map_without_sizes_takes_none_away() -> None:
    assert not follow_map(KEPT, mower_map(area("a", "Front")))


def test_only_a_complete_map_removes() -> None:
    assert follow_map(KEPT, mower_map(area("b"), complete=True)).removed == ["a"]
    assert follow_map(KEPT, mower_map(area("b"), complete=False)).removed == []


def test_an_area_without_a_name_of_its_owner_shows_the_maps() -> None:
    assert KeptArea(id="a", map_name="Front", place=0).shown().name == "Front"


@given(
    st.lists(st.sampled_from("abcdef"), unique=True), st.lists(st.sampled_from("abcdef"), unique=True), st.booleans()
)
def test_after_a_map_everything_mapped_is_kept_and_nothing_changes_again(
    first: list[str],
    second: list[str],
    complete: bool,  # noqa: FBT001  # drawn by hypothesis
) -> None:
    kept: dict[str, KeptArea] = {}
    for areas, is_complete in ((first, True), (second, complete)):
        new_map = mower_map(*(area(area_id) for area_id in areas), complete=is_complete)
        changes = follow_map(kept, new_map)
        kept = {**kept, **{changed.id: changed for changed in changes.put}}
        for area_id in changes.removed:
            del kept[area_id]
        assert not follow_map(kept, new_map)
    assert set(kept) == (set(second) if complete else set(first) | set(second))
