"""Which sets of principals are refused, and by which field."""

from typing import Any

import msgspec
import pytest

from edge_gateway.contracts.errors import ConflictError, InvalidError
from edge_gateway.contracts.grants import Grant, PutPrincipalsRequest, User
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.fleet.principal_rules import (
    LARGEST_REVISION,
    MOST_INSTANCES,
    MOST_THINGS,
    MOST_USERS,
    check_newer,
    check_room,
    check_set,
)

ALL = tuple(Relation)
VIEW, CONTROL, _, MANAGE = ALL
ANNA = User(id="user:anna", name="Anna")
ANNAS = Grant(principal="user:anna", relations=ALL, account=True)
GOOD = PutPrincipalsRequest(
    on_behalf_of=OWNER,
    account_id="home",
    instance_id="house",
    revision=1,
    owner="user:anna",
    users=(ANNA, User(id="user:bert")),
    grants=(ANNAS, Grant(principal="user:bert", relations=(VIEW,), mower_ids=("robin",))),
)


def test_a_good_set_is_taken() -> None:
    check_set(GOOD)
    in_two = (
        Grant(principal="user:anna", relations=(VIEW, MANAGE), account=True),
        Grant(principal="user:anna", relations=ALL[1:3], account=True),
    )
    check_set(msgspec.structs.replace(GOOD, grants=in_two, revision=LARGEST_REVISION))


def of_bert(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  # fields by name
    """Return a set in which Bert's grant is another one."""
    grant = Grant(**{"principal": "user:bert", "relations": (VIEW,), "mower_ids": ("robin",)} | changes)
    return {"grants": (ANNAS, grant)}


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"users": (), "grants": ()}, "empty_set", "users"),
        ({"grants": ()}, "nobody_manages", "grants"),
        (of_bert() | {"grants": of_bert()["grants"][1:]}, "nobody_manages", "grants"),
        (
            {"grants": (Grant(principal="user:bert", relations=(MANAGE,), mower_ids=("robin",)),)},
            "nobody_manages",
            "grants",
        ),
        ({"owner": "user:carla"}, "invalid", "owner"),
        ({"owner": "user:bert"}, "invalid", "owner"),
        ({"revision": -1}, "invalid", "revision"),
        ({"revision": LARGEST_REVISION + 1}, "invalid", "revision"),
        ({"instance_id": "my house"}, "invalid", "instance_id"),
        ({"users": (ANNA, ANNA)}, "invalid", "users[1].id"),
        ({"users": (ANNA, User(id="service:backup"))}, "invalid", "users[1].id"),
        ({"users": (ANNA, User(id=OWNER))}, "invalid", "users[1].id"),
        ({"users": (ANNA, User(id="user:bert", name="B" * 101))}, "invalid", "users[1].name"),
        ({"users": (ANNA, User(id="user:bert", name="B\n"))}, "invalid", "users[1].name"),
        ({"users": tuple(User(id=f"user:{n}") for n in range(MOST_USERS + 1))}, "invalid", "users"),
        (of_bert(principal="user:carla"), "invalid", "grants[1].principal"),
        (of_bert(relations=()), "invalid", "grants[1].relations"),
        (of_bert(mower_ids=()), "invalid", "grants[1]"),
        (of_bert(site_ids=("a b",)), "invalid", "grants[1].site_ids"),
        (of_bert(mower_ids=tuple(map(str, range(MOST_THINGS + 1)))), "invalid", "grants"),
    ],
)
def test_what_is_refused(changes: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(InvalidError) as raised:
        check_set(msgspec.structs.replace(GOOD, **changes))
    assert (raised.value.code, raised.value.field) == (code, field)


@pytest.mark.parametrize(("given", "known", "is_taken"), [(0, None, True), (2, 1, True), (1, 1, False), (0, 1, False)])
def test_only_what_is_newer_is_taken(given: int, known: int | None, *, is_taken: bool) -> None:
    if is_taken:
        check_newer(given, known)
        return
    with pytest.raises(ConflictError) as raised:
        check_newer(given, known)
    assert (raised.value.code, raised.value.field) == ("revision_not_newer", "revision")
    assert raised.value.values == {"given": given, "known": known}


def test_there_is_room_for_so_many_houses() -> None:
    check_room(MOST_INSTANCES - 1)
    with pytest.raises(ConflictError) as raised:
        check_room(MOST_INSTANCES)
    assert (raised.value.code, raised.value.values) == ("too_many_instances", {"limit": MOST_INSTANCES})
