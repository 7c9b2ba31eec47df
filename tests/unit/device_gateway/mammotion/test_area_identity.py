"""Areas keep our ids through edits, renames, half maps and restarts."""

from hypothesis import given, settings
from hypothesis import strategies as st

from edge_gateway.contracts.map import Point
from edge_gateway.device_gateway.mammotion.area_identity import KnownArea, SeenArea, identify, overlap, remember


def square(west: float, south: float, size: float) -> tuple[Point, ...]:
    return ((west, south), (west + size, south), (west + size, south + size), (west, south + size))


FRONT = SeenArea(vendor_key="11", name="Front", boundary=square(0, 0, 10))
BACK = SeenArea(vendor_key="22", name="Back", boundary=square(20, 0, 10))


def first() -> tuple[KnownArea, ...]:
    return identify((), (FRONT, BACK))


def ids(areas: tuple[KnownArea, ...]) -> list[str]:
    return [area.id for area in areas]


def test_a_new_area_gets_an_id_that_follows_from_its_key() -> None:
    assert ids(first()) == ["area-11", "area-22"]
    assert ids(identify((), (BACK, FRONT))) == ["area-22", "area-11"]


def test_the_same_key_is_the_same_area_whatever_its_name() -> None:
    renamed = SeenArea(vendor_key="11", name="Street side", boundary=FRONT.boundary)
    (area,) = identify(first(), (renamed,))
    assert (area.id, area.name) == ("area-11", "Street side")


def test_swapped_names_do_not_swap_areas() -> None:
    swapped = (
        SeenArea(vendor_key="11", name="Back", boundary=FRONT.boundary),
        SeenArea(vendor_key="22", name="Front", boundary=BACK.boundary),
    )
    assert ids(identify(first(), swapped)) == ["area-11", "area-22"]


def test_a_redrawn_area_is_the_same_one() -> None:
    grown = SeenArea(vendor_key="33", name="Front", boundary=square(0, 0, 12))
    assert ids(identify(first(), (grown, BACK))) == ["area-11", "area-22"]


def test_redrawn_and_renamed_it_is_the_same_when_most_of_it_is() -> None:
    changed = SeenArea(vendor_key="33", name="Meadow", boundary=square(0, 0, 11))
    assert ids(identify(first(), (changed, BACK))) == ["area-11", "area-22"]


def test_elsewhere_it_is_another_one_even_with_the_name() -> None:
    elsewhere = SeenArea(vendor_key="33", name="Front", boundary=square(100, 100, 10))
    assert ids(identify(first(), (elsewhere,))) == ["area-33"]


def test_of_two_candidates_the_likelier_keeps_the_id() -> None:
    half = SeenArea(vendor_key="44", name="Other", boundary=square(0, 0, 9))
    most = SeenArea(vendor_key="55", name="Front", boundary=square(0, 0, 9.5))
    assert ids(identify(first(), (half, most))) == ["area-44", "area-11"]


def test_an_area_that_comes_back_is_recognised() -> None:
    known = remember(first(), identify(first(), (FRONT,)))
    assert ids(known) == ["area-11", "area-22"]
    redrawn = SeenArea(vendor_key="99", name="Back", boundary=square(20, 0, 11))
    assert ids(identify(known, (FRONT, redrawn))) == ["area-11", "area-22"]


def test_an_id_that_is_taken_is_not_given_again() -> None:
    moved = KnownArea(id="area-11", vendor_key="77", name="Front", boundary=FRONT.boundary)
    strange = SeenArea(vendor_key="11", name="New", boundary=square(50, 50, 5))
    same = SeenArea(vendor_key="77", name="Front", boundary=FRONT.boundary)
    assert ids(identify((moved,), (same, strange))) == ["area-11", "area-11-2"]


def test_without_outlines_the_name_decides() -> None:
    known = (KnownArea(id="area-11", vendor_key="11", name="Front"),)
    assert ids(identify(known, (SeenArea(vendor_key="33", name="front"),))) == ["area-11"]


def test_overlap_is_one_for_the_same_and_nothing_for_strangers() -> None:
    assert overlap(FRONT.boundary, FRONT.boundary) == 1.0
    assert overlap(FRONT.boundary, BACK.boundary) == 0.0
    assert abs(overlap(square(0, 0, 10), square(0, 0, 5)) - 0.25) < 0.05


# Each example compares outlines point by point: a hundred take ten seconds, and these are enough.
@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3), st.integers(4, 9)), max_size=6, unique_by=lambda t: t[0])
)
def test_no_two_areas_ever_share_an_id(drawn: list[tuple[int, int, int]]) -> None:
    seen = [SeenArea(vendor_key=str(key), name="A", boundary=square(x, 0, size)) for key, x, size in drawn]
    found = ids(identify(first(), seen))
    assert len(found) == len(set(found)) == len(seen)


