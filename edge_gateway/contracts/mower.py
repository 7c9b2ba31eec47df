"""A mower: what it reports (`MowerState`), whether it is reached, and its record in the fleet."""

from datetime import datetime
from enum import StrEnum

import msgspec


class Activity(StrEnum):
    """What a mower is doing. Fixed: unknown vendor codes are `unknown`, never `docked`."""

    MOWING = "mowing"
    PAUSED = "paused"
    RETURNING = "returning"
    DOCKED = "docked"
    IDLE = "idle"
    ERROR = "error"
    UNKNOWN = "unknown"


BUSY = frozenset({Activity.MOWING, Activity.PAUSED, Activity.RETURNING})
"""The activities of a mower that is out on something."""


class LinkKind(StrEnum):
    """A way to reach a mower."""

    SIMULATED = "simulated"
    CLOUD = "cloud"
    BRIDGE = "bridge"
    HOME_ASSISTANT = "home_assistant"
    LOCAL_NETWORK = "local_network"
    """The mower itself answers in the house's network."""


class Position(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where a mower is."""

    latitude: float
    """Degrees, WGS 84."""
    longitude: float
    """Degrees, WGS 84."""
    heading_degrees: float | None = None
    """Clockwise from north."""


class Job(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A piece of mowing from start to finish, across charging breaks; open while it can be resumed."""

    id: str
    command_id: str | None = None
    """The command that started it; null for a job that was started elsewhere (foreign)."""
    started_at: datetime | None = None
    area_ids: tuple[str, ...] = ()
    resumable: bool = False
    """The mower could go on with it (a breakpoint is open)."""


class Problem(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What is wrong with a mower now."""

    code: str
    """Independent of the vendor where we know it (`stuck`, `lifted`, `blade_blocked`), else `vendor_<code>`."""
    vendor_code: str | None = None


class MowerState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One report of a mower. Missing is null, never 0."""

    mower_id: str
    account_id: str
    observed_at: datetime
    """UTC; made strictly increasing per mower by the gateway."""
    activity: Activity
    battery_percent: int | None = None
    charging: bool | None = None
    on_charger: bool | None = None
    """The charger's contact; it overrules a stale mode."""
    position: Position | None = None
    area_id: str | None = None
    progress_percent: float | None = None
    """Of the open job; never falls inside one."""
    job: Job | None = None
    replaced_job_id: str | None = None
    """The job that a start under way ended to begin another: told while there is none in between."""
    problem: Problem | None = None
    backfill: bool = False
    """A report of the past; a live one that comes late is dropped before it is sent."""


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """One way to reach a mower and how it is."""

    kind: LinkKind
    connected: bool
    signal_dbm: int | None = None
    heard_at: datetime | None = None
    """The last time that anything was heard over it."""
    current: bool = False
    """It is the one that orders leave over now."""


class MowerAvailability(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a mower can be reached (a sleeping one can)."""

    mower_id: str
    account_id: str
    available: bool
    reason: str | None = None
    """A code when it is not: `link_lost`, `silent`, `vendor_offline`, `account_rejected`, `gateway_stopped`, …"""
    changed_at: datetime
    links: tuple[Link, ...] = ()


class Mower(msgspec.Struct, frozen=True, kw_only=True):
    """A mower's record in the fleet."""

    id: str
    account_id: str
    name: str
    provider: str
    """`simulator` or `mammotion`."""
    vendor_key: str
    """What the vendor calls it, unique within the provider (a device name, a serial number)."""
    vendor_account_id: str | None = None
    model: str | None = None
    firmware_version: str | None = None
    newest_firmware_version: str | None = None
    """The newest that the vendor offers for it, which may be the one it has; null while nobody told."""
    serial_number: str | None = None
    site_id: str
    obey_rain: bool = True
    created_at: datetime
