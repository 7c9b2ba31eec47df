"""The settings of a simulated mower."""

from datetime import UTC, datetime
from typing import Any

import pytest

from edge_gateway.contracts.errors import InvalidError
from edge_gateway.device_gateway.simulator.faults import Fault
from edge_gateway.device_gateway.simulator.machine import Machine
from edge_gateway.device_gateway.simulator.settings_rule import change_setting, settings_of

MACHINE = Machine(as_of=datetime(2026, 5, 4, tzinfo=UTC), battery_percent=80.0)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("cutting_height_mm", 20),
        ("cutting_height_mm", 70),
        ("angle_degrees", 45.5),
        ("mow_edges", "never"),
        ("simulated_battery_percent", 0),
        ("simulated_fault", "silent"),
    ],
)
def test_a_change_shows(key: str, value: Any) -> None:  # noqa: ANN401  # a setting's value is JSON
    changed = change_setting(MACHINE, key, value)
    assert {setting.key: setting.value for setting in settings_of(changed)}[key] == value


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        ("blade_colour", "red", "setting_key"),
        ("cutting_height_mm", 0, "setting_value"),
        ("cutting_height_mm", 71, "setting_value"),
        ("cutting_height_mm", "40", "setting_value"),
        ("cutting_height_mm", True, "setting_value"),
        ("cutting_height_mm", None, "setting_value"),
        ("mow_edges", "sometimes", "setting_value"),
        ("mow_edges", ["always"], "setting_value"),
        ("simulated_fault", "explode", "setting_value"),
    ],
)
def test_what_is_not_allowed_is_named(key: str, value: Any, field: str) -> None:  # noqa: ANN401  # as above
    with pytest.raises(InvalidError) as caught:
        change_setting(MACHINE, key, value)
    assert caught.value.field == field


def test_every_fault_can_be_chosen() -> None:
    (setting,) = [setting for setting in settings_of(MACHINE) if setting.key == "simulated_fault"]
    assert setting.allowed == tuple(fault.value for fault in Fault)
