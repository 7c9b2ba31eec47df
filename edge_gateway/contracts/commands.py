"""Orders to mowers: one command is one order to one mower, recorded once."""

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from edge_gateway.contracts.principals import Origin

ORDER_EXPIRES_SECONDS = 30
"""An order expires this long after its issue unless its first motion frame is out (design, Orders)."""

MOTION_EXPIRES_SECONDS = 120
"""With its first motion frame out, no further motion frame is sent this long after the issue (design, Orders)."""


class CommandKind(StrEnum):
    """What is ordered."""

    START_MOW = "start_mow"
    PAUSE = "pause"
    RESUME = "resume"
    RETURN_TO_DOCK = "return_to_dock"
    CANCEL_JOB = "cancel_job"
    PUT_SETTING = "put_setting"
    REFRESH = "refresh"


MOTION_KINDS = frozenset(
    {
        CommandKind.START_MOW,
        CommandKind.PAUSE,
        CommandKind.RESUME,
        CommandKind.RETURN_TO_DOCK,
        CommandKind.CANCEL_JOB,
    }
)
"""Kinds that move the machine or stop it."""


class StartMode(StrEnum):
    """How a start treats an open job."""

    AUTO = "auto"
    NEW = "new"
    RESUME = "resume"


class CommandStatus(StrEnum):
    """How far a command has come."""

    ACCEPTED = "accepted"
    """Recorded and on the bus."""
    SENT = "sent"
    """The first frame is about to leave: from here on it is never sent again."""
    ACKNOWLEDGED = "acknowledged"
    """The mower said yes."""
    CONFIRMED = "confirmed"
    """The mower's state shows it."""
    FAILED = "failed"
    EXPIRED = "expired"


FINAL_STATUSES = frozenset({CommandStatus.CONFIRMED, CommandStatus.FAILED, CommandStatus.EXPIRED})
"""Statuses after which nothing more comes."""

STATUS_ORDER = {
    CommandStatus.ACCEPTED: 0,
    CommandStatus.SENT: 1,
    CommandStatus.ACKNOWLEDGED: 2,
    CommandStatus.CONFIRMED: 3,
    CommandStatus.FAILED: 3,
    CommandStatus.EXPIRED: 3,
}
"""A status only ever replaces one of a lower order."""


class CommandBody(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the mower is to do. What is not named stays as the mower has it."""

    kind: CommandKind
    mode: StartMode = StartMode.AUTO
    """Of a start only."""
    area_ids: tuple[str, ...] | None = None
    """Of a start only; null is all enabled areas."""
    pattern: dict[str, Any] | None = None
    """Of a start only; opaque to all but the provider, but for `angle` (degrees)."""
    setting_key: str | None = None
    """Of put_setting only."""
    setting_value: Any = None
    """Of put_setting only."""


class IssueCommandRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.commands.issue`."""

    key: str
    """Unique per account, principal and origin: a known key answers with the stored command."""
    on_behalf_of: str
    """The principal: `user:<id>`; a service principal is refused."""
    account_id: str
    mower_id: str
    command: CommandBody
    origin: Origin
    schedule_id: str | None = None


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A command as it is recorded."""

    id: str
    account_id: str
    mower_id: str
    body: CommandBody
    key: str
    issued_by: str
    origin: Origin
    schedule_id: str | None = None
    issued_at: datetime
    status: CommandStatus
    reason: str | None = None
    """Why it failed, expired or needed nothing (`already_docked`): a code."""
    values: dict[str, Any] = {}
    """The numbers behind the reason."""
    changed_at: datetime


class IssueCommandReply(msgspec.Struct, frozen=True, kw_only=True):
    """The accepted command."""

    command: Command
    repeated: bool = False
    """The key was known: this is the stored command, nothing new was sent."""


class CommandOrder(msgspec.Struct, frozen=True, kw_only=True):
    """`commands.mower.<id>`: what the mower's actor is to carry out."""

    command_id: str
    account_id: str
    mower_id: str
    body: CommandBody
    issued_by: str
    issued_at: datetime
    expires_at: datetime
    """No first motion frame at or after this."""
    motion_expires_at: datetime
    """No further motion frame at or after this."""


class CommandOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """`device.mower.<id>.command.<command_id>`: how far a command has come."""

    command_id: str
    account_id: str
    mower_id: str
    status: CommandStatus
    reason: str | None = None
    """A code: `unavailable`, `outcome_unknown`, `refused_by_mower`, `not_confirmed`, `already_docked`, …"""
    values: dict[str, Any] = {}
    at: datetime


def with_outcome(command: Command, outcome: CommandOutcome) -> Command:
    """Return the command as an outcome leaves it: itself unless the outcome's status is of a higher order."""
    if STATUS_ORDER[outcome.status] <= STATUS_ORDER[command.status]:
        return command
    return msgspec.structs.replace(
        command, status=outcome.status, reason=outcome.reason, values=outcome.values, changed_at=outcome.at
    )


class GetCommandRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.commands.get`: by id, or by issuer, origin and key (for a caller whose answer was lost)."""

    on_behalf_of: str
    account_id: str
    command_id: str | None = None
    key: str | None = None
    origin: Origin | None = None


class CommandsSinceRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`fleet.commands.since`: what was ordered of a mower; services ask it for themselves."""

    account_id: str
    mower_id: str
    since: datetime
    """Issued at or after this."""
    limit: int = 50
    """1 to 500."""


class CommandsSinceReply(msgspec.Struct, frozen=True, kw_only=True):
    """Commands, newest first."""

    items: tuple[Command, ...]
