"""An entry is set up, retried, refused and taken away."""

import pytest
from homeassistant.config_entries import SOURCE_REAUTH, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr

from custom_components.mowdeck import async_remove_config_entry_device
from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import state_of, until_so


async def set_up(hass: HomeAssistant, entry: MowDeckConfigEntry) -> ConfigEntryState:
    await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry.state


async def test_mowers_and_schedules_become_devices_below_their_gateway(
    hass: HomeAssistant, loaded: MowDeckConfigEntry, device_registry: dr.DeviceRegistry
) -> None:
    def device(identifier: str) -> dr.DeviceEntry:
        found = device_registry.async_get_device_by_identifier((DOMAIN, identifier), loaded.entry_id)
        assert found is not None
        return found

    gateway, mower = device(documents.GATEWAY_ID), device(documents.MOWER_ID)
    schedule = device(documents.SCHEDULE_ID)
    assert loaded.state is ConfigEntryState.LOADED
    assert (gateway.entry_type, gateway.sw_version, gateway.via_device_id) == (
        dr.DeviceEntryType.SERVICE,
        "0.1.0",
        None,
    )
    assert (mower.name, mower.manufacturer, mower.model) == ("Front lawn", "MowDeck", "Sim 500")
    assert (mower.sw_version, mower.serial_number, mower.via_device_id) == ("1.2.3", "SIM-0001", gateway.id)
    assert (schedule.name, schedule.entry_type, schedule.via_device_id) == (
        "Weekday mornings",
        dr.DeviceEntryType.SERVICE,
        mower.id,
    )
    assert state_of(hass, "lawn_mower.front_lawn") == "docked"


async def test_a_gateway_that_does_not_answer_is_tried_again(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry
) -> None:
    await gateway.stop()
    assert await set_up(hass, entry) is ConfigEntryState.SETUP_RETRY
    assert entry.reason is not None
    assert f"127.0.0.1:{gateway.port}" in entry.reason
    await gateway.start()
    assert await hass.config_entries.async_reload(entry.entry_id)
    assert entry.state is ConfigEntryState.LOADED


async def test_an_event_stream_that_says_nothing_useful_is_tried_again(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custom_components.mowdeck.FIRST_SNAPSHOT_SECONDS", 0.3)
    gateway.mowers[documents.MOWER_ID]["battery_percent"] = "87"
    assert await set_up(hass, entry) is ConfigEntryState.SETUP_RETRY
    assert entry.reason is not None
    assert "message.mowers[0].battery_percent is not a whole number" in entry.reason


async def test_a_refused_token_asks_for_another(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry
) -> None:
    gateway.token = documents.OTHER_TOKEN
    assert await set_up(hass, entry) is ConfigEntryState.SETUP_ERROR
    assert [flow["context"]["source"] for flow in hass.config_entries.flow.async_progress()] == [SOURCE_REAUTH]


async def test_a_gateway_of_another_version_is_tried_again(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry
) -> None:
    gateway.info = documents.info(api={"min": 2, "max": 3})
    assert await set_up(hass, entry) is ConfigEntryState.SETUP_RETRY


async def test_another_gateway_at_the_address_is_an_error(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry
) -> None:
    gateway.info = documents.info(gateway_id="another")
    assert await set_up(hass, entry) is ConfigEntryState.SETUP_ERROR


async def test_unloading_ends_the_connection_and_loading_brings_everything_back(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    assert await hass.config_entries.async_unload(loaded.entry_id)
    await hass.async_block_till_done()
    assert state_of(hass, "lawn_mower.front_lawn") == "unavailable"
    # The gateway hears of it a moment later.
    await until_so(lambda: not gateway.events.readers)
    await set_up(hass, loaded)
    assert state_of(hass, "lawn_mower.front_lawn") == "docked"


async def test_only_devices_that_the_gateway_does_not_know_can_be_removed(
    hass: HomeAssistant, loaded: MowDeckConfigEntry, device_registry: dr.DeviceRegistry
) -> None:
    mower = device_registry.async_get_device_by_identifier((DOMAIN, documents.MOWER_ID), loaded.entry_id)
    other = device_registry.async_get_or_create(
        config_entry_id=loaded.entry_id, identifiers={(DOMAIN, "of-long-ago")}, name="Of long ago"
    )
    assert mower is not None
    assert not await async_remove_config_entry_device(hass, loaded, mower)
    assert await async_remove_config_entry_device(hass, loaded, other)


async def test_a_device_that_the_gateway_lost_while_home_assistant_was_stopped_is_removed(
    hass: HomeAssistant, entry: MowDeckConfigEntry, device_registry: dr.DeviceRegistry
) -> None:
    stale = device_registry.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={(DOMAIN, "of-long-ago")}, name="Of long ago"
    )
    await set_up(hass, entry)
    assert device_registry.async_get(stale.id) is None


async def test_nothing_is_removed_while_a_service_of_the_gateway_is_not_ready(
    hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry, device_registry: dr.DeviceRegistry
) -> None:
    gateway.info = documents.info(services={"fleet": True, "scheduler": False})
    stale = device_registry.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={(DOMAIN, "of-long-ago")}, name="Of long ago"
    )
    await set_up(hass, entry)
    assert device_registry.async_get(stale.id) is not None
