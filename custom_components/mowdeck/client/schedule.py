"""Schedules: as they are given and as they are answered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Self

from .reading import Reading
from .recurrence import Recurrence, read_recurrence
from .run import Run

OPTIONS = (
    "time_zone",
    "area_ids",
    "pattern",
    "angles",
    "when_held",
    "max_hold_days",
    "rain",
    "return_to_dock_at_window_end",
)
"""What a schedule has besides its name and its times; whoever makes another one out of it copies these."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """One mower or one group."""

    mower_id: str | None = None
    group_id: str | None = None

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(mower_id=reading.text_or_none("mower_id"), group_id=reading.text_or_none("group_id"))

    def json(self) -> dict[str, Any]:
        """Return it as the API takes it."""
        return {"mower_id": self.mower_id} if self.group_id is None else {"group_id": self.group_id}


@dataclass(frozen=True, kw_only=True)
class ScheduleDraft:
    """A schedule as it is given."""

    name: str
    target: Target
    recurrence: Recurrence
    duration_minutes: int
    """The window: 1 to 1440 from the start."""
    area_ids: tuple[str, ...] | None = None
    """None is all enabled areas of the mower."""
    rain_enabled: bool | None = None
    """None takes the site's."""
    enabled: bool = True
    starts_on: date | None = None
    ends_on: date | None = None
    """The last day."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of another schedule, to be taken over (`OPTIONS`)."""

    def json(self) -> dict[str, Any]:
        """Return the body of the request."""
        body: dict[str, Any] = {
            **self.options,
            "name": self.name,
            "target": self.target.json(),
            "recurrence": self.recurrence.json(),
            "duration_minutes": self.duration_minutes,
            "enabled": self.enabled,
        }
        if self.area_ids is not None:
            body["area_ids"] = list(self.area_ids)
        if self.rain_enabled is not None:
            body["rain"] = {"enabled": self.rain_enabled}
        if self.starts_on is not None:
            body["starts_on"] = self.starts_on.isoformat()
        if self.ends_on is not None:
            body["ends_on"] = self.ends_on.isoformat()
        return body


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """A schedule as it is stored and answered."""

    id: str
    name: str
    target: Target
    recurrence: Recurrence | None
    """None when its kind is newer than this client."""
    duration_minutes: int
    starts_on: date | None
    ends_on: date | None
    """The last day."""
    effective_time_zone: str
    area_ids: tuple[str, ...] | None
    enabled: bool
    disabled_reason: str | None
    """A code, when the gateway disabled it."""
    rain_enabled: bool | None
    next_run_at: datetime | None
    next_run_skipped: bool
    next_effective_run_at: datetime | None
    """The first one that is not skipped."""
    skips: tuple[date, ...]
    """Days whose occurrence is left out."""
    last_run: Run | None
    changed_at: datetime
    options: Mapping[str, Any]

    @classmethod
    def read(cls, reading: Reading) -> Self:
        """Read it from JSON."""
        return cls(
            id=reading.text("id"),
            name=reading.text("name"),
            target=Target.read(reading.object("target")),
            recurrence=read_recurrence(reading.object("recurrence")),
            duration_minutes=reading.integer("duration_minutes"),
            starts_on=reading.day_or_none("starts_on"),
            ends_on=reading.day_or_none("ends_on"),
            effective_time_zone=reading.text("effective_time_zone"),
            area_ids=reading.texts_or_none("area_ids"),
            enabled=reading.flag("enabled"),
            disabled_reason=reading.text_or_none("disabled_reason"),
            rain_enabled=reading.object_or_none("rain", lambda rain: rain.flag_or_none("enabled")),
            next_run_at=reading.moment_or_none("next_run_at"),
            next_run_skipped=bool(reading.flag_or_none("next_run_skipped")),
            next_effective_run_at=reading.moment_or_none("next_effective_run_at"),
            skips=reading.days("skips"),
            last_run=reading.object_or_none("last_run", Run.read),
            changed_at=reading.moment("changed_at"),
            options={name: reading.fields[name] for name in OPTIONS if reading.fields.get(name) is not None},
        )

    @property
    def next_start_at(self) -> datetime | None:
        """When it will next run: the next occurrence, or the one after it when the next is skipped."""
        if not self.enabled:
            return None
        return self.next_effective_run_at if self.next_run_skipped else self.next_run_at
