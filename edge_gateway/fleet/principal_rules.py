"""Which sets of principals and grants are taken. Pure."""

import re
import unicodedata

from edge_gateway.contracts.errors import ConflictError, InvalidError
from edge_gateway.contracts.grants import Grant, PutPrincipalsRequest, User
from edge_gateway.contracts.identifiers import is_subject_token
from edge_gateway.contracts.principals import OWNER, PRINCIPAL_NAME_PATTERN, Relation
from edge_gateway.fleet.grants import held_by

MOST_USERS = 200
MOST_THINGS = 5000
"""Mowers, sites and groups named in all grants together: more would not pass the bus in one piece."""
MOST_INSTANCES = 20
"""Home Assistants, those that were set up anew among them."""
LARGEST_REVISION = 2**53 - 1
"""What every JSON reader keeps exactly."""
LONGEST_NAME = 100
"""Characters."""

_USER = re.compile(f"user:{PRINCIPAL_NAME_PATTERN}")


def check_set(request: PutPrincipalsRequest) -> None:
    """Raise `InvalidError` naming the field for a set that cannot be taken: by it nobody could manage, or own."""
    if not is_subject_token(request.instance_id):
        raise InvalidError("invalid", "instance_id is no id.", field="instance_id")
    if not 0 <= request.revision <= LARGEST_REVISION:
        raise InvalidError("invalid", f"revision must be 0 to {LARGEST_REVISION}.", field="revision")
    known = _check_users(request.users)
    _check_grants(request.grants, known)
    _check_powers(request, known)


def check_newer(given: int, known: int | None) -> None:
    """Raise `ConflictError` (`revision_not_newer`) for a set that is older than the known one, or is that one."""
    if known is not None and given <= known:
        raise ConflictError(
            "revision_not_newer",
            f"Revision {given} is not newer than {known}, which is known; nothing was changed.",
            field="revision",
            values={"given": given, "known": known},
            remedy="Send the set again with a higher revision.",
        )


def check_room(instances: int) -> None:
    """Raise `ConflictError` (`too_many_instances`) when another Home Assistant has no place among so many."""
    if instances >= MOST_INSTANCES:
        raise ConflictError(
            "too_many_instances",
            f"{instances} Home Assistants are known, which is as many as there is room for.",
            field="instance_id",
            values={"limit": MOST_INSTANCES},
        )


def _check_users(users: tuple[User, ...]) -> frozenset[str]:
    if not users:
        raise InvalidError(
            "empty_set",
            "A set without anybody is refused: nobody could do anything any more.",
            field="users",
            remedy="Name at least the person to whom the house belongs.",
        )
    if len(users) > MOST_USERS:
        raise InvalidError("invalid", f"users names more than {MOST_USERS} people.", field="users")
    known: set[str] = set()
    for number, user in enumerate(users):
        if _USER.fullmatch(user.id) is None:
            raise InvalidError("invalid", "A user's id looks like `user:<id>`.", field=f"users[{number}].id")
        if user.id == OWNER:
            sentence = f"{OWNER} is the gateway's own and in no set."
            raise InvalidError("invalid", sentence, field=f"users[{number}].id")
        if user.id in known:
            raise InvalidError("invalid", f"{user.id} is named twice.", field=f"users[{number}].id")
        if user.name is not None and not _is_name(user.name):
            sentence = f"A name has at most {LONGEST_NAME} characters, and no control characters."
            raise InvalidError("invalid", sentence, field=f"users[{number}].name")
        known.add(user.id)
    return frozenset(known)


def _is_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME and all(unicodedata.category(character) != "Cc" for character in name)


def _check_grants(grants: tuple[Grant, ...], known: frozenset[str]) -> None:
    things = 0
    for number, grant in enumerate(grants):
        if grant.principal not in known:
            raise InvalidError("invalid", "A grant is for one of the users.", field=f"grants[{number}].principal")
        if not grant.relations:
            raise InvalidError("invalid", "A grant names a relation.", field=f"grants[{number}].relations")
        named = {"site_ids": grant.site_ids, "group_ids": grant.group_ids, "mower_ids": grant.mower_ids}
        for field, ids in named.items():
            if not all(map(is_subject_token, ids)):
                raise InvalidError("invalid", f"{field} holds what is no id.", field=f"grants[{number}].{field}")
            things += len(ids)
        if not grant.account and not any(named.values()):
            raise InvalidError("invalid", "A grant names what it is on.", field=f"grants[{number}]")
    if things > MOST_THINGS:
        sentence = f"grants name {things} things; {MOST_THINGS} are taken."
        raise InvalidError(
            "invalid", sentence, field="grants", remedy="Grant on groups, sites or the account instead of each mower."
        )


def _check_powers(request: PutPrincipalsRequest, known: frozenset[str]) -> None:
    if not any(grant.account and Relation.CAN_MANAGE_MOWERS in grant.relations for grant in request.grants):
        raise InvalidError(
            "nobody_manages",
            "By this set nobody could manage the mowers of the account.",
            field="grants",
            remedy="Grant can_manage_mowers on the account to somebody.",
        )
    if request.owner not in known:
        raise InvalidError("invalid", "The owner is one of the users.", field="owner")
    if held_by(request.owner, request.grants).account != frozenset(Relation):
        raise InvalidError(
            "invalid",
            "The owner stands in for those who lost a right and may do everything on the account.",
            field="owner",
            remedy="Grant every relation on the account to the owner, in one grant or several.",
        )
