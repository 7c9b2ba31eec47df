"""What a grant on each kind of thing gives, by table."""

import pytest

from edge_gateway.contracts.grants import Grant
from edge_gateway.contracts.principals import Relation
from edge_gateway.fleet.grants import EVERYTHING, NOTHING, Held, Place, held_by, united

VIEW, CONTROL, EDIT, MANAGE = Relation
HERE = Place("garden", frozenset({"both"}))


def anna(*relations: Relation, **on: object) -> Held:
    """Return what Anna holds by one grant (and Bert, who holds everything, is not Anna)."""
    mine = Grant(principal="user:anna", relations=relations, **on)  # type: ignore[arg-type]  # fields by name
    return held_by("user:anna", (mine, Grant(principal="user:bert", relations=tuple(Relation), account=True)))


@pytest.mark.parametrize(
    ("held", "wanted", "says"),
    [
        (EVERYTHING, MANAGE, (True, True, True, True)),
        (NOTHING, VIEW, (False, False, False, False)),
        # On what is granted, and on what stands there.
        (anna(VIEW, account=True), VIEW, (True, True, True, True)),
        (anna(VIEW, site_ids=("garden",)), VIEW, (False, True, False, True)),
        (anna(VIEW, group_ids=("both",)), VIEW, (False, False, True, True)),
        (anna(VIEW, mower_ids=("robin",)), VIEW, (False, False, False, True)),
        (anna(VIEW, site_ids=("field",), group_ids=("few",), mower_ids=("wren",)), VIEW, (False,) * 4),
        # Each relation by itself; whoever may do anything may see.
        (anna(VIEW, mower_ids=("robin",)), CONTROL, (False, False, False, False)),
        (anna(CONTROL, mower_ids=("robin",)), VIEW, (False, False, False, True)),
        (anna(CONTROL, mower_ids=("robin",)), EDIT, (False, False, False, False)),
        (anna(EDIT, mower_ids=("robin",)), CONTROL, (False, False, False, False)),
        (anna(MANAGE, site_ids=("garden",)), CONTROL, (False, False, False, False)),
        (anna(MANAGE, site_ids=("garden",)), VIEW, (False, True, False, True)),
    ],
)
def test_what_is_held(held: Held, wanted: Relation, says: tuple[bool, bool, bool, bool]) -> None:
    on_mower = held.on_mower(wanted, "robin", HERE)
    assert (held.on_account(wanted), held.on_site(wanted, "garden"), held.on_group(wanted, "both"), on_mower) == says


def test_nothing_that_one_gives_is_taken_away_by_another() -> None:
    both = united((anna(VIEW, mower_ids=("robin", "wren")), anna(CONTROL, mower_ids=("robin",)), NOTHING))
    assert both == Held(mowers={"robin": frozenset({VIEW, CONTROL}), "wren": frozenset({VIEW})})
