"""Three people: an administrator, a user, and one who only looks. The gateway is told, and each acts for themselves."""

from datetime import timedelta
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.translation import async_get_translations
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockUser, async_fire_time_changed
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator, WebSocketGenerator

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from custom_components.mowdeck.introduction import AGAIN_SECONDS
from tests.emulators.gateway import documents
from tests.emulators.gateway.documents import MOWER_ID, SCHEDULE_ID
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.household import MOWER, Household, principal
from tests.home_assistant.waiting import until_so

COMMANDS = f"mowers/{MOWER_ID}/commands"
SCHEDULE = f"schedules/{SCHEDULE_ID}"
PLAN = "calendar.front_lawn_plan"
EVERYTHING = ["can_view", "can_control", "can_edit_schedule", "can_manage_mowers"]


@pytest.fixture
async def household(hass: HomeAssistant, gateway: EmulatedGateway, entry: MowDeckConfigEntry) -> Household:
    """Return a house with its people, made known to the gateway."""
    household = Household(hass, gateway)
    await household.move_in()
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    await household.until_told()
    await until_so(lambda: entry.runtime_data.client.people.owner is not None)
    return household


def grants_of(told: dict[str, Any], who: User) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in grant.items() if name != "principal"}
        for grant in told["grants"]
        if grant["principal"] == principal(who)
    ]


async def test_the_gateway_is_told_who_may_do_what(hass: HomeAssistant, household: Household) -> None:
    told = await household.until_told()
    people = (household.owner, household.admin, household.user, household.reader)
    assert told["owner"] == principal(household.owner)
    names = {user["id"]: user["name"] for user in told["users"]}
    assert {principal(who): who.name for who in people}.items() <= names.items()
    for who in (household.owner, household.admin):
        assert grants_of(told, who) == [{"relations": EVERYTHING, "account": True}]
    assert grants_of(told, household.user) == [{"relations": EVERYTHING[:3], "mower_ids": [MOWER_ID]}]
    assert grants_of(told, household.reader) == [{"relations": EVERYTHING[:1], "mower_ids": [MOWER_ID]}]
    # The first is the owner of the house.
    assert household.owner.is_owner

    # Several changes are told once; each set has a higher revision.
    before = len(household.gateway.people.sets)
    await hass.auth.async_update_user(household.reader, group_ids=[GROUP_ID_USER])
    await hass.auth.async_update_user(household.user, is_active=False)
    newest = await household.until_told(lambda told: not grants_of(told, household.user))
    assert grants_of(newest, household.reader) == [{"relations": EVERYTHING[:3], "mower_ids": [MOWER_ID]}]
    assert principal(household.user) not in {user["id"] for user in newest["users"]}
    assert len(household.gateway.people.sets) == before + 1
    assert newest["revision"] > told["revision"]

    # A mower that comes, comes with its rights.
    await household.gateway.put_mower("wren", name="Wren")
    both = await household.until_told(lambda told: len(grants_of(told, household.reader)[0]["mower_ids"]) == 2)
    assert grants_of(both, household.reader)[0]["mower_ids"] == sorted([MOWER_ID, "wren"])


