"""The actions of the integration: making, deleting and running schedules."""

from datetime import date
from typing import Any
from uuid import uuid4

import probatio
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv
from homeassistant.util import dt as dt_util

from .acting import caller_of
from .client.run import Run
from .client.schedule import Schedule, ScheduleDraft, Target
from .const import DOMAIN
from .failures import translated
from .hub import Hub
from .rights import Right, check
from .running_now import check_started, run_now
from .schedule_fields import FIELDS, recurrence_of
from .targets import Chosen, chosen_groups, chosen_mowers, chosen_schedules
from .told_errors import Whose

CREATE_SCHEDULE = "create_schedule"
DELETE_SCHEDULE = "delete_schedule"
RUN_SCHEDULE = "run_schedule"

REQUIRED = ("name", "at", "duration_minutes")

CREATE_SCHEMA = probatio.Schema(
    {
        **cv.ENTITY_SERVICE_FIELDS,
        **{probatio.Required(name): FIELDS[name] for name in REQUIRED},
        **{probatio.Optional(name): check for name, check in FIELDS.items() if name not in REQUIRED},
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
    hass.services.async_register(
        DOMAIN, RUN_SCHEDULE, _run_schedule, schema=TARGET_SCHEMA, supports_response=SupportsResponse.OPTIONAL
    )


async def _create_schedule(call: ServiceCall) -> ServiceResponse:
    """Make a schedule for one mower or one group and answer it."""
    chosen, target = _one_target(call)
    group = chosen.hub.groups.views.get(target.group_id or "")
    mower_ids = (chosen.subject_id,) if group is None else group.mower_ids
    await check(call.hass, call.context, mower_ids, Right.CONTROL, Right.PLAN)
    draft = _draft(call.data, target, await today_at(chosen.hub, chosen.subject_id))
    with translated(chosen.hub, Whose.of(target)):
        schedule = await chosen.hub.client.create_schedule(draft, key=uuid4().hex, caller=caller_of(call.context))
    chosen.hub.put_answered(schedule)
    device = chosen.hub.devices.find(schedule.id)
    return {"schedule": _answer(schedule), "device_id": None if device is None else device.id}


async def _delete_schedule(call: ServiceCall) -> None:
    """Delete schedules."""
    for chosen in await permitted_schedules(call, Right.CONTROL, Right.PLAN):
        with translated(chosen.hub, Whose.of(chosen.hub.schedules.views[chosen.subject_id].target)):
            await chosen.hub.client.delete_schedule(chosen.subject_id, caller=caller_of(call.context))
        chosen.hub.schedules.remove(chosen.subject_id)


async def _run_schedule(call: ServiceCall) -> ServiceResponse:
    """Run schedules at once, whatever the rain rule says; a mower that does not start is an error that says why.

    All of them are tried before that is raised. Whoever takes the answer reads the reasons there instead.
    """
    ran = [
        (chosen.hub, await run_now(chosen.hub, chosen.subject_id, caller_of(call.context)))
        for chosen in await permitted_schedules(call, Right.CONTROL)
    ]
    if not call.return_response:
        for hub, runs in ran:
            await check_started(call.hass, hub, runs)
    return {"runs": [run_answer(run) for _, runs in ran for run in runs]}


async def permitted_schedules(call: ServiceCall, *rights: Right) -> tuple[Chosen, ...]:
    """Return the schedules that a call means; the caller must have the rights with the mowers of all of them."""
    schedules = chosen_schedules(call.hass, call)
    if not schedules:
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="no_schedule")
    for chosen in schedules:
        mower_ids = chosen.hub.mowers_of(chosen.hub.schedules.views[chosen.subject_id])
        await check(call.hass, call.context, mower_ids, *rights)
    return schedules


def _one_target(call: ServiceCall) -> tuple[Chosen, Target]:
    """Return the one mower or group that a call means."""
    mowers, groups = chosen_mowers(call.hass, call), chosen_groups(call.hass, call)
    if len(mowers) + len(groups) != 1:
        raise ServiceValidationError(
            translation_domain=DOMAIN,
            translation_key="one_mower",
            translation_placeholders={"count": str(len(mowers) + len(groups))},
        )
    if groups:
        return groups[0], Target(group_id=groups[0].subject_id)
    return mowers[0], Target(mower_id=mowers[0].subject_id)


async def today_at(hub: Hub, subject_id: str | None) -> date:
    """Return the date of today at the site of a mower or a group."""
    zone = await dt_util.async_get_time_zone(hub.time_zone_of(subject_id)) or dt_util.UTC
    return dt_util.now(zone).date()


def _draft(data: dict[str, Any], target: Target, today: date) -> ScheduleDraft:
    """Return what a call asks for as the gateway takes it."""
    area_ids: list[str] | None = data.get("area_ids")
    return ScheduleDraft(
        name=data["name"],
        target=target,
        recurrence=recurrence_of(data, today=today),
        duration_minutes=data["duration_minutes"],
        area_ids=None if area_ids is None else tuple(area_ids),
        rain_enabled=data.get("rain_enabled"),
        enabled=data.get("enabled", True),
        starts_on=data.get("starts_on"),
        ends_on=data.get("ends_on"),
    )


def _answer(schedule: Schedule) -> dict[str, Any]:
    """Return a schedule as an action answers it."""
    return {
        "id": schedule.id,
        "name": schedule.name,
        "mower_id": schedule.target.mower_id,
        "group_id": schedule.target.group_id,
        "recurrence": None if schedule.recurrence is None else schedule.recurrence.json(),
        "time_zone": schedule.effective_time_zone,
        "duration_minutes": schedule.duration_minutes,
        "area_ids": None if schedule.area_ids is None else list(schedule.area_ids),
        "enabled": schedule.enabled,
        "next_run_at": None if schedule.next_run_at is None else schedule.next_run_at.isoformat(),
    }


def run_answer(run: Run) -> dict[str, Any]:
    """Return a run as an action answers it."""
    return {
        "id": run.id,
        "schedule_id": run.schedule_id,
        "mower_id": run.mower_id,
        "due_at": run.occurrence_at.isoformat(),
        "outcome": run.outcome.value,
        "reason": run.reason,
        "numbers": dict(run.numbers),
        "run_now": run.run_now,
        "ended_at": None if run.ended_at is None else run.ended_at.isoformat(),
        "end_reason": run.end_reason,
    }
