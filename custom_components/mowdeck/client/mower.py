"""A mower as the API shows it: its record, its last state, whether it is reached."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from .reading import Reading


class Activity(StrEnum):
    """What a mower is doing."""

    MOWING = "mowing"
    PAUSED = "paused"
    RETURNING = "returning"
    DOCKED = "docked"
    IDLE = "idle"
    ERROR = "error"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class Position:
    """Where a mower was when."""

    latitude: float
    longitude: float
    observed_at: datetime

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            latitude=reading.number("latitude"),
            longitude=reading.number("longitude"),
            observed_at=reading.moment("observed_at"),
        )


@dataclass(frozen=True, kw_only=True)
class Area:
    """A mowing zone on a mower's map, with an id that survives map edits."""

    id: str
    name: str
    enabled: bool
    size_m2: float | None

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            name=reading.text("name"),
            enabled=reading.flag("enabled"),
            size_m2=reading.number_or_none("size_m2"),
        )


@dataclass(frozen=True, kw_only=True)
class Job:
    """A piece of mowing from start to finish, across charging breaks."""

    id: str
    command_id: str | None
    """The command that started it; None for one that was started elsewhere."""
    started_at: datetime | None
    area_ids: tuple[str, ...]
    resumable: bool

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            command_id=reading.text_or_none("command_id"),
            started_at=reading.moment_or_none("started_at"),
            area_ids=reading.texts("area_ids"),
            resumable=reading.flag("resumable"),
        )


@dataclass(frozen=True, kw_only=True)
class Problem:
    """What is wrong with a mower now."""

    code: str
    vendor_code: str | None

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(code=reading.text("code"), vendor_code=reading.text_or_none("vendor_code"))


@dataclass(frozen=True, kw_only=True)
class Link:
    """One way to reach a mower and how it is."""

    kind: str
    """`simulated`, `cloud`, `bridge`, `home_assistant`, `local_network`, or one that is newer than this client."""
    connected: bool
    signal_dbm: int | None
    heard_at: datetime | None

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            kind=reading.text("kind"),
            connected=reading.flag("connected"),
            signal_dbm=reading.integer_or_none("signal_dbm"),
            heard_at=reading.moment_or_none("heard_at"),
        )


@dataclass(frozen=True, kw_only=True)
class Mower:
    """One mower."""

    id: str
    name: str
    provider: str
    model: str | None
    firmware_version: str | None
    newest_firmware_version: str | None
    """The newest that its maker offers, which may be the one it has; None while nobody told."""
    serial_number: str | None
    site_id: str
    available: bool
    unavailable_reason: str | None
    """A code."""
    activity: Activity
    battery_percent: int | None
    charging: bool | None
    position: Position | None
    area_id: str | None
    areas: tuple[Area, ...]
    progress_percent: float | None
    job: Job | None
    obey_rain: bool
    problem: Problem | None
    links: tuple[Link, ...]
    observed_at: datetime | None
    """Of the last state; None when none ever came."""

    @property
    def heard(self) -> bool:
        """Whether a state ever came."""
        return self.observed_at is not None

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            name=reading.text("name"),
            provider=reading.text("provider"),
            model=reading.text_or_none("model"),
            firmware_version=reading.text_or_none("firmware_version"),
            newest_firmware_version=reading.text_or_none("newest_firmware_version"),
            serial_number=reading.text_or_none("serial_number"),
            site_id=reading.text("site_id"),
            available=reading.flag("available"),
            unavailable_reason=reading.text_or_none("unavailable_reason"),
            activity=reading.choice("activity", Activity.UNKNOWN),
            battery_percent=reading.integer_or_none("battery_percent"),
            charging=reading.flag_or_none("charging"),
            position=reading.object_or_none("position", Position.read),
            area_id=reading.text_or_none("area_id"),
            areas=reading.objects("areas", Area.read),
            progress_percent=reading.number_or_none("progress_percent"),
            job=reading.object_or_none("job", Job.read),
            obey_rain=reading.flag("obey_rain"),
            problem=reading.object_or_none("problem", Problem.read),
            links=reading.objects("links", Link.read),
            observed_at=reading.moment_or_none("observed_at"),
        )