def test_the_same_name_needs_a_fifth_in_common_and_another_name_three_fifths() -> None:
    old = identify((), (FRONT,))
    # Of two squares that lie side by side over each other, so much is common: 10 x w of 10 x (20 - w).
    for width, same_name, other_name in (
        (2.5, False, False),
        (3.0, True, False),  # 8 of the 40 columns that are looked at: a fifth
        (4.0, True, False),
        (7.0, True, False),
        (8.0, True, True),
    ):
        moved = square(10 - width, 0, 10)
        for name, kept in (("front", same_name), ("Meadow", other_name)):
            seen = SeenArea(vendor_key="33", name=name, boundary=moved)
            assert ids(identify(old, (seen,))) == ["area-11" if kept else "area-33"], (width, name)


def test_a_name_counts_for_more_than_any_outline() -> None:
    named = SeenArea(vendor_key="44", name="Front", boundary=square(0, 0, 6))
    same_place = SeenArea(vendor_key="55", name="Meadow", boundary=square(0, 0, 10))
    assert ids(identify(first(), (same_place, named))) == ["area-55", "area-11"]


def test_what_comes_back_has_its_outline_and_name_of_today() -> None:
    grown = SeenArea(vendor_key="33", name="FRONT", boundary=square(0, 0, 12))
    assert identify(first(), (grown,)) == (
        KnownArea(id="area-11", vendor_key="33", name="FRONT", boundary=grown.boundary),
    )


def test_of_outlines_that_are_not_both_known_the_name_decides() -> None:
    unseen = SeenArea(vendor_key="33", name="front")
    other = SeenArea(vendor_key="44", name="Meadow")
    assert ids(identify(first(), (unseen, other))) == ["area-11", "area-44"]
    bare = (KnownArea(id="area-11", vendor_key="11", name="Front"),)
    assert ids(identify(bare, (SeenArea(vendor_key="33", name="Meadow", boundary=FRONT.boundary),))) == ["area-33"]
    assert overlap((), FRONT.boundary) == overlap(FRONT.boundary, ()) == 0.0


def test_fifty_areas_that_are_gone_are_remembered_the_newest_first() -> None:
    gone = [KnownArea(id=f"area-{number}", vendor_key=str(number), name="A") for number in range(60)]
    kept = remember(gone, (gone[3],))
    assert ids(kept) == ["area-3", *(f"area-{number}" for number in range(51) if number != 3)]


def test_ids_are_numbered_on_while_they_are_taken() -> None:
    taken = tuple(
        KnownArea(id=area_id, vendor_key=key, name=key) for area_id, key in (("area-11", "x"), ("area-11-2", "y"))
    )
    seen = (
        SeenArea(vendor_key="x", name="x"),
        SeenArea(vendor_key="y", name="y"),
        SeenArea(vendor_key="11", name="New"),
    )
    assert ids(identify(taken, seen)) == ["area-11", "area-11-2", "area-11-3"]


def test_overlap_is_measured_on_any_shape_wherever_it_lies() -> None:
    triangle = ((100.0, -50.0), (120.0, -50.0), (100.0, -30.0))
    whole = ((100.0, -50.0), (120.0, -50.0), (120.0, -30.0), (100.0, -30.0))
    assert abs(overlap(triangle, whole) - 0.5) < 0.02
    assert overlap(triangle, whole) == overlap(whole, triangle)
    wide = ((100.0, -50.0), (140.0, -50.0), (140.0, -40.0), (100.0, -40.0))
    assert abs(overlap(whole, wide) - 200 / 600) < 0.02


def test_an_outline_says_more_than_none() -> None:
    known = (
        KnownArea(id="bare", vendor_key="1", name="Front"),
        KnownArea(id="drawn", vendor_key="2", name="Front", boundary=square(0, 0, 14)),
    )
    assert ids(identify(known, (SeenArea(vendor_key="33", name="Front", boundary=square(0, 0, 10)),))) == ["drawn"]


def test_new_ids_do_not_meet_each_other() -> None:
    taken = (KnownArea(id="area-11", vendor_key="x", name="x"),)
    seen = tuple(SeenArea(vendor_key=key, name=key) for key in ("x", "11", "11-2"))
    assert ids(identify(taken, seen)) == ["area-11", "area-11-2", "area-11-2-2"]


def test_overlap_is_looked_at_up_to_the_topmost_row() -> None:
    # The highest of 40 rows lies at 9.875.
    lower = ((0.0, 0.0), (10.0, 0.0), (10.0, 9.8), (0.0, 9.8))
    assert overlap(square(0, 0, 10), lower) == 39 / 40


def test_what_lies_on_an_edge_lies_on_one_side_of_it() -> None:
    # The 21st of 40 columns lies on the edge.
    half = ((0.0, 0.0), (5.125, 0.0), (5.125, 10.0), (0.0, 10.0))
    assert overlap(square(0, 0, 10), half) == 0.5


def test_outlines_without_a_surface_have_nothing_in_common() -> None:
    line = ((0.0, 0.0), (5.0, 0.0))
    assert overlap(line, line) == 0.0
