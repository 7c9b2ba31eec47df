"""Subentries mirror what the gateway has, both ways, and a deletion waits for a gateway that is away."""

import pytest
from homeassistant.components.repairs.const import FlowType
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component

from custom_components.mowdeck import followed
from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.devices import bridge_subject
from custom_components.mowdeck.hub import MowDeckConfigEntry
from custom_components.mowdeck.mirrors import Kind
from tests.emulators.gateway import documents
from tests.emulators.gateway.bridge_documents import BRIDGE_ID, bridge
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.emulators.gateway.group_documents import GROUP_ID, group
from tests.emulators.gateway.setup_routes import BRIDGE_CHANGED
from tests.home_assistant.test_repairs import finding, shown
from tests.home_assistant.test_subentry_flows import ACCOUNT_ID, fill_in, mirror, mirrors
from tests.home_assistant.waiting import state_of, until, until_so, until_state

CONNECTION = "binary_sensor.shed_connection"
SLOTS = "sensor.shed_free_connections"


def titles(entry: MowDeckConfigEntry, kind: Kind) -> dict[str, str]:
    return {subject_id: each.title for subject_id, each in mirrors(entry, kind).items()}


async def test_what_the_gateway_has_is_mirrored_and_followed(
    gateway: EmulatedGateway, loaded: MowDeckConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed, "AGAIN_SECONDS", 0.05)
    assert titles(loaded, Kind.VENDOR_ACCOUNT) == {ACCOUNT_ID: "garden@example.org"}
    assert titles(loaded, Kind.BRIDGE) == {BRIDGE_ID: "Shed"}
    await gateway.setup_routes.put_bridge(name="Barn")
    await gateway.setup_routes.put_bridge("bridge-9", name="Fence")
    gateway.groups[GROUP_ID] = group()
    await gateway.events.tell(group=gateway.groups[GROUP_ID])
    await until_so(lambda: titles(loaded, Kind.BRIDGE) == {BRIDGE_ID: "Barn", "bridge-9": "Fence"})
    await until_so(lambda: titles(loaded, Kind.GROUP) == {GROUP_ID: "Both lawns"})
    # A gateway that cannot say what it has takes nothing away.
    kept, gateway.setup_routes.bridges = gateway.setup_routes.bridges, None
    await gateway.setup_routes.tell(BRIDGE_CHANGED, BRIDGE_ID)
    gateway.setup_routes.vendor_accounts = []
    await gateway.setup_routes.tell("device.vendor_account.changed", ACCOUNT_ID)
    await until_so(lambda: not mirrors(loaded, Kind.VENDOR_ACCOUNT))
    assert set(mirrors(loaded, Kind.BRIDGE)) == {BRIDGE_ID, "bridge-9"}
    # It is asked again without an event: that part of the gateway may only just have started.
    assert kept is not None
    del kept["bridge-9"]
    gateway.setup_routes.bridges = kept
    await until_so(lambda: set(mirrors(loaded, Kind.BRIDGE)) == {BRIDGE_ID})
    gateway.setup_routes.bridges = {}
    del gateway.groups[GROUP_ID]
    await gateway.restart()
    await until_so(lambda: not mirrors(loaded, Kind.BRIDGE))
    await until_so(lambda: not mirrors(loaded, Kind.GROUP))
    # None of it was anybody's deletion here.
    assert not [request for request in gateway.requests if request.method == "DELETE"]


async def test_what_is_deleted_here_is_deleted_at_the_gateway(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry, device_registry: dr.DeviceRegistry
) -> None:
    gateway.groups[GROUP_ID] = group()
    await gateway.events.tell(group=gateway.groups[GROUP_ID])
    await until_so(lambda: GROUP_ID in mirrors(loaded, Kind.GROUP))
    for kind, subject_id, path in (
        (Kind.VENDOR_ACCOUNT, ACCOUNT_ID, f"vendor-accounts/{ACCOUNT_ID}"),
        (Kind.BRIDGE, BRIDGE_ID, f"bridges/{BRIDGE_ID}"),
        (Kind.GROUP, GROUP_ID, f"groups/{GROUP_ID}"),
    ):
        subentry = mirror(loaded, kind, subject_id)
        assert hass.config_entries.async_remove_subentry(loaded, subentry.subentry_id)
        await gateway.wait_for_request("DELETE", path)
        await until_so(lambda kind=kind: not loaded.data["mirrored"][kind])  # type: ignore[misc]  # kept in the default
        assert not mirrors(loaded, kind)
    assert (gateway.setup_routes.vendor_accounts, gateway.setup_routes.bridges, gateway.groups) == ([], {}, {})
    assert device_registry.async_get_device_by_identifier((DOMAIN, bridge_subject(BRIDGE_ID)), loaded.entry_id) is None
    assert state_of(hass, CONNECTION) is None


