"""Areas as devices of their own: switched, renamed in place, gone with the map, kept without one."""

import pytest
from homeassistant.const import ATTR_ENTITY_ID, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import Json
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import state_of, until, until_state

pytestmark = pytest.mark.usefixtures("loaded")

FRONT = "switch.front_lawn_front_mow"


def area(area_id: str, **changes: object) -> Json:
    return {"id": area_id, "name": area_id.title(), "enabled": True, "size_m2": None} | changes


async def test_an_area_is_switched_off(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    assert state_of(hass, FRONT) == "on"
    await hass.services.async_call(Platform.SWITCH, "turn_off", {ATTR_ENTITY_ID: FRONT}, blocking=True)
    path = f"mowers/{documents.MOWER_ID}/areas/front"
    assert (await gateway.wait_for_request("PATCH", path)).body == {"enabled": False}
    await until_state(hass, FRONT, "off")


async def test_an_area_is_a_part_of_its_mower_and_renamed_in_place(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    device_registry: dr.DeviceRegistry,
    entity_registry: er.EntityRegistry,
) -> None:
    mower = loaded.runtime_data.devices.find(documents.MOWER_ID)
    assert mower is not None

    def names() -> set[str | None]:
        return {each.name for each in dr.async_entries_for_parent_device(device_registry, mower.id)}

    assert names() == {"Front"}
    await gateway.put_mower(areas=[area("front", name="Rose bed"), area("back")])
    await until_state(hass, "switch.front_lawn_back_mow", "on")
    assert names() == {"Rose bed", "Back"}
    entry = entity_registry.async_get(FRONT)
    assert entry is not None
    assert entry.unique_id == f"{documents.MOWER_ID}_front_enabled"


async def test_an_area_goes_with_the_map_but_not_without_one(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_mower(areas=[area("front"), area("back")])
    await until_state(hass, "switch.front_lawn_back_mow", "on")
    await gateway.put_mower(areas=[area("front")])
    await until_state(hass, "switch.front_lawn_back_mow", None)
    await gateway.put_mower(areas=[])
    await until_state(hass, FRONT, "unavailable")
    await gateway.put_mower(areas=[area("front")])
    await until_state(hass, FRONT, "on")


async def test_an_area_that_went_while_nobody_looked_is_removed(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    assert await hass.config_entries.async_unload(loaded.entry_id)
    gateway.mowers[documents.MOWER_ID]["areas"] = [area("back")]
    assert await hass.config_entries.async_setup(loaded.entry_id)
    await until_state(hass, "switch.front_lawn_back_mow", "on")
    assert state_of(hass, FRONT) is None


async def test_a_mower_takes_its_areas_along(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.remove_mower()
    await until_state(hass, "lawn_mower.front_lawn", None)
    await until_state(hass, FRONT, None)


async def test_many_areas_are_off_at_first(
    hass: HomeAssistant, gateway: EmulatedGateway, entity_registry: er.EntityRegistry
) -> None:
    await gateway.put_mower("large", name="Park", areas=[area(f"part{number}") for number in range(31)])
    await until(hass, lambda: entity_registry.async_get("switch.park_part30_mow") is not None)
    entry = entity_registry.async_get("switch.park_part30_mow")
    assert entry is not None
    assert entry.disabled_by is er.RegistryEntryDisabler.INTEGRATION


async def test_when_an_area_was_last_mowed(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry, entity_registry: er.EntityRegistry
) -> None:
    entry = entity_registry.async_get("sensor.front_lawn_front_last_mowed")
    assert entry is not None
    assert entry.disabled_by is er.RegistryEntryDisabler.INTEGRATION
    entity_registry.async_update_entity(entry.entity_id, disabled_by=None)
    gateway.mower_routes.mowed = [{"area_id": "front", "mowing_seconds": 60.0, "last_mowed_at": "2026-05-01T06:00:00Z"}]
    assert await hass.config_entries.async_reload(loaded.entry_id)
    await until_state(hass, entry.entity_id, "2026-05-01T06:00:00+00:00")
