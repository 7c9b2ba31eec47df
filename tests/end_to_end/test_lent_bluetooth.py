"""Home Assistant's own Bluetooth: from the switch to the frame at the mower, and back to the cloud."""

from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.near import open_near_road
from tests.end_to_end.road import Road
from tests.eventually import eventually

pytestmark = pytest.mark.timeout(180)

_WAIT_SECONDS = 30.0


# One version is enough here: what is asked of its Bluetooth is the same in both.
@pytest.mark.parametrize("version", ["2026.10"])
async def test_an_order_goes_over_home_assistants_bluetooth(version: str, tmp_path: Path) -> None:
    async with open_near_road(f"home-assistant-{version}", tmp_path) as road:
        await road.add_integration()
        home_assistant = road.home_assistant
        await home_assistant.wait_for_state(road.entity_id, "docked")
        entity_ids = {each["unique_id"]: each["entity_id"] for each in await road.registry()}
        switch = entity_ids[f"{road.mower_id}_bluetooth"]
        await home_assistant.wait_for_state(switch, "off")

        await home_assistant.act("switch.turn_on", entity_id=switch)
        await home_assistant.wait_for_state(switch, "on")
        await eventually(lambda: _connected_over(road, "home_assistant"), seconds=_WAIT_SECONDS)
        await home_assistant.act("lawn_mower.start_mowing", entity_id=road.entity_id)
        assert [start["over"] for start in await road.cloud.starts()] == ["bluetooth"]
        await home_assistant.wait_for_state(road.entity_id, "mowing")

        await home_assistant.act("switch.turn_off", entity_id=switch)
        await eventually(lambda: _connected_over(road, "home_assistant", be=False), seconds=_WAIT_SECONDS)
        await home_assistant.act("lawn_mower.dock", entity_id=road.entity_id)
        await home_assistant.wait_for_state(road.entity_id, "docked", timeout_seconds=60)
        assert len(await road.cloud.starts()) == 1


async def _connected_over(road: Road, kind: str, *, be: bool = True) -> bool:
    links: list[dict[str, Any]] = (await road.gateway.request("GET", f"/mowers/{road.mower_id}"))["links"]
    return any(link["kind"] == kind and link["connected"] for link in links) == be
