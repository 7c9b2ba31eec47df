"""When a command is closed although its end was never reported. Pure."""

from datetime import datetime, timedelta

import msgspec

from edge_gateway.contracts.commands import FINAL_STATUSES, Command, CommandStatus


class OpenCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command that has not ended, with its times."""

    command: Command
    expires_at: datetime
    motion_expires_at: datetime
    published_at: datetime | None


class Closing(msgspec.Struct, frozen=True):
    """How a command is closed."""

    status: CommandStatus
    reason: str


def close_overdue(found: OpenCommand, now: datetime, grace: timedelta) -> Closing | None:
    """Return how a command is to be closed now; null while its end may still be reported.

    Before its first frame leaves, an order is recorded as sent. So one that is still only accepted past its expiry
    was never begun and never will be; one that was begun and never ended is unknown.
    """
    status = found.command.status
    if status in FINAL_STATUSES:
        return None
    if status is CommandStatus.ACCEPTED:
        if now < found.expires_at + grace:
            return None
        return Closing(CommandStatus.EXPIRED, "not_published" if found.published_at is None else "not_taken")
    if now < found.motion_expires_at + grace:
        return None
    return Closing(CommandStatus.FAILED, "outcome_unknown")
