"""Mowers and schedules appear, are renamed and disappear; nothing needs a reload."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until, until_state

pytestmark = pytest.mark.usefixtures("loaded")

MOWER = "lawn_mower.front_lawn"
SECOND = "01K8MOWER00000000000000002"


async def test_a_new_mower_brings_its_entities_and_a_removed_one_takes_them_along(
    hass: HomeAssistant, gateway: EmulatedGateway, entity_registry: er.EntityRegistry
) -> None:
    await gateway.put_mower(SECOND, name="Back lawn", battery_percent=12)
    await until_state(hass, "sensor.back_lawn_battery", "12")
    await until_state(hass, "lawn_mower.back_lawn", "docked")
    await gateway.remove_mower(SECOND)
    await until_state(hass, "lawn_mower.back_lawn", None)
    await until_state(hass, "sensor.back_lawn_battery", None)
    assert entity_registry.async_get("lawn_mower.back_lawn") is None
    await gateway.put_mower(SECOND, name="Back lawn")
    await until_state(hass, "lawn_mower.back_lawn", "docked")


async def test_a_mower_that_is_gone_after_a_restart_is_removed_and_one_that_is_new_is_added(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    await gateway.put_mower(SECOND, name="Back lawn")
    await until_state(hass, "lawn_mower.back_lawn", "docked")
    del gateway.mowers[SECOND]
    gateway.mowers["third"] = documents.mower(id="third", name="Side lawn")
    await gateway.restart()
    await until_state(hass, "lawn_mower.back_lawn", None)
    await until_state(hass, "lawn_mower.side_lawn", "docked")
    gateway.mowers[SECOND] = documents.mower(id=SECOND, name="Back lawn")
    await gateway.restart()
    await until_state(hass, "lawn_mower.back_lawn", "docked")


async def test_a_mower_that_is_missing_while_a_service_is_away_is_kept_and_unavailable(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    mower = gateway.mowers.pop(documents.MOWER_ID)
    gateway.info = documents.info(services={"fleet": False})
    await gateway.restart()
    await until_state(hass, MOWER, "unavailable")
    gateway.mowers[documents.MOWER_ID] = mower
    gateway.info = documents.info()
    await gateway.restart()
    await until_state(hass, MOWER, "docked")


async def test_a_renamed_mower_renames_its_device(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    device_registry: dr.DeviceRegistry,
) -> None:
    def name() -> str | None:
        device = device_registry.async_get_device_by_identifier((DOMAIN, documents.MOWER_ID), loaded.entry_id)
        return None if device is None else device.name

    await gateway.put_mower(name="Meadow")
    await until(hass, lambda: name() == "Meadow")


async def test_a_schedule_hangs_on_its_mower_also_when_it_came_first(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    device_registry: dr.DeviceRegistry,
) -> None:
    def via(identifier: str) -> str | None:
        device = device_registry.async_get_device_by_identifier((DOMAIN, identifier), loaded.entry_id)
        return None if device is None else device.via_device_id

    await gateway.put_schedule("early", name="Early", target={"mower_id": SECOND})
    await until(hass, lambda: via("early") is not None)
    gateway_device = device_registry.async_get_device_by_identifier((DOMAIN, documents.GATEWAY_ID), loaded.entry_id)
    assert gateway_device is not None
    assert via("early") == gateway_device.id
    await gateway.put_mower(SECOND, name="Back lawn")
    await until(hass, lambda: via("early") != gateway_device.id)
    mower_device = device_registry.async_get_device_by_identifier((DOMAIN, SECOND), loaded.entry_id)
    assert mower_device is not None
    assert via("early") == mower_device.id
