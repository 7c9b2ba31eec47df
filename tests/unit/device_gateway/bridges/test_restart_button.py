"""A deaf bridge is restarted, and never made to forget its key."""

import pytest
from aioesphomeapi import ButtonInfo, EntityInfo, SensorInfo

from edge_gateway.device_gateway.bridges.restart_button import restart_key


def button(key: int, name: str, device_class: str = "restart") -> ButtonInfo:
    object_id = name.lower().replace(" ", "_")
    return ButtonInfo.from_dict({"key": key, "name": name, "object_id": object_id, "device_class": device_class})


RESTART, SAFE_MODE, FACTORY_RESET = button(1, "Restart"), button(2, "Safe Mode Boot"), button(3, "Factory reset")
RESTART_SAFELY = button(4, "Restart in safe mode")


@pytest.mark.parametrize(
    "entities",
    [
        [RESTART],
        [RESTART, SAFE_MODE, FACTORY_RESET],
        [FACTORY_RESET, RESTART_SAFELY, SAFE_MODE, RESTART],
        [SensorInfo.from_dict({"key": 9, "name": "Restarts", "object_id": "restarts"}), RESTART],
    ],
)
def test_the_button_that_only_restarts_is_pressed(entities: list[EntityInfo]) -> None:
    assert restart_key(entities) == 1


@pytest.mark.parametrize(
    "entities",
    [[], [SAFE_MODE, FACTORY_RESET], [RESTART_SAFELY], [button(5, "Restart", "identify")], [button(6, "Neu")]],
)
def test_no_other_button_is_pressed(entities: list[EntityInfo]) -> None:
    assert restart_key(entities) is None
