"""Actions on mowers: start with areas, keep at home, let go, the rain verdict, new blades, the past as a file."""

from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import probatio
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.service import async_register_admin_service
from homeassistant.util import dt as dt_util

from .acting import caller_of
from .client.command import CommandKind, Order, StartMode
from .const import DOMAIN
from .failures import check_outcome, translated
from .rights import Right, check
from .schedule_fields import AREA_IDS
from .targets import Chosen, chosen_mowers

START = "start"
HOLD_MOWING = "hold_mowing"
RELEASE_MOWING = "release_mowing"
RESET_BLADE = "reset_blade"
GET_RAIN_VERDICT = "get_rain_verdict"
GET_AREAS = "get_areas"
EXPORT_HISTORY = "export_history"

FOLDER = "mowdeck"
"""Below Home Assistant's configuration: where exports are written."""

TARGET = cv.ENTITY_SERVICE_FIELDS

START_SCHEMA = probatio.Schema(
    {
        **TARGET,
        probatio.Optional("area_ids"): AREA_IDS,
        probatio.Optional("pattern"): {cv.string: object},
        probatio.Optional("mode", default=StartMode.AUTO.value): probatio.Coerce(StartMode),
    }
)
HOLD_SCHEMA = probatio.Schema({**TARGET, probatio.Required("until"): cv.datetime})
TARGET_SCHEMA = probatio.Schema({**TARGET})
EXPORT_SCHEMA = probatio.Schema(
    {
        **TARGET,
        probatio.Required("what"): probatio.In(["history", "positions", "days", "jobs"]),
        probatio.Optional("format", default="csv"): probatio.In(["csv", "json"]),
    }
)


@callback
def async_setup_mower_actions(hass: HomeAssistant) -> None:
    """Register the actions."""
    register = hass.services.async_register
    register(DOMAIN, START, _start, schema=START_SCHEMA)
    register(DOMAIN, HOLD_MOWING, _hold, schema=HOLD_SCHEMA)
    register(DOMAIN, RELEASE_MOWING, _release, schema=TARGET_SCHEMA)
    register(DOMAIN, RESET_BLADE, _reset_blade, schema=TARGET_SCHEMA)
    register(DOMAIN, GET_RAIN_VERDICT, _rain, schema=TARGET_SCHEMA, supports_response=SupportsResponse.ONLY)
    register(DOMAIN, GET_AREAS, _areas, schema=TARGET_SCHEMA, supports_response=SupportsResponse.ONLY)
    async_register_admin_service(
        hass, DOMAIN, EXPORT_HISTORY, _export, schema=EXPORT_SCHEMA, supports_response=SupportsResponse.ONLY
    )


async def permitted_mowers(call: ServiceCall, right: Right = Right.CONTROL) -> tuple[Chosen, ...]:
    """Return the mowers that a call means; the caller must have the right with all of them."""
    mowers = chosen_mowers(call.hass, call)
    if not mowers:
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="no_mower")
    await check(call.hass, call.context, [chosen.subject_id for chosen in mowers], right)
    return mowers


async def _start(call: ServiceCall) -> None:
    """Start mowers, also ones that are not reached: that is recorded, and raised."""
    area_ids: list[str] | None = call.data.get("area_ids")
    order = Order(
        kind=CommandKind.START_MOW,
        mode=call.data["mode"],
        area_ids=None if area_ids is None else tuple(area_ids),
        pattern=call.data.get("pattern"),
    )
    for chosen in await permitted_mowers(call):
        hub = chosen.hub
        with translated(hub):
            command = await hub.client.order(chosen.subject_id, order, key=uuid4().hex, caller=caller_of(call.context))
        command = await hub.orders.outcome(command, hub.outcome_seconds)
        check_outcome(command, hub.mowers.views[chosen.subject_id].name, language=call.hass.config.language)


async def _hold(call: ServiceCall) -> None:
    """Have no plan start mowers until a moment."""
    until: datetime = call.data["until"]
    await _put_hold(call, dt_util.as_utc(until))


async def _release(call: ServiceCall) -> None:
    """Let plans start mowers again."""
    await _put_hold(call, None)


async def _put_hold(call: ServiceCall, until: datetime | None) -> None:
    for chosen in await permitted_mowers(call):
        with translated(chosen.hub):
            await chosen.hub.client.hold(chosen.subject_id, until, caller=caller_of(call.context))
        chosen.hub.rain.refresh(chosen.subject_id)


async def _reset_blade(call: ServiceCall) -> None:
    """Begin the time of the blades anew."""
    for chosen in await permitted_mowers(call):
        with translated(chosen.hub):
            health = await chosen.hub.client.reset_blades(chosen.subject_id, caller=caller_of(call.context))
        chosen.hub.health.put(chosen.subject_id, health)


async def _rain(call: ServiceCall) -> ServiceResponse:
    """Answer what the rain rule says of mowers now."""
    answers: list[Any] = []
    for chosen in await permitted_mowers(call, Right.SEE):
        with translated(chosen.hub):
            weather = await chosen.hub.client.get_weather(chosen.subject_id)
        chosen.hub.rain.put(chosen.subject_id, weather)
        answers.append(
            {
                "mower_id": chosen.subject_id,
                "mower": chosen.hub.mowers.views[chosen.subject_id].name,
                "hold": weather.hold,
                "reason": weather.reason,
                "until": None if weather.hold_until is None else weather.hold_until.isoformat(),
                "numbers": dict(weather.numbers),
                "source": weather.provider,
                "attribution": weather.attribution,
            }
        )
    return {"mowers": answers}


async def _areas(call: ServiceCall) -> ServiceResponse:
    """Answer the areas of mowers: other actions name them by their ids."""
    return {
        "mowers": [
            {
                "mower_id": chosen.subject_id,
                "mower": chosen.hub.mowers.views[chosen.subject_id].name,
                "areas": [
                    {"id": area.id, "name": area.name, "enabled": area.enabled, "size_m2": area.size_m2}
                    for area in chosen.hub.mowers.views[chosen.subject_id].areas
                ],
            }
            for chosen in await permitted_mowers(call, Right.SEE)
        ]
    }


async def _export(call: ServiceCall) -> ServiceResponse:
    """Write the past of mowers into files below the configuration; answers where."""
    files: list[Any] = []
    for chosen in await permitted_mowers(call):
        what, kind = call.data["what"], call.data["format"]
        query = {"mower_id": chosen.subject_id, "format": kind}
        with translated(chosen.hub):
            content = await chosen.hub.client.export(what, query, caller=caller_of(call.context))
        # The name is made of ids and words of ours: nothing that anybody typed becomes a path.
        path = Path(call.hass.config.path(FOLDER)) / f"{what}-{chosen.subject_id}.{kind}"
        await call.hass.async_add_executor_job(_write, path, content)
        files.append(str(path))
    return {"files": files}


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
