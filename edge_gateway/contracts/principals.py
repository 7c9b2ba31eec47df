"""Who acts, from where, and what a principal may do."""

from enum import StrEnum

import msgspec

OWNER = "user:owner"
"""The principal that a fresh gateway knows; it may do everything."""

PRINCIPAL_HEADER = "X-MowDeck-Principal"
"""Names to the API who asks."""

PRINCIPAL_NAME_PATTERN = "[A-Za-z0-9_.-]{1,128}"
"""What stands after `user:` or `service:` wherever a principal comes from outside."""

_SERVICE = "service:"


def is_service(principal: str) -> bool:
    """Tell whether it is a program instead of a person."""
    return principal.startswith(_SERVICE)


class Relation(StrEnum):
    """A right on a mower, group, site or account."""

    CAN_VIEW = "can_view"
    CAN_CONTROL = "can_control"
    CAN_EDIT_SCHEDULE = "can_edit_schedule"
    CAN_MANAGE_MOWERS = "can_manage_mowers"


class Origin(StrEnum):
    """From where an order came."""

    DASHBOARD = "dashboard"
    VOICE = "voice"
    AUTOMATION = "automation"
    HOMEKIT = "homekit"
    CALENDAR = "calendar"
    API = "api"
    SCHEDULER = "scheduler"
    UNKNOWN = "unknown"


class PermissionCheckRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.permissions.check`: whether the principal may do this to these mowers."""

    principal: str
    """`user:<id>` or `service:<name>`."""
    relation: Relation
    account_id: str
    mower_ids: tuple[str, ...] = ()
    """Empty: the account as a whole."""


class PermissionCheckReply(msgspec.Struct, frozen=True, kw_only=True):
    """The answer; an unknown principal is an error `unknown_principal` (forbidden) instead."""

    allowed: dict[str, bool]
    """By mower id; the account as a whole under its own id. A mower that is not there or not seen is False."""