async def test_each_acts_for_themselves(
    hass: HomeAssistant, household: Household, hass_ws_client: WebSocketGenerator
) -> None:
    people, last = household.gateway.people, household.last
    # The calendar's panel says only over its connection who it is for.
    planner = MockUser(name="Paul").add_to_hass(hass)
    planner.mock_policy({"entities": {"entity_ids": {PLAN: True}}})
    for who, refusal in (
        (household.reader, "Unauthorized"),
        # Whoever may control the calendar and not the mower is told by us.
        (planner, "You may not do this with this mower. An administrator can change what you may do"),
        (household.user, None),
    ):
        socket = await hass_ws_client(hass, await _token(hass, who))
        await socket.send_json_auto_id({"type": "calendar/event/delete", "entity_id": PLAN, "uid": SCHEDULE_ID})
        said = await socket.receive_json()
        assert (said["success"], said.get("error", {}).get("message")) == (refusal is None, refusal)
    found = household.gateway.find("DELETE", SCHEDULE)
    assert found is not None
    assert (found.headers["X-MowDeck-Principal"], found.headers["X-MowDeck-Origin"]) == (
        principal(household.user),
        "calendar",
    )

    for who in (household.admin, household.user):
        await household.start(who)
        assert last("POST", COMMANDS) == principal(who)
    # What nobody in particular does, the owner of the house does.
    await household.start(None, "dock", parent_id="an automation")
    assert last("POST", COMMANDS) == principal(household.owner)
    orders = len(household.gateway.requests)
    # Home Assistant itself asks before it calls an entity, and we before our own actions.
    for action in (
        household.start(household.reader),
        hass.services.async_call(
            DOMAIN, "start", {"entity_id": MOWER}, blocking=True, context=Context(user_id=household.reader.id)
        ),
        hass.services.async_call(
            DOMAIN,
            "create_schedule",
            {"entity_id": MOWER, "name": "Mine", "at": "09:00", "duration_minutes": 60},
            blocking=True,
            context=Context(user_id=household.reader.id),
        ),
    ):
        with pytest.raises(Unauthorized):
            await action
    with pytest.raises(Unauthorized):
        await hass.services.async_call(
            DOMAIN, "install_sentences", {}, blocking=True, context=Context(user_id=household.user.id)
        )
    assert len(household.gateway.requests) == orders
    # Who only looks may ask.
    answer = await hass.services.async_call(
        DOMAIN,
        "get_rain_verdict",
        {"entity_id": MOWER},
        blocking=True,
        return_response=True,
        context=Context(user_id=household.reader.id),
    )
    assert answer is not None
    assert answer["mowers"]

    # A right that the gateway does not see any more is refused in the language of whoever reads it.
    people.forbidden.add(principal(household.user))
    with pytest.raises(HomeAssistantError) as refused:
        await household.start(household.user)
    assert (refused.value.translation_domain, refused.value.translation_key) == (DOMAIN, "not_allowed")


async def test_somebody_whom_the_gateway_does_not_know_is_introduced_once(
    hass: HomeAssistant, household: Household, entry: MowDeckConfigEntry, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "custom_components.mowdeck")
    people = household.gateway.people
    people.forget()
    asked = people.asked
    await household.start(household.user)
    assert (people.asked, household.last("POST", COMMANDS)) == (asked + 1, principal(household.user))
    first, again = (each for each in household.gateway.requests if each.path == COMMANDS)
    assert first.headers["Idempotency-Key"] == again.headers["Idempotency-Key"]
    # Nobody whom Home Assistant does not know either.
    people.forget()
    people.fault = (503, documents.error("no_responder", "The Fleet does not answer."))
    with pytest.raises(HomeAssistantError):
        await household.start(household.user)
    # A gateway that cannot take it is asked again; one that refuses it goes on with what it knows, and that is said.
    asked = people.asked
    await hass.auth.async_update_user(household.reader, name="Roxana")
    await until_so(lambda: people.asked > asked)
    people.fault = None
    await until_so(lambda: "was not told who lives here" in caplog.text)
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=AGAIN_SECONDS + 1))
    await household.until_told(lambda told: "Roxana" in {user["name"] for user in told["users"]})
    people.fault = (422, documents.error("invalid", "There are too many of them.", field="users"))
    await hass.auth.async_update_user(household.reader, name="Ronja")
    await until_so(lambda: "There are too many of them." in caplog.text)
    assert entry.runtime_data.client.people.owner == household.owner.id
    people.fault = None

    # A gateway that knows of a later life than ours is told above that; one that comes back is told anew.
    people.revision = 2**52
    await hass.auth.async_update_user(household.reader, name="Rosalie")
    told = await household.until_told(lambda told: "Rosalie" in {user["name"] for user in told["users"]})
    assert told["revision"] == 2**52 + 1
    people.forget()
    sets = len(people.sets)
    await household.gateway.restart()
    await until_so(lambda: len(people.sets) > sets)

    # An older gateway knows nothing of people: everything is done in the name of its own owner.
    people.is_old = True
    await hass.auth.async_update_user(household.reader, name="Rosa")
    await until_so(lambda: entry.runtime_data.client.people.owner is None)
    await household.start(household.user)
    assert household.last("POST", COMMANDS) == "user:owner"


