"""Actions on schedules that stand: change, skip, preview, and what became of their runs."""

from typing import Any

import probatio
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv

from .acting import caller_of
from .client.preview import PreviewedRun
from .client.run import Run
from .const import DOMAIN
from .failures import translated
from .hub import Hub
from .mower_actions import permitted_mowers
from .rights import Right
from .schedule_fields import FIELDS, recurrence_of, says_when
from .services import permitted_schedules, run_answer, today_at
from .targets import Chosen, chosen_mowers, chosen_schedules
from .told_errors import Whose

UPDATE_SCHEDULE = "update_schedule"
SKIP_NEXT_RUN = "skip_next_run"
PREVIEW_SCHEDULE = "preview_schedule"
GET_RUNS = "get_runs"

MOST_RUNS = 500

UPDATE_SCHEMA = probatio.Schema(
    {
        **cv.ENTITY_SERVICE_FIELDS,
        **{probatio.Optional(name): check for name, check in FIELDS.items()},
    }
)
SKIP_SCHEMA = probatio.Schema({**cv.ENTITY_SERVICE_FIELDS, probatio.Optional("skip", default=True): cv.boolean})
TARGET_SCHEMA = probatio.Schema({**cv.ENTITY_SERVICE_FIELDS})
RUNS_SCHEMA = probatio.Schema(
    {
        **cv.ENTITY_SERVICE_FIELDS,
        probatio.Optional("limit", default=20): probatio.All(
            probatio.Coerce(int), probatio.Range(min=1, max=MOST_RUNS)
        ),
    }
)


@callback
def async_setup_plan_actions(hass: HomeAssistant) -> None:
    """Register the actions."""
    register = hass.services.async_register
    only = SupportsResponse.ONLY
    register(DOMAIN, UPDATE_SCHEDULE, _update, schema=UPDATE_SCHEMA)
    register(DOMAIN, SKIP_NEXT_RUN, _skip, schema=SKIP_SCHEMA)
    register(DOMAIN, PREVIEW_SCHEDULE, _preview, schema=TARGET_SCHEMA, supports_response=only)
    register(DOMAIN, GET_RUNS, _runs, schema=RUNS_SCHEMA, supports_response=only)


async def _update(call: ServiceCall) -> None:
    """Change what is named of schedules; what is not named of a rule stays as it is."""
    plain = ("name", "duration_minutes", "enabled", "area_ids")
    named: dict[str, Any] = {name: call.data[name] for name in plain if name in call.data}
    named |= {name: call.data[name].isoformat() for name in ("starts_on", "ends_on") if name in call.data}
    if "rain_enabled" in call.data:
        named["rain"] = {"enabled": call.data["rain_enabled"]}
    chosen_ones = await permitted_schedules(call, Right.CONTROL, Right.PLAN)
    changes = [named | await _recurrence_change(call, chosen) for chosen in chosen_ones]
    for chosen, wanted in zip(chosen_ones, changes, strict=True):
        with translated(chosen.hub, Whose.of(chosen.hub.schedules.views[chosen.subject_id].target)):
            schedule = await chosen.hub.client.update_schedule(
                chosen.subject_id, wanted, caller=caller_of(call.context)
            )
        chosen.hub.put_answered(schedule)


async def _recurrence_change(call: ServiceCall, chosen: Chosen) -> dict[str, Any]:
    """Return the change of when a schedule is due; empty where a call says nothing of that."""
    if not says_when(call.data):
        return {}
    view = chosen.hub.schedules.views[chosen.subject_id]
    today = await today_at(chosen.hub, view.target.group_id or view.target.mower_id)
    return {"recurrence": recurrence_of(call.data, today=today, known=view.recurrence).json()}


async def _skip(call: ServiceCall) -> None:
    """Skip the next run of schedules, or take that back."""
    for chosen in await permitted_schedules(call, Right.CONTROL, Right.PLAN):
        view = chosen.hub.schedules.views[chosen.subject_id]
        if not view.enabled or view.next_run_at is None:
            raise ServiceValidationError(
                translation_domain=DOMAIN,
                translation_key="no_next_run",
                translation_placeholders={"schedule": view.name},
            )
        change = chosen.hub.client.skip if call.data["skip"] else chosen.hub.client.unskip
        with translated(chosen.hub, Whose.of(view.target)):
            schedule = await change(chosen.subject_id, view.next_run_at, caller=caller_of(call.context))
        chosen.hub.put_answered(schedule)


async def _preview(call: ServiceCall) -> ServiceResponse:
    """Answer what schedules would do in the next 14 days."""
    answers: list[Any] = []
    for chosen in await permitted_schedules(call, Right.SEE):
        with translated(chosen.hub):
            preview = await chosen.hub.client.preview(chosen.subject_id, caller=caller_of(call.context))
        answers.append(
            {
                "schedule_id": chosen.subject_id,
                "schedule": chosen.hub.schedules.views[chosen.subject_id].name,
                "time_zone": preview.time_zone,
                "runs": [_previewed(item) for item in preview.items],
                "attribution": list(preview.attribution),
            }
        )
    return {"schedules": answers}


def _previewed(item: PreviewedRun) -> dict[str, Any]:
    return {
        "due_at": item.occurrence_at.isoformat(),
        "window_ends_at": item.window_ends_at.isoformat(),
        "skipped": item.skipped,
        "mowers": [
            {"mower_id": mower.mower_id, "known": mower.known, "hold": mower.hold, "reason": mower.reason}
            for mower in item.mowers
        ],
    }


async def _runs(call: ServiceCall) -> ServiceResponse:
    """Answer the last runs of mowers and of schedules, each run once; those of one are newest first."""
    mowers, schedules = chosen_mowers(call.hass, call), chosen_schedules(call.hass, call)
    if not mowers and not schedules:
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="no_schedule_or_mower")
    if schedules:
        await permitted_schedules(call, Right.SEE)
    if mowers:
        await permitted_mowers(call, Right.SEE)
    found: dict[str, Run] = {}
    for chosen in mowers:
        found |= {run.id: run for run in await _last_runs(call, chosen.hub, mower_id=chosen.subject_id)}
    for chosen in schedules:
        found |= {run.id: run for run in await _last_runs(call, chosen.hub, schedule_id=chosen.subject_id)}
    return {"runs": [run_answer(run) for run in found.values()]}


async def _last_runs(
    call: ServiceCall, hub: Hub, *, mower_id: str | None = None, schedule_id: str | None = None
) -> list[Run]:
    """Return as many runs as a call asks for, newest first."""
    found: list[Run] = []
    cursor, left = None, call.data["limit"]
    while left > 0:
        with translated(hub):
            page = await hub.client.get_runs(
                mower_id=mower_id,
                schedule_id=schedule_id,
                cursor=cursor,
                limit=min(left, 100),
                caller=caller_of(call.context),
            )
        found += page.items
        cursor, left = page.next, left - len(page.items)
        if cursor is None:
            break
    return found
