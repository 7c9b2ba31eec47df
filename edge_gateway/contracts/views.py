"""What the API shows: the JSON of `GET /api/v1/mowers` and the messages of the WebSocket (design, API)."""

from datetime import datetime
from typing import Any, Literal

import msgspec

from edge_gateway.contracts.commands import Command
from edge_gateway.contracts.fleet import MowerArea, Site
from edge_gateway.contracts.groups import Group
from edge_gateway.contracts.mower import Activity, Job, Link, Problem
from edge_gateway.contracts.schedules import Run, Schedule


class PositionView(msgspec.Struct, frozen=True, kw_only=True):
    """Where a mower was when."""

    latitude: float
    longitude: float
    observed_at: datetime


class MowerView(msgspec.Struct, frozen=True, kw_only=True):
    """A mower as the API shows it: its record, its last state, whether it is reached."""

    id: str
    name: str
    provider: str
    model: str | None
    firmware_version: str | None
    newest_firmware_version: str | None
    """The newest that the vendor offers for it, which may be the one it has; null while nobody told."""
    serial_number: str | None
    site_id: str
    available: bool
    unavailable_reason: str | None
    activity: Activity
    battery_percent: int | None
    charging: bool | None
    position: PositionView | None
    area_id: str | None
    areas: tuple[MowerArea, ...]
    progress_percent: float | None
    job: Job | None
    obey_rain: bool
    problem: Problem | None
    links: tuple[Link, ...]
    observed_at: datetime | None
    """Of the last state; null when none ever came."""


class Info(msgspec.Struct, frozen=True, kw_only=True):
    """`GET /api/v1/info`."""

    version: str
    api: dict[Literal["min", "max"], int]
    gateway_id: str
    """Stable for the data folder; the unique id of the Home Assistant entry."""
    name: str
    services: dict[str, bool]
    """Readiness by service."""


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag="hello"):
    """The first message of a connection."""

    info: Info
    resumed: bool
    """The cursor was known: no snapshot follows, only the changes since."""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, tag="snapshot"):
    """Everything that the principal sees."""

    cursor: str
    mowers: tuple[MowerView, ...]
    schedules: tuple[Schedule, ...]
    sites: tuple[Site, ...]
    groups: tuple[Group, ...] = ()


class Change(msgspec.Struct, frozen=True, kw_only=True, tag="change"):
    """One thing changed: exactly one of the fields besides `cursor` and `id` is there."""

    cursor: str
    id: str
    """The event's id: a reader acts once per id."""
    mower: MowerView | None = None
    mower_removed: str | None = None
    schedule: Schedule | None = None
    schedule_removed: str | None = None
    site: Site | None = None
    site_removed: str | None = None
    group: Group | None = None
    group_removed: str | None = None
    run: Run | None = None
    command: Command | None = None
    event: dict[str, Any] | None = None
    """Any other event: its type and payload."""


type Message = Hello | Snapshot | Change
