"""Who may do what. A fresh gateway knows its owner, who may do everything (design, Rights). Pure."""

from edge_gateway.contracts.errors import ForbiddenError, NotFoundError
from edge_gateway.contracts.identifiers import ACCOUNT_ID
from edge_gateway.contracts.principals import OWNER, Relation

_SERVICE = "service:"


def is_allowed(principal: str, relation: Relation) -> bool:
    """Tell whether a principal has a right on everything; raises `ForbiddenError` (`unknown_principal`).

    A service never acts for itself: what it wants done, it wants for a person.
    """
    if principal == OWNER:
        return True
    if principal.startswith(_SERVICE):
        return False
    raise ForbiddenError(
        "unknown_principal",
        f"This gateway does not know the person {principal!r}.",
        field="on_behalf_of",
        remedy="Send the users and their rights first.",
        values={"relation": relation},
    )


def require(principal: str, relation: Relation, account_id: str) -> None:
    """Raise `ForbiddenError`, or `NotFoundError` for an account that is not here, unless the principal may."""
    if account_id != ACCOUNT_ID:
        raise NotFoundError("not_found", "There is no such account.", field="account_id")
    if not is_allowed(principal, relation):
        raise ForbiddenError(
            "forbidden",
            f"{principal} may not do this.",
            field="on_behalf_of",
            values={"relation": relation},
        )
