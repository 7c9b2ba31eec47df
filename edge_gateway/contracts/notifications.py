"""What Notifications tells and is asked: events about mowers, what is wrong now, geofences that the owner drew."""

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from edge_gateway.contracts.fleet import Asking


class NotificationCode(StrEnum):
    """What an event is about."""

    ERROR = "error"
    """The mower reports a problem: `values.problem_code`, `values.vendor_code`."""
    STUCK = "stuck"
    """It says so, or mows without moving: `values.source` is `reported` or `standstill`."""
    OFFLINE = "offline"
    """It is not reached: `values.reason`."""
    BATTERY_LOW = "battery_low"
    """And it is not on its dock: `values.battery_percent`."""
    LEFT_GEOFENCE = "left_geofence"
    """It is outside and did not drive there itself (theft): `values.latitude`, `longitude`, `metres_outside`."""
    BLADE_WORN = "blade_worn"
    """The blade's time is over: `values` are those of `telemetry.blade.threshold`."""
    RESUMED_BY_ITSELF = "resumed_by_itself"
    """It mows on although it was told to stop: `values.command_id` and `values.kind` of that order."""


class Severity(StrEnum):
    """How urgent it is."""

    INFO = "info"
    WARNING = "warning"
    ALARM = "alarm"


class Phase(StrEnum):
    """Which end of it an event tells."""

    BEGAN = "began"
    ENDED = "ended"


class Notification(msgspec.Struct, frozen=True, kw_only=True):
    """`notifications.event`: something about a mower began or ended; told once."""

    finding_id: str
    """The same when it begins and when it ends."""
    account_id: str
    mower_id: str
    code: NotificationCode
    severity: Severity
    phase: Phase
    at: datetime
    """When it was first seen to begin, or to be over."""
    began_at: datetime
    values: dict[str, Any] = {}
    """The numbers and codes behind it, as they were when it began."""


class MowerFinding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is wrong with a mower now."""

    id: str
    account_id: str
    mower_id: str
    code: NotificationCode
    severity: Severity
    began_at: datetime
    values: dict[str, Any] = {}


class FindingsRequest(Asking, frozen=True, kw_only=True):
    """`notifications.findings.list`: what is wrong with the mowers that the principal may see."""


class FindingsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The longest-standing first."""

    items: tuple[MowerFinding, ...]


class Corner(msgspec.Struct, frozen=True, kw_only=True):
    """A corner of a geofence, in degrees (WGS 84)."""

    latitude: float
    longitude: float


class GeofenceRequest(Asking, frozen=True, kw_only=True):
    """`notifications.geofences.get` and `.delete`: of one mower or of one site."""

    mower_id: str | None = None
    site_id: str | None = None


class PutGeofenceRequest(GeofenceRequest, frozen=True, kw_only=True):
    """`notifications.geofences.put`: a mower's own goes before its site's, and that before its map."""

    boundary: tuple[Corner, ...]
    """3 to 1000 corners, none twice in a row; closed by itself."""
    margin_metres: float = 0.0
    """How far outside of it still counts as inside; 0 to 1000."""


class GeofenceReply(msgspec.Struct, frozen=True, kw_only=True):
    """A geofence that the owner drew; null when there is none."""

    boundary: tuple[Corner, ...] | None = None
    margin_metres: float = 0.0
