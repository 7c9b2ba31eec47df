"""Groups: mowers that are planned together."""

import msgspec

from edge_gateway.contracts.fleet import Asking


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Several mowers of one account, of one site or of several."""

    id: str
    account_id: str
    name: str
    mower_ids: tuple[str, ...]
    """In their order as text."""
    max_concurrent: int | None = None
    """So many of them are out at a time; null is all."""


class ListGroupsReply(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.groups.list`, asked with `Asking`: in the order of their names."""

    items: tuple[Group, ...]


class CreateGroupRequest(Asking, frozen=True, kw_only=True):
    """`fleet.groups.create`."""

    name: str
    mower_ids: tuple[str, ...]
    max_concurrent: int | None = None


class UpdateGroupRequest(Asking, frozen=True, kw_only=True):
    """`fleet.groups.update`: absent is left alone."""

    group_id: str
    name: str | msgspec.UnsetType = msgspec.UNSET
    mower_ids: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    max_concurrent: int | msgspec.UnsetType | None = msgspec.UNSET


class DeleteGroupRequest(Asking, frozen=True, kw_only=True):
    """`fleet.groups.delete`: refused (`group_in_use`, with their names) while schedules plan with it."""

    group_id: str


class GroupChanged(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.group.changed`: made, renamed, mowers added or taken out, removed."""

    group_id: str
    removed: bool = False
