"""What happens with a mower: its runs, and what it needs somebody to know."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final, override

from homeassistant.components.event import EventEntity
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .client.run import Run, RunOutcome
from .entity import NOTHING, MowerEntity
from .happenings import JOB_FINISHED, NOTIFICATION, ZONE_ENTERED, ZONE_LEFT, Happening, payload_of
from .hub import Hub, MowDeckConfigEntry
from .told_runs import ENDED, UNDECIDED, ToldRuns

PARALLEL_UPDATES = 0

OTHER = "other"
"""A notice of a kind that is newer than this integration."""

OVER = "over"
"""Something that was told of before is over."""

PHASE_ENDED = "ended"

NOTICE_CODES: Final = (
    "error",
    "stuck",
    "offline",
    "battery_low",
    "left_geofence",
    "blade_worn",
    "resumed_by_itself",
)

NOTICES_BY_TYPE = {JOB_FINISHED: "job_finished", ZONE_ENTERED: "zone_entered", ZONE_LEFT: "zone_left"}


async def async_setup_entry(
    _hass: HomeAssistant, entry: MowDeckConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Bring the events of each mower."""
    hub = entry.runtime_data
    hub.mowers.on_new(lambda mower_id: async_add_entities([RunEvent(hub, mower_id), Notices(hub, mower_id)]))


class MowerEvent(MowerEntity, EventEntity):
    """Something that happens with a mower again and again."""

    _parts = NOTHING

    @override
    async def async_added_to_hass(self) -> None:
        """Begin to hear of it."""
        await super().async_added_to_hass()
        self.async_on_remove(self.hub.on_mower_happening(self._subject_id, self._hear))

    @callback
    @abstractmethod
    def _hear(self, happening: Happening) -> None:
        """Hear of something."""

    @callback
    def _fire(self, event_type: str, attributes: dict[str, Any]) -> None:
        self._trigger_event(event_type, attributes)
        self.async_write_ha_state()

    @override
    def _shown(self) -> object:
        return True


class RunEvent(MowerEvent):
    """A run was decided (started, skipped for a reason, failed) or ended."""

    _attr_event_types = [  # noqa: RUF012  # as the base class has it
        *(outcome.value for outcome in RunOutcome if outcome not in UNDECIDED),
        ENDED,
    ]
    _unrecorded_attributes = frozenset({"numbers"})

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Tell of a mower's runs."""
        super().__init__(hub, mower_id, "run")
        self._told = ToldRuns()

    @override
    async def async_added_to_hass(self) -> None:
        """Begin to hear of runs; the last ones are no news."""
        for schedule in self.hub.schedules.views.values():
            if schedule.last_run is not None and schedule.last_run.mower_id == self._subject_id:
                self._told.remember(schedule.last_run)
        await super().async_added_to_hass()

    @callback
    @override
    def _hear(self, happening: Happening) -> None:
        if isinstance(happening, Run):
            for event_type in self._told.news(happening):
                self._fire(event_type, self._attributes(happening))

    def _attributes(self, run: Run) -> dict[str, Any]:
        schedule = self.hub.schedules.views.get(run.schedule_id)
        return {
            "schedule": None if schedule is None else schedule.name,
            "schedule_id": run.schedule_id,
            "run_id": run.id,
            "due_at": run.occurrence_at.isoformat(),
            "outcome": run.outcome.value,
            "reason": run.reason,
            "end_reason": run.end_reason,
            "run_now": run.run_now,
            "numbers": dict(run.numbers),
        }


class Notices(MowerEvent):
    """Something about a mower that somebody should know: it is stuck, it left its garden, its job is done."""

    _attr_event_types = [*NOTICE_CODES, OVER, *NOTICES_BY_TYPE.values(), OTHER]  # noqa: RUF012  # as the base has it
    _unrecorded_attributes = frozenset({"values"})

    def __init__(self, hub: Hub, mower_id: str) -> None:
        """Tell of a mower's notices."""
        super().__init__(hub, mower_id, "notices")

    @callback
    @override
    def _hear(self, happening: Happening) -> None:
        if isinstance(happening, Run):
            return
        payload = payload_of(happening)
        event_type = happening.get("type")
        if event_type == NOTIFICATION:
            self._notice(payload)
        elif event_type in NOTICES_BY_TYPE:
            code = NOTICES_BY_TYPE[event_type]
            self._fire(code, {"code": code, "ending": _ending(payload), "values": _values(payload)})

    def _notice(self, payload: Mapping[str, Any]) -> None:
        code = str(payload.get("code"))
        event_type = code if code in NOTICE_CODES else OTHER
        self._fire(
            OVER if payload.get("phase") == PHASE_ENDED else event_type,
            {"code": code, "severity": payload.get("severity"), "values": dict(payload.get("values") or {})},
        )


def _ending(payload: Mapping[str, Any]) -> str | None:
    """Return how a finished job ended, a code: done, dropped, replaced by another one; None for a crossed zone."""
    job = payload.get("job")
    return str(job["ending"]) if isinstance(job, Mapping) and job.get("ending") else None


def _values(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers and names of a finished job or a crossed zone, without the mower's id."""
    return {name: value for name, value in payload.items() if name != "mower_id"}
