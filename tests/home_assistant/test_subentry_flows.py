"""Logins, bridges and groups are set up in Home Assistant; what was entered goes straight to the gateway."""

from typing import Any

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigSubentry,
    SubentryFlowContext,
    SubentryFlowResult,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType

from custom_components.mowdeck.hub import MowDeckConfigEntry
from custom_components.mowdeck.mirrors import Kind
from tests.emulators.gateway import documents
from tests.emulators.gateway.account_documents import vendor_account
from tests.emulators.gateway.bridge_documents import BRIDGE_ID, found_bridge
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.emulators.gateway.group_documents import GROUP_ID, group
from tests.home_assistant.waiting import until, until_so

ACCOUNT_ID = str(vendor_account()["id"])
KEY = "a key of 44 characters"
LOGIN = {"username": " garden@example.com ", "password": "a secret"}
FOUND = "192.168.1.51:6053"


async def begin(
    hass: HomeAssistant, entry: MowDeckConfigEntry, kind: Kind, mirror: ConfigSubentry | None = None
) -> SubentryFlowResult:
    """Begin to make something, or to change what a subentry mirrors."""
    context = SubentryFlowContext(source=SOURCE_USER)
    if mirror is not None:
        context = SubentryFlowContext(source=SOURCE_RECONFIGURE, subentry_id=mirror.subentry_id)
    return await hass.config_entries.subentries.async_init((entry.entry_id, kind), context=context)


async def fill_in(hass: HomeAssistant, form: SubentryFlowResult, given: dict[str, Any]) -> SubentryFlowResult:
    return await hass.config_entries.subentries.async_configure(form["flow_id"], given)


def mirrors(entry: MowDeckConfigEntry, kind: Kind) -> dict[str, ConfigSubentry]:
    """Return the subentries of a kind by the ids at the gateway, which is all that they hold."""
    found = [each for each in entry.subentries.values() if each.subentry_type == kind]
    assert all(dict(each.data) == {"id": each.unique_id} for each in found)
    return {str(each.unique_id): each for each in found}


def mirror(entry: MowDeckConfigEntry, kind: Kind, subject_id: str) -> ConfigSubentry:
    return mirrors(entry, kind)[subject_id]


def refusal(code: str, field: str | None, status: int = 422) -> tuple[int, documents.Json]:
    body = documents.error(code, "It is so.")
    body["error"]["field"] = field
    return status, body


LOGIN_REFUSALS = (
    (refusal("login_refused", "password"), {"password": "login_refused"}),
    (refusal("vendor_account_exists", "username", 409), {"username": "vendor_account_exists"}),
    (refusal("vendor_unreachable", None, 503), {"base": "vendor_unreachable"}),
    (refusal("newer", None, 503), {"base": "gateway_not_ready"}),
    (refusal("deadline", None, 504), {"base": "deadline"}),
    (refusal("unknown_provider", "provider"), {"base": "refused"}),
)
BRIDGE_REFUSALS = (
    (refusal("bridge_key_needed", "key"), {"key": "bridge_key_needed"}),
    (refusal("bridge_unreachable", "host"), {"base": "bridge_unreachable"}),
)


