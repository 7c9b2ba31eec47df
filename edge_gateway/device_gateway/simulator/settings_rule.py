"""The settings of a simulated mower: which there are, what is allowed, what a change makes of it. Pure."""

from typing import Any

import msgspec

from edge_gateway.contracts.device import Setting
from edge_gateway.contracts.errors import InvalidError
from edge_gateway.device_gateway.simulator.faults import Fault
from edge_gateway.device_gateway.simulator.machine import Machine
from edge_gateway.device_gateway.simulator.machine_orders import set_fault

FAULT = "simulated_fault"
BATTERY = "simulated_battery_percent"


def settings_of(machine: Machine) -> tuple[Setting, ...]:
    """Return the settings with their values."""
    return (
        Setting(key="cutting_height_mm", value=machine.cutting_height_mm, minimum=20, maximum=70, unit="mm"),
        Setting(key="angle_degrees", value=machine.angle_degrees, minimum=0, maximum=180, unit="°"),
        Setting(key="mow_edges", value=machine.mow_edges, allowed=("always", "never")),
        Setting(key=BATTERY, value=int(machine.battery_percent), minimum=0, maximum=100, unit="%"),
        Setting(key=FAULT, value=machine.fault.value, allowed=tuple(fault.value for fault in Fault)),
    )


def job_settings() -> tuple[Setting, ...]:
    """Return what can be named with a start, and within which limits."""
    return (Setting(key="angle", value=None, minimum=-180, maximum=180, unit="°"),)


def check_pattern(pattern: dict[str, Any] | None) -> None:
    """Refuse what a simulated job cannot be told; raises `InvalidError` naming the field (`pattern.<key>`)."""
    known = {setting.key: setting for setting in job_settings()}
    for key, value in (pattern or {}).items():
        if key not in known:
            detail = f"A simulated mower's jobs have no setting {key}; they have {', '.join(known)}."
            raise InvalidError("invalid_pattern", detail, field=f"pattern.{key}")
        low, high = known[key].minimum or 0, known[key].maximum or 0
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            detail = f"The setting {key} is a number from {low:g} to {high:g}."
            raise InvalidError("invalid_pattern", detail, field=f"pattern.{key}")


def change_setting(machine: Machine, key: str, value: Any) -> Machine:  # noqa: ANN401  # a setting's value is JSON
    """Return the machine with a setting changed; raises `InvalidError` naming what is wrong."""
    setting = next((setting for setting in settings_of(machine) if setting.key == key), None)
    if setting is None:
        raise InvalidError("unknown_setting", f"The mower has no setting {key!r}.", field="setting_key")
    if setting.allowed is not None:
        if value not in setting.allowed:
            detail = f"{key} must be one of {', '.join(setting.allowed)}."
            raise InvalidError("not_allowed", detail, field="setting_value")
        if key == FAULT:
            return set_fault(machine, Fault(value))
        return msgspec.structs.replace(machine, mow_edges=value)
    number = _number(setting, value)
    match key:
        case "cutting_height_mm":
            return msgspec.structs.replace(machine, cutting_height_mm=round(number))
        case "angle_degrees":
            return msgspec.structs.replace(machine, angle_degrees=number)
        case _:
            return msgspec.structs.replace(machine, battery_percent=number)


def _number(setting: Setting, value: Any) -> float:  # noqa: ANN401  # a setting's value is JSON
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidError("not_allowed", f"{setting.key} must be a number.", field="setting_value")
    if setting.minimum is None or setting.maximum is None or not setting.minimum <= value <= setting.maximum:
        detail = f"{setting.key} must lie between {setting.minimum} and {setting.maximum} {setting.unit}."
        raise InvalidError("not_allowed", detail, field="setting_value")
    return float(value)