async def test_who_goes_leaves_a_repair(
    hass: HomeAssistant, household: Household, entry: MowDeckConfigEntry, hass_client: ClientSessionGenerator
) -> None:
    gateway, who = household.gateway, principal(household.user)
    await gateway.put_schedule(owner=who)
    await hass.auth.async_remove_user(household.user)
    told = await household.until_told(lambda told: who not in {user["id"] for user in told["users"]})
    assert await async_setup_component(hass, "repairs", {})
    client = await hass_client(await _token(hass, household.admin))
    issues, issue_id = ir.async_get(hass), f"{entry.entry_id}_owner_gone:{who}"
    for choice in ("reassign", "disable"):
        gateway.findings = [_left(who)]
        change = {"type": "identity.grants.changed", "payload": {"revision": told["revision"], "vanished": [who]}}
        await gateway.events.tell(event=change)
        await until_so(lambda: issues.async_get_issue(DOMAIN, issue_id) is not None)
        issue = issues.async_get_issue(DOMAIN, issue_id)
        assert issue is not None
        assert (issue.translation_key, issue.is_fixable) == ("finding_owner_gone", True)
        assert issue.translation_placeholders == {"person": "Uwe", "schedules": "Weekday mornings"}

        started = await client.post("/api/repairs/issues/fix", json={"handler": DOMAIN, "issue_id": issue_id})
        menu = await started.json()
        assert menu["menu_options"] == ["reassign", "disable"]
        gateway.findings = []
        done = await client.post(f"/api/repairs/issues/fix/{menu['flow_id']}", json={"next_step_id": choice})
        assert (await done.json())["type"] == "create_entry"
        request = gateway.find("PATCH", SCHEDULE)
        assert request is not None
        assert (request.body, request.headers["X-MowDeck-Principal"]) == (
            {"enabled": choice == "reassign"},
            principal(household.owner),
        )
        await until_so(lambda: issues.async_get_issue(DOMAIN, issue_id) is None)


@pytest.mark.parametrize("language", ["en", "de"])
async def test_what_is_said_of_rights_is_said_in_each_language(hass: HomeAssistant, language: str) -> None:
    said = await async_get_translations(hass, language, "exceptions", [DOMAIN])
    said |= await async_get_translations(hass, language, "issues", [DOMAIN])
    issue, refusal = f"component.{DOMAIN}.issues.finding_owner_gone", f"component.{DOMAIN}.exceptions"
    for key in (f"{issue}.title", f"{issue}.fix_flow.step.init.description"):
        assert "{person}" in said[key]
    assert said[f"{refusal}.not_allowed.message"].startswith({"en": "You may not", "de": "Das darfst du"}[language])
    assert said[f"{refusal}.unknown_person.message"]


async def _token(hass: HomeAssistant, who: User) -> str:
    """Return a token of somebody."""
    return hass.auth.async_create_access_token(
        await hass.auth.async_create_refresh_token(who, "http://localhost:8123/")
    )


def _left(who: str) -> dict[str, Any]:
    return {
        "id": f"owner_gone:{who}",
        "code": "owner_gone",
        "severity": "warning",
        "detail": "Uwe is not known any more; what they planned is skipped when it is due: Weekday mornings.",
        "remedy": "Reassign these schedules, by changing them as somebody who may, or disable them.",
        "mower_id": None,
        "bridge_id": None,
        "bridge_name": None,
        "service": None,
        "principal": who,
        "principal_name": "Uwe",
        "schedules": [{"id": SCHEDULE_ID, "name": "Weekday mornings"}],
        "began_at": "2026-05-01T06:00:00Z",
        "values": {},
    }
