"""A gateway and an integration that do not understand each other say which one is to be updated."""

import pytest
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import pass_grace, until, until_state


@pytest.mark.parametrize(
    ("versions", "key"),
    [({"min": 0, "max": 0}, "gateway_too_old"), ({"min": 2, "max": 3}, "integration_too_old")],
)
async def test_a_gateway_of_another_version_at_start_is_named_and_tried_again(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    entry: MowDeckConfigEntry,
    issue_registry: ir.IssueRegistry,
    versions: dict[str, int],
    key: str,
) -> None:
    def shown() -> str | None:
        issue = issue_registry.async_get_issue(DOMAIN, f"{entry.entry_id}_version")
        return None if issue is None else issue.translation_key

    gateway.info = documents.info(api=versions)
    await hass.config_entries.async_setup(entry.entry_id)
    assert entry.state is ConfigEntryState.SETUP_RETRY
    assert entry.error_reason_translation_key == f"setup_{key}"
    assert shown() == key
    # One of them was updated.
    gateway.info = documents.info()
    assert await hass.config_entries.async_reload(entry.entry_id)
    assert shown() is None
    # And the other one later, while Home Assistant ran.
    gateway.info = documents.info(api=versions)
    await gateway.restart()
    await until(hass, lambda: shown() == key)
    await pass_grace(hass)
    await until_state(hass, "lawn_mower.front_lawn", "unavailable")
    assert await hass.config_entries.async_remove(entry.entry_id)
    assert shown() is None


async def test_entries_of_a_newer_minor_version_are_taken_and_of_a_newer_main_version_not(
    hass: HomeAssistant, entry: MowDeckConfigEntry
) -> None:
    hass.config_entries.async_update_entry(entry, minor_version=7)
    assert await hass.config_entries.async_setup(entry.entry_id)
    assert await hass.config_entries.async_unload(entry.entry_id)
    hass.config_entries.async_update_entry(entry, version=2)
    assert not await hass.config_entries.async_setup(entry.entry_id)
    assert entry.state is ConfigEntryState.MIGRATION_ERROR
