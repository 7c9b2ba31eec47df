"""Mowers that the Mammotion integration has too: it is said, and they can be handed over."""

import pytest
from homeassistant.config_entries import ConfigEntryDisabler
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from custom_components.mowdeck.repairs import TwoOwners, async_create_fix_flow
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until, until_state

VENDOR_NAME = "Luba-VS563L6H"


@pytest.fixture
def mammotion(hass: HomeAssistant) -> MockConfigEntry:
    """Return an entry of the Mammotion integration with one mower, as that integration names things."""
    added = MockConfigEntry(domain="mammotion", title="somebody@example.com", data={"account_name": "somebody"})
    added.add_to_hass(hass)
    area = ar.async_get(hass).async_create("Garden")
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=added.entry_id, identifiers={("mammotion", VENDOR_NAME)}, name=VENDOR_NAME
    )
    dr.async_get(hass).async_update_device(device.id, area_id=area.id, labels={"robots"}, name_by_user="Lulu")
    entities = er.async_get(hass)
    for domain, key, name, device_class in (
        ("lawn_mower", "mower", "lulu", None),
        ("sensor", "battery_percent", "lulu_battery", "battery"),
        ("sensor", "total_time", "lulu_total", "duration"),
        ("sensor", "elapsed_time", "lulu_elapsed", "duration"),
        ("device_tracker", "tracker", "lulu_place", None),
        ("button", "start_map_sync", "lulu_sync", None),
    ):
        entities.async_get_or_create(
            domain,
            "mammotion",
            f"{VENDOR_NAME}_{key}",
            config_entry=added,
            device_id=device.id,
            suggested_object_id=name,
            original_device_class=device_class,
        )
    entities.async_update_entity("lawn_mower.lulu", name="Lulu herself", icon="mdi:sheep")
    return added


def issues(issue_registry: ir.IssueRegistry) -> list[ir.IssueEntry]:
    return [
        issue
        for issue in issue_registry.issues.values()
        if (issue.domain, issue.translation_key) == (DOMAIN, "two_owners")
    ]


async def share(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    """Have the gateway's mower be the one that the Mammotion integration has."""
    await gateway.put_mower(provider="mammotion", serial_number=VENDOR_NAME, name="Front lawn", battery_percent=50)
    await until_state(hass, "sensor.front_lawn_battery", "50")
    entry = hass.config_entries.async_entries(DOMAIN)[0]
    assert await hass.config_entries.async_reload(entry.entry_id)


async def fix(hass: HomeAssistant, issue: ir.IssueEntry) -> TwoOwners:
    flow = await async_create_fix_flow(hass, issue.issue_id, issue.data)
    assert isinstance(flow, TwoOwners)
    flow.hass = hass
    flow.handler = DOMAIN
    return flow


async def test_a_mower_with_two_owners_is_handed_over(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    mammotion: MockConfigEntry,
    issue_registry: ir.IssueRegistry,
    entity_registry: er.EntityRegistry,
    device_registry: dr.DeviceRegistry,
    hass_client: ClientSessionGenerator,
) -> None:
    assert not issues(issue_registry)
    await share(hass, gateway)
    (issue,) = issues(issue_registry)
    assert issue.translation_placeholders == {"mowers": "Front lawn", "other": "somebody@example.com"}

    assert await async_setup_component(hass, "repairs", {})
    client = await hass_client()
    begun = await client.post("/api/repairs/issues/fix", json={"handler": DOMAIN, "issue_id": issue.issue_id})
    form = await begun.json()
    assert (form["type"], form["step_id"]) == ("form", "confirm")
    done = await client.post(f"/api/repairs/issues/fix/{form['flow_id']}", json={"take_over": True})
    assert (await done.json())["type"] == "create_entry"

    assert mammotion.disabled_by is ConfigEntryDisabler.USER
    assert not issues(issue_registry)
    ours = entity_registry.async_get("lawn_mower.lulu")
    assert ours is not None
    assert (ours.platform, ours.unique_id, ours.icon) == (DOMAIN, documents.MOWER_ID, "mdi:sheep")
    await until_state(hass, "lawn_mower.lulu", "docked")
    theirs = entity_registry.async_get("lawn_mower.lulu_mammotion")
    assert theirs is not None
    assert theirs.platform == "mammotion"
    moved = {
        entity_id: entity_registry.async_get(entity_id) for entity_id in ("sensor.lulu_battery", "sensor.lulu_total")
    }
    assert [None if each is None else each.platform for each in moved.values()] == [DOMAIN, "mammotion"]
    device = device_registry.async_get_device_by_identifier((DOMAIN, documents.MOWER_ID), loaded.entry_id)
    assert device is not None
    area = ar.async_get(hass).async_get_area_by_name("Garden")
    assert area is not None
    assert (device.area_id, device.labels, device.name_by_user) == (area.id, {"robots"}, "Lulu")


async def test_the_other_one_can_be_switched_off_without_taking_anything_over(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    mammotion: MockConfigEntry,
    issue_registry: ir.IssueRegistry,
    entity_registry: er.EntityRegistry,
) -> None:
    await share(hass, gateway)
    (issue,) = issues(issue_registry)
    flow = await fix(hass, issue)
    # Not while nobody knows which mowers they are.
    assert await hass.config_entries.async_unload(loaded.entry_id)
    assert not issues(issue_registry)
    assert (await flow.async_step_confirm({"take_over": False}))["reason"] == "not_ready"
    assert not mammotion.disabled_by
    assert await hass.config_entries.async_setup(loaded.entry_id)
    await flow.async_step_confirm({"take_over": False})
    assert mammotion.disabled_by is ConfigEntryDisabler.USER
    assert entity_registry.async_get("lawn_mower.front_lawn") is not None


async def test_a_mower_that_comes_later_is_noticed(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    mammotion: MockConfigEntry,
    issue_registry: ir.IssueRegistry,
) -> None:
    del loaded, mammotion
    await gateway.put_mower("another", name="Another", provider="mammotion", serial_number=VENDOR_NAME)
    await until(hass, lambda: len(issues(issue_registry)) == 1)
