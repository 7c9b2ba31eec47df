"""A fresh gateway knows one person."""

import pytest

from edge_gateway.contracts.errors import ForbiddenError, NotFoundError
from edge_gateway.contracts.principals import OWNER, Relation
from edge_gateway.fleet.rights import is_allowed, require


@pytest.mark.parametrize("relation", Relation)
def test_owner_may_do_everything(relation: Relation) -> None:
    assert is_allowed(OWNER, relation)
    require(OWNER, relation, "home")


@pytest.mark.parametrize("principal", ["user:anna", "owner", "", "user:", "USER:owner", "user:owner "])
def test_anybody_else_is_unknown(principal: str) -> None:
    with pytest.raises(ForbiddenError) as raised:
        require(principal, Relation.CAN_VIEW, "home")
    assert raised.value.code == "unknown_principal"
    assert raised.value.remedy


def test_services_are_refused() -> None:
    assert not is_allowed("service:scheduler", Relation.CAN_CONTROL)
    with pytest.raises(ForbiddenError) as raised:
        require("service:scheduler", Relation.CAN_CONTROL, "home")
    assert raised.value.code == "forbidden"


def test_another_account_is_not_there() -> None:
    with pytest.raises(NotFoundError):
        require(OWNER, Relation.CAN_VIEW, "neighbour")