async def test_a_deletion_waits_for_a_gateway_that_is_away(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    await gateway.stop()
    assert await hass.config_entries.async_unload(loaded.entry_id)
    subentry = mirror(loaded, Kind.BRIDGE, BRIDGE_ID)
    assert hass.config_entries.async_remove_subentry(loaded, subentry.subentry_id)
    assert await hass.config_entries.async_setup(loaded.entry_id) is False
    assert loaded.state is ConfigEntryState.SETUP_RETRY
    await gateway.start()
    assert await hass.config_entries.async_reload(loaded.entry_id)
    await gateway.wait_for_request("DELETE", f"bridges/{BRIDGE_ID}")
    await until_so(lambda: not loaded.data["mirrored"][Kind.BRIDGE])
    assert not mirrors(loaded, Kind.BRIDGE)
    assert set(mirrors(loaded, Kind.VENDOR_ACCOUNT)) == {ACCOUNT_ID}


async def test_a_deletion_that_the_gateway_does_not_take_at_once_is_told_again(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    gateway.refuse(503, documents.error("unavailable", "The device gateway does not answer."))
    subentry = mirror(loaded, Kind.BRIDGE, BRIDGE_ID)
    assert hass.config_entries.async_remove_subentry(loaded, subentry.subentry_id)
    await gateway.wait_for_request("DELETE", f"bridges/{BRIDGE_ID}")
    gateway.fault = None
    gateway.requests.clear()
    # It is not made anew although the gateway has it still, and is gone when it is next looked at.
    await gateway.setup_routes.put_bridge(free_slots=1)
    await gateway.wait_for_request("DELETE", f"bridges/{BRIDGE_ID}")
    await until_so(lambda: not loaded.data["mirrored"][Kind.BRIDGE])
    assert not mirrors(loaded, Kind.BRIDGE)


async def test_what_the_gateway_does_not_let_go_comes_back_and_is_said(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry, issue_registry: ir.IssueRegistry
) -> None:
    hass.config.language = "de-AT"
    kept = {
        "schedules": [{"id": documents.SCHEDULE_ID, "name": "Weekday mornings"}, {"id": "other", "name": "Sundays"}]
    }
    gateway.refuse(409, documents.error("group_in_use", "It is needed.", values=kept))
    subentry = mirror(loaded, Kind.BRIDGE, BRIDGE_ID)
    assert hass.config_entries.async_remove_subentry(loaded, subentry.subentry_id)
    await until(hass, lambda: "not_removed" in shown(issue_registry))
    placeholders = shown(issue_registry)["not_removed"].translation_placeholders
    assert placeholders is not None
    assert placeholders["name"] == "Shed"
    assert placeholders["detail"].startswith("Pläne gehören zu dieser Gruppe: Weekday mornings, Sundays. Lösche sie")
    await until_so(lambda: BRIDGE_ID in mirrors(loaded, Kind.BRIDGE))
    await until_state(hass, CONNECTION, "on")
    assert await hass.config_entries.async_unload(loaded.entry_id)
    assert "not_removed" not in shown(issue_registry)


@pytest.mark.usefixtures("everything_enabled")
async def test_a_bridge_is_a_device_that_shows_how_it_is(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry, device_registry: dr.DeviceRegistry
) -> None:
    await until_state(hass, CONNECTION, "on")
    assert (state_of(hass, SLOTS), state_of(hass, "sensor.shed_wi_fi_signal")) == ("2", "-61.0")
    found = device_registry.async_get_device_by_identifier((DOMAIN, bridge_subject(BRIDGE_ID)), loaded.entry_id)
    assert found is not None
    assert (found.name, found.sw_version, found.serial_number) == ("Shed", "2026.10.0", "AA:BB:CC:00:11:22")
    assert found.config_subentry_id == mirror(loaded, Kind.BRIDGE, BRIDGE_ID).subentry_id
    via = device_registry.async_get_device_by_identifier((DOMAIN, documents.GATEWAY_ID), loaded.entry_id)
    assert via is not None
    assert found.via_device_id == via.id
    await gateway.setup_routes.put_bridge(status="connecting", esphome_version="2026.11.0")
    await until_state(hass, CONNECTION, "off")
    assert state_of(hass, SLOTS) == "unavailable"
    await gateway.setup_routes.put_bridge(status="elsewhere")
    await until_state(hass, CONNECTION, "unknown")
    changed = device_registry.async_get_device_by_identifier((DOMAIN, bridge_subject(BRIDGE_ID)), loaded.entry_id)
    assert changed is not None
    assert changed.sw_version == "2026.11.0"
    # One that was removed while Home Assistant was away leaves nothing behind.
    assert await hass.config_entries.async_unload(loaded.entry_id)
    gateway.setup_routes.bridges = {"bridge-9": bridge(id="bridge-9", name="Fence")}
    assert await hass.config_entries.async_setup(loaded.entry_id)
    await until_state(hass, "binary_sensor.fence_connection", "on")
    assert device_registry.async_get(found.id) is None


async def test_a_login_that_is_refused_is_a_repair_that_leads_to_its_password(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry, issue_registry: ir.IssueRegistry
) -> None:
    assert await async_setup_component(hass, "repairs", {})
    await gateway.setup_routes.put_account(status="rejected", detail="The password was changed.")
    await until(hass, lambda: "login_refused" in shown(issue_registry))
    issue = shown(issue_registry)["login_refused"]
    assert issue.is_fixable
    manager = hass.data["repairs"]["flow_manager"]
    form = await manager.async_init(DOMAIN, context={"issue_id": issue.issue_id})
    assert (form["step_id"], form["description_placeholders"]["account"]) == ("confirm", "garden@example.org")
    ended = await manager.async_configure(form["flow_id"], {})
    assert (ended["type"], ended["reason"]) == (FlowResultType.ABORT, "go_on")
    kind, flow_id = ended["next_flow"]
    assert kind is FlowType.CONFIG_SUBENTRIES_FLOW
    assert "login_refused" in shown(issue_registry), "it stays until the maker takes the login"
    going_on = hass.config_entries.subentries.async_get(flow_id)
    assert going_on["step_id"] == "reconfigure"
    done = await fill_in(hass, going_on, {"password": "right"})
    assert done["reason"] == "reconfigure_successful"
    await until(hass, lambda: "login_refused" not in shown(issue_registry))
    # Refused again, and then the entry is unloaded.
    await gateway.setup_routes.put_account(status="rejected", detail=None)
    await until(hass, lambda: "login_refused" in shown(issue_registry))
    assert await hass.config_entries.async_unload(loaded.entry_id)
    assert shown(issue_registry) == {}


async def test_a_repair_of_a_bridge_is_there_at_once_and_leads_to_the_bridge(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry, issue_registry: ir.IssueRegistry
) -> None:
    assert await async_setup_component(hass, "repairs", {})
    wrong = finding("bridge_wrong_key", mower_id=None, bridge_id=BRIDGE_ID, bridge_name="Shed")
    gateway.findings = [wrong, finding("bridge_unreachable", mower_id=None, bridge_id="gone", bridge_name="Barn")]
    await gateway.setup_routes.put_bridge(status="refused")
    await until(hass, lambda: {"finding_bridge_wrong_key", "finding_bridge_unreachable"} <= set(shown(issue_registry)))
    manager = hass.data["repairs"]["flow_manager"]
    for key, reason in (("wrong_key", "go_on"), ("unreachable", "not_ready")):
        issue = shown(issue_registry)[f"finding_bridge_{key}"]
        form = await manager.async_init(DOMAIN, context={"issue_id": issue.issue_id})
        ended = await manager.async_configure(form["flow_id"], {})
        assert ended["reason"] == reason
    # Without the gateway there is nowhere to go, nor without the entry.
    issue = shown(issue_registry)["finding_bridge_wrong_key"]
    loaded.runtime_data.connected = False
    form = await manager.async_init(DOMAIN, context={"issue_id": issue.issue_id})
    assert (await manager.async_configure(form["flow_id"], {}))["reason"] == "not_ready"
    form = await manager.async_init(DOMAIN, context={"issue_id": issue.issue_id})
    assert await hass.config_entries.async_unload(loaded.entry_id)
    assert (await manager.async_configure(form["flow_id"], {}))["reason"] == "not_ready"
