"""What is remembered of one mower between two reports: enough to judge the next one. Pure."""

from datetime import datetime
from typing import Any

import msgspec

from edge_gateway.contracts.commands import CommandKind
from edge_gateway.contracts.mower import Position
from edge_gateway.notifications.hysteresis import Condition


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """The newest order to move or stop that went out to a mower."""

    command_id: str
    mower_id: str
    account_id: str
    kind: CommandKind
    issued_at: datetime


class BladeReport(msgspec.Struct, frozen=True, kw_only=True):
    """The blade's time passed its threshold, or was set back."""

    mower_id: str
    account_id: str
    at: datetime
    worn: bool
    values: dict[str, Any] = {}


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """Where a mowing mower is, and since when it has not left it."""

    position: Position
    since: datetime
    seen_at: datetime
    progress_percent: float | None


class Stood(msgspec.Struct, frozen=True, kw_only=True):
    """The last time that a mower was seen standing, and the job that it had then."""

    observed_at: datetime
    job_id: str | None


class Watch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One mower as the rules know it."""

    mower_id: str
    account_id: str
    observed_at: datetime | None = None
    """Of the last judged state; an older one is never judged again."""
    availability_at: datetime | None = None
    """Since when its reach is what it was told last."""
    blade_at: datetime | None = None
    conditions: dict[str, Condition] = {}
    """By key: the code, for errors with the problem's code; only those that are open or about to turn."""
    spot: Spot | None = None
    driven_to: Position | None = None
    """Where it was when it last drove by itself."""
    stood: Stood | None = None
    order: Order | None = None
    defied: str | None = None
    """The command against which it resumed: told once, also when it takes a charging break afterwards."""
