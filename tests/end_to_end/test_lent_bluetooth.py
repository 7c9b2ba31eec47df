"""Home Assistant's own Bluetooth: from the switch to the frames at the mower without a cloud, and back to the cloud."""

from pathlib import Path
from typing import Any

import pytest

from tests.emulators.air.far import connects_at
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
        # From now on there is no other way: whatever is ordered and told goes over Bluetooth.
        await road.cloud.do_to_broker("cut")
        await home_assistant.act("lawn_mower.start_mowing", entity_id=road.entity_id)
        await home_assistant.wait_for_state(road.entity_id, "mowing")
        await home_assistant.act("lawn_mower.pause", entity_id=road.entity_id)
        await home_assistant.wait_for_state(road.entity_id, "paused")

        before = await connects_at(road.cloud.air_port or 0)
        await home_assistant.act("emulated_scanner.lose")
        await eventually(lambda: _connected_again(road, before), seconds=_WAIT_SECONDS)
        await home_assistant.act("lawn_mower.dock", entity_id=road.entity_id)
        await home_assistant.wait_for_state(road.entity_id, "docked", timeout_seconds=60)
        assert {message["over"] for message in await road.cloud.received("todev_taskctrl")} == {"bluetooth"}

        await road.cloud.do_to_broker("restore")
        await home_assistant.act("switch.turn_off", entity_id=switch)
        await eventually(lambda: _connected_over(road, "cloud"), seconds=60)
        await home_assistant.act("lawn_mower.start_mowing", entity_id=road.entity_id)
        assert [start["over"] for start in await road.cloud.starts()] == ["bluetooth", "cloud"]


async def _connected_over(road: Road, kind: str) -> bool:
    """Tell whether the mower is connected this way; over the cloud, whether it is so over nothing else."""
    links: list[dict[str, Any]] = (await road.gateway.request("GET", f"/mowers/{road.mower_id}"))["links"]
    connected = {link["kind"] for link in links if link["connected"]}
    return kind in connected and (kind == "home_assistant" or connected == {kind})


async def _connected_again(road: Road, before: int) -> bool:
    return await connects_at(road.cloud.air_port or 0) > before and await _connected_over(road, "home_assistant")