async def test_a_login_is_made_and_what_is_wrong_with_it_is_said_where_it_is(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    form = await begin(hass, loaded, Kind.VENDOR_ACCOUNT)
    assert (form["type"], form["step_id"]) == (FlowResultType.FORM, "user")
    for answer, errors in LOGIN_REFUSALS:
        gateway.refuse(*answer)
        form = await fill_in(hass, form, LOGIN)
        assert (form["type"], form["errors"]) == (FlowResultType.FORM, errors)
        assert form["description_placeholders"] == {"detail": "It is so."}
    gateway.fault = None
    done = await fill_in(hass, form, LOGIN)
    assert (done["type"], done["title"]) == (FlowResultType.CREATE_ENTRY, "garden@example.com")
    sent = gateway.find("POST", "vendor-accounts")
    assert sent is not None
    assert sent.body == {"provider": "mammotion", "username": "garden@example.com", "password": "a secret"}
    # The event of its making comes at the same time: there is one mirror all the same, and it stays.
    await until_so(lambda: "account-2" in loaded.runtime_data.accounts.views)
    assert set(mirrors(loaded, Kind.VENDOR_ACCOUNT)) == {ACCOUNT_ID, "account-2"}
    assert "a secret" not in str(loaded.as_dict())


async def test_a_login_is_given_a_new_password(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    login = mirror(loaded, Kind.VENDOR_ACCOUNT, ACCOUNT_ID)
    form = await begin(hass, loaded, Kind.VENDOR_ACCOUNT, login)
    assert form["description_placeholders"] == {"detail": "", "account": "garden@example.org"}
    gateway.refuse(*refusal("login_refused", "password"))
    form = await fill_in(hass, form, {"password": "wrong"})
    assert form["errors"] == {"password": "login_refused"}
    gateway.fault = None
    done = await fill_in(hass, form, {"password": "right"})
    assert (done["type"], done["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    sent = gateway.find("PATCH", f"vendor-accounts/{ACCOUNT_ID}")
    assert sent is not None
    assert sent.body == {"password": "right"}


async def test_a_bridge_is_added_from_what_the_gateway_sees(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    gateway.setup_routes.found = [found_bridge(), found_bridge(host="192.168.1.50", name="Shed", added=True)]
    form = await begin(hass, loaded, Kind.BRIDGE)
    assert (form["step_id"], form["data_schema"] is not None) == ("user", True)
    form = await fill_in(hass, form, {"bridge": FOUND})
    assert form["step_id"] == "found"
    told = {"name": "mowdeck-bridge-9f31", "host": "192.168.1.51", "mac": "AA:BB:CC:00:11:33", "version": "2026.10.0"}
    assert form["description_placeholders"] == {"detail": "", **told}
    for answer, errors in BRIDGE_REFUSALS:
        gateway.refuse(*answer)
        form = await fill_in(hass, form, {})
        assert form["errors"] == errors
    gateway.fault = None
    done = await fill_in(hass, form, {"key": f" {KEY}\n", "name": "Barn"})
    assert (done["type"], done["title"]) == (FlowResultType.CREATE_ENTRY, "Barn")
    sent = gateway.find("POST", "bridges")
    assert sent is not None
    assert sent.body == {"host": "192.168.1.51", "port": 6053, "key": KEY, "name": "Barn"}
    await until(hass, lambda: hass.states.get("binary_sensor.barn_connection") is not None)
    assert set(mirrors(loaded, Kind.BRIDGE)) == {BRIDGE_ID, "bridge-2"}
    assert KEY not in str(loaded.as_dict())


async def test_a_bridge_that_the_gateway_does_not_see_is_added_by_its_address(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    for found in ([found_bridge()], None, []):
        gateway.setup_routes.found = found
        form = await begin(hass, loaded, Kind.BRIDGE)
        if found:
            form = await fill_in(hass, form, {"bridge": "by_address"})
        assert form["step_id"] == "address"
    gateway.refuse(*refusal("bridge_unreachable", "host"))
    form = await fill_in(hass, form, {"host": "shed.local", "port": 6053})
    assert form["errors"] == {"host": "bridge_unreachable"}
    gateway.fault = None
    done = await fill_in(hass, form, {"host": "shed.local", "port": 6053})
    assert (done["type"], done["title"]) == (FlowResultType.CREATE_ENTRY, "mowdeck-bridge-9f31")
    sent = gateway.find("POST", "bridges")
    assert sent is not None
    assert sent.body == {"host": "shed.local", "port": 6053}


async def test_a_bridge_is_given_another_address_key_and_board(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    form = await begin(hass, loaded, Kind.BRIDGE, mirror(loaded, Kind.BRIDGE, BRIDGE_ID))
    assert form["description_placeholders"] == {"detail": "", "name": "Shed", "mac": "AA:BB:CC:00:11:22"}
    given = {"name": "Barn", "host": "192.168.1.60", "port": 6053, "replaced": True}
    gateway.refuse(*refusal("bridge_key_wrong", "key"))
    form = await fill_in(hass, form, given)
    assert form["errors"] == {"key": "bridge_key_wrong"}
    gateway.fault = None
    done = await fill_in(hass, form, given | {"key": KEY})
    assert (done["type"], done["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    sent = gateway.find("PATCH", f"bridges/{BRIDGE_ID}")
    assert sent is not None
    assert sent.body == {"name": "Barn", "host": "192.168.1.60", "port": 6053, "key": KEY, "expected_mac": None}
    assert mirror(loaded, Kind.BRIDGE, BRIDGE_ID).title == "Barn"


async def test_a_group_is_made_and_changed(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    given = {"name": "All", "mowers": [documents.MOWER_ID], "max_concurrent": 1}
    form = await begin(hass, loaded, Kind.GROUP)
    gateway.refuse(*refusal("invalid", "mower_ids"))
    form = await fill_in(hass, form, given)
    assert form["errors"] == {"mowers": "refused"}
    gateway.fault = None
    done = await fill_in(hass, form, given)
    assert (done["type"], done["title"]) == (FlowResultType.CREATE_ENTRY, "All")
    sent = gateway.find("POST", "groups")
    assert sent is not None
    assert sent.body == {"name": "All", "mower_ids": [documents.MOWER_ID], "max_concurrent": 1}
    await until(hass, lambda: hass.states.get("calendar.all_plan") is not None)

    form = await begin(hass, loaded, Kind.GROUP, mirror(loaded, Kind.GROUP, "group-2"))
    assert form["description_placeholders"] == {"detail": "", "name": "All"}
    gateway.refuse(*refusal("invalid", "name"))
    changed = {"name": "Lawns", "mowers": [documents.MOWER_ID]}
    form = await fill_in(hass, form, changed)
    assert form["errors"] == {"name": "refused"}
    gateway.fault = None
    assert (await fill_in(hass, form, changed))["reason"] == "reconfigure_successful"
    sent = gateway.find("PATCH", "groups/group-2")
    assert sent is not None
    assert sent.body == {"name": "Lawns", "mower_ids": [documents.MOWER_ID], "max_concurrent": None}
    assert mirror(loaded, Kind.GROUP, "group-2").title == "Lawns"


async def test_without_a_gateway_or_a_mower_there_is_nothing_to_set_up(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    gateway.groups[GROUP_ID] = group()
    await gateway.events.tell(group=gateway.groups[GROUP_ID])
    await until_so(lambda: GROUP_ID in mirrors(loaded, Kind.GROUP))
    gateway.setup_routes.found = [found_bridge()]
    at_the_bridge = await begin(hass, loaded, Kind.BRIDGE)
    kept = {kind: next(iter(mirrors(loaded, kind).values())) for kind in Kind}
    await gateway.remove_mower()
    await until_so(lambda: not loaded.runtime_data.mowers.views)
    assert (await begin(hass, loaded, Kind.GROUP))["reason"] == "no_mowers"
    # What is lost on the way is said; what was lost before has no form.
    form = await fill_in(hass, at_the_bridge, {"bridge": FOUND})
    await gateway.stop()
    assert (await fill_in(hass, form, {}))["errors"] == {"base": "cannot_connect"}
    loaded.runtime_data.connected = False
    assert (await fill_in(hass, form, {}))["reason"] == "not_connected"
    for kind in Kind:
        for of in (None, kept[kind]):
            result = await begin(hass, loaded, kind, of)
            assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "not_connected")
    assert await hass.config_entries.async_unload(loaded.entry_id)
    assert (await begin(hass, loaded, Kind.BRIDGE))["reason"] == "not_connected"
