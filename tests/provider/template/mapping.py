"""What the vendor's words mean. Pure, so that a table can test every case of it."""

from datetime import datetime
from typing import Any

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import InvalidError
from edge_gateway.contracts.map import Area, MowerMap
from edge_gateway.contracts.mower import Activity, Job
from edge_gateway.device_gateway.provider import DriverState
from tests.provider.template.machine import ExampleMower

BLADE = "blade_height"
AREA = "the-lawn"
_ACTIVITIES = {
    "home": Activity.DOCKED,
    "cutting": Activity.MOWING,
    "halted": Activity.PAUSED,
    "homeward": Activity.RETURNING,
}


def state_of(mower: ExampleMower, *, job_id: str | None, observed_at: datetime) -> DriverState:
    """Return what a report means while this job is open: a word new to us is `unknown`, what was never told is null."""
    activity = _ACTIVITIES.get(mower.mode, Activity.UNKNOWN)
    if activity is Activity.PAUSED and job_id is None:
        activity = Activity.IDLE
    resumable = activity is not Activity.MOWING
    return DriverState(
        observed_at=observed_at,
        activity=activity,
        battery_percent=mower.battery or None,
        on_charger=activity is Activity.DOCKED,
        charging=activity is Activity.DOCKED and mower.battery < 100,
        job=None if job_id is None else Job(id=job_id, area_ids=areas_of(mower), resumable=resumable),
    )


def areas_of(mower: ExampleMower) -> tuple[str, ...]:
    """Return the areas of a job: all that there are, as this vendor mows no less."""
    return (AREA,) if mower.has_areas else ()


def map_of(mower: ExampleMower, *, mower_id: str, account_id: str, observed_at: datetime) -> MowerMap | None:
    """Return the map: metres from an origin, areas with ids that never change; null for a model that keeps none."""
    if not mower.has_areas:
        return None
    lawn = Area(id=AREA, vendor_key=AREA, name="The lawn", boundary=((0, 0), (10, 0), (10, 5), (0, 5)), size_m2=50.0)
    return MowerMap(mower_id=mower_id, account_id=account_id, areas=(lawn,), complete=True, observed_at=observed_at)


def settings_of(mower: ExampleMower) -> tuple[Setting, ...]:
    """Return what can be set outside of a job, with its value."""
    return (Setting(key=BLADE, value=mower.blade_mm, minimum=20, maximum=60, unit="mm"),)


def job_settings() -> tuple[Setting, ...]:
    """Return what can be named with a start."""
    return (Setting(key="angle", value=None, minimum=0, maximum=180, unit="°"),)


def check_number(settings: tuple[Setting, ...], key: str, value: Any, *, unknown: str, field: str) -> None:  # noqa: ANN401  # JSON
    """Refuse what is no setting or out of its limits; raises `InvalidError` naming the field."""
    setting = next((one for one in settings if one.key == key), None)
    if setting is None:
        raise InvalidError("unknown_setting", f"This mower has no setting {key}.", field=unknown)
    low, high = setting.minimum or 0, setting.maximum or 0
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise InvalidError("invalid_value", f"{key} is a number from {low:g} to {high:g}.", field=field)
