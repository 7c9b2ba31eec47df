"""The actions of the integration: making, deleting and running schedules."""

from datetime import time
from typing import Any
from uuid import uuid4

import probatio
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv

from .acting import caller_of
from .client.recurrence import Weekday, Weekly
from .client.schedule import Schedule, ScheduleDraft
from .const import DOMAIN
from .failures import translated
from .rights import check_control
from .targets import Chosen, chosen_mowers, chosen_schedules

CREATE_SCHEDULE = "create_schedule"
DELETE_SCHEDULE = "delete_schedule"
RUN_SCHEDULE = "run_schedule"

SHORTEST_MINUTES = 1
LONGEST_MINUTES = 1440


def _full_minute(value: time) -> time:
    """Refuse a time with seconds: a schedule has none, and the time picker sends zero."""
    if value.second or value.microsecond:
        raise probatio.Invalid("a schedule starts at a full minute")
    return value


def _whole_number(value: float) -> int:
    """Take a number without a fraction: a number picker may send 120.0 for 120."""
    if isinstance(value, bool) or value != int(value):
        raise probatio.Invalid("a window lasts full minutes")
    return int(value)


CREATE_SCHEMA_FIELDS = {
    "name": probatio.All(cv.string, probatio.Length(min=1, max=100)),
    "days": probatio.All(cv.ensure_list, probatio.Length(min=1), [probatio.Coerce(Weekday)], probatio.Unique()),
    "at": probatio.All(cv.time, _full_minute),
    "duration_minutes": probatio.All(
        probatio.Coerce(float), _whole_number, probatio.Range(min=SHORTEST_MINUTES, max=LONGEST_MINUTES)
    ),
    "area_ids": probatio.All(cv.ensure_list, probatio.Length(min=1), [cv.string]),
    "rain_enabled": cv.boolean,
    "enabled": cv.boolean,
}
"""What can be given of a schedule."""

CREATE_SCHEMA = probatio.Schema(
    {
        **cv.ENTITY_SERVICE_FIELDS,
        **{probatio.Required(name): CREATE_SCHEMA_FIELDS[name] for name in ("name", "days", "at", "duration_minutes")},
        **{probatio.Optional(name): CREATE_SCHEMA_FIELDS[name] for name in ("area_ids", "rain_enabled")},
        probatio.Optional("enabled", default=True): cv.boolean,
    }
)

TARGET_SCHEMA = probatio.Schema({**cv.ENTITY_SERVICE_FIELDS})


@callback
def async_setup_services(hass: HomeAssistant) -> None:
    """Register the actions."""
    hass.services.async_register(
        DOMAIN, CREATE_SCHEDULE, _create_schedule, schema=CREATE_SCHEMA, supports_response=SupportsResponse.OPTIONAL
    )
    hass.services.async_register(DOMAIN, DELETE_SCHEDULE, _delete_schedule, schema=TARGET_SCHEMA)
    hass.services.async_register(DOMAIN, RUN_SCHEDULE, _run_schedule, schema=TARGET_SCHEMA)


async def _create_schedule(call: ServiceCall) -> ServiceResponse:
    """Make a schedule for one mower and answer it."""
    mowers = chosen_mowers(call.hass, call)
    if len(mowers) != 1:
        raise ServiceValidationError(
            translation_domain=DOMAIN,
            translation_key="one_mower",
            translation_placeholders={"count": str(len(mowers))},
        )
    chosen = mowers[0]
    await check_control(call.hass, call.context, chosen.subject_id)
    draft = _draft(call.data, chosen.subject_id)
    with translated(chosen.hub):
        schedule = await chosen.hub.client.create_schedule(draft, key=uuid4().hex, caller=caller_of(call.context))
    chosen.hub.put_answered(schedule)
    device = chosen.hub.devices.find(schedule.id)
    return {"schedule": _answer(schedule), "device_id": None if device is None else device.id}


async def _delete_schedule(call: ServiceCall) -> None:
    """Delete schedules."""
    for chosen in await permitted_schedules(call):
        with translated(chosen.hub):
            await chosen.hub.client.delete_schedule(chosen.subject_id, caller=caller_of(call.context))
        chosen.hub.schedules.remove(chosen.subject_id)


async def _run_schedule(call: ServiceCall) -> None:
    """Run schedules at once, whatever the rain rule says."""
    for chosen in await permitted_schedules(call):
        with translated(chosen.hub):
            await chosen.hub.client.run_schedule_now(chosen.subject_id, key=uuid4().hex, caller=caller_of(call.context))


async def permitted_schedules(call: ServiceCall) -> tuple[Chosen, ...]:
    """Return the schedules that a call means; all of them must be the caller's to control."""
    schedules = chosen_schedules(call.hass, call)
    if not schedules:
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="no_schedule")
    for chosen in schedules:
        mower_id = chosen.hub.schedules.views[chosen.subject_id].target.mower_id
        await check_control(call.hass, call.context, mower_id)
    return schedules


def recurrence_of(data: dict[str, Any]) -> Weekly:
    """Return the days and the start of a call, in the order of the week, whatever the order of the call."""
    return Weekly(days=tuple(day for day in Weekday if day in data["days"]), at=data["at"].strftime("%H:%M"))


def _draft(data: dict[str, Any], mower_id: str) -> ScheduleDraft:
    """Return what a call asks for as the gateway takes it."""
    area_ids: list[str] | None = data.get("area_ids")
    return ScheduleDraft(
        name=data["name"],
        mower_id=mower_id,
        recurrence=recurrence_of(data),
        duration_minutes=data["duration_minutes"],
        area_ids=None if area_ids is None else tuple(area_ids),
        rain_enabled=data.get("rain_enabled"),
        enabled=data["enabled"],
    )


def _answer(schedule: Schedule) -> dict[str, Any]:
    """Return a schedule as an action answers it."""
    return {
        "id": schedule.id,
        "name": schedule.name,
        "mower_id": schedule.target.mower_id,
        "recurrence": None if schedule.recurrence is None else schedule.recurrence.json(),
        "time_zone": schedule.effective_time_zone,
        "duration_minutes": schedule.duration_minutes,
        "area_ids": None if schedule.area_ids is None else list(schedule.area_ids),
        "enabled": schedule.enabled,
        "next_run_at": None if schedule.next_run_at is None else schedule.next_run_at.isoformat(),
    }
