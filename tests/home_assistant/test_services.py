"""Our actions: what they ask of the gateway, what they answer, and whom they refuse."""

from typing import Any

import probatio
import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import Group
from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
from homeassistant.auth.permissions.types import PolicyType
from homeassistant.const import ATTR_AREA_ID, ATTR_DEVICE_ID, ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant, ServiceResponse
from homeassistant.exceptions import ServiceValidationError, Unauthorized, UnknownUser
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mowdeck.const import DOMAIN
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import state_of, until_state

pytestmark = pytest.mark.usefixtures("loaded")

MOWER = "lawn_mower.front_lawn"
ENABLED = "switch.weekday_mornings_enabled"
SCHEDULE = f"schedules/{documents.SCHEDULE_ID}"
EVENINGS = {"name": "Evenings", "days": ["sun", "mon"], "at": "18:30", "duration_minutes": 90}


async def create(
    hass: HomeAssistant, data: dict[str, Any], target: dict[str, Any] | None = None, context: Context | None = None
) -> ServiceResponse:
    return await hass.services.async_call(
        DOMAIN,
        "create_schedule",
        data,
        blocking=True,
        target=target or {ATTR_ENTITY_ID: MOWER},
        context=context,
        return_response=True,
    )


async def act(hass: HomeAssistant, service: str, target: dict[str, Any], context: Context | None = None) -> None:
    await hass.services.async_call(DOMAIN, service, {}, blocking=True, target=target, context=context)


async def test_a_schedule_is_created_and_answered(
    hass: HomeAssistant, gateway: EmulatedGateway, device_registry: dr.DeviceRegistry
) -> None:
    response = await create(hass, EVENINGS)
    request = await gateway.wait_for_request("POST", "schedules")
    assert request.body == {
        "name": "Evenings",
        "target": {"mower_id": documents.MOWER_ID},
        "recurrence": {"kind": "weekly", "days": ["mon", "sun"], "at": "18:30"},
        "duration_minutes": 90,
        "enabled": True,
    }
    assert request.headers["Idempotency-Key"]
    assert response is not None
    schedule, device_id = response["schedule"], response["device_id"]
    assert isinstance(schedule, dict)
    assert (schedule["id"], schedule["name"], schedule["duration_minutes"]) == ("schedule-1", "Evenings", 90)
    assert schedule["recurrence"] == {"kind": "weekly", "days": ["mon", "sun"], "at": "18:30"}
    assert isinstance(device_id, str)
    device = device_registry.async_get(device_id)
    assert device is not None
    assert device.name == "Evenings"
    await until_state(hass, "switch.evenings_enabled", "on")


async def test_everything_that_can_be_given_is_passed_on(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await create(
        hass,
        EVENINGS
        | {"at": "18:30:00", "duration_minutes": 90.0, "days": "fri"}
        | {"area_ids": ["front"], "rain_enabled": False, "enabled": False},
    )
    body = (await gateway.wait_for_request("POST", "schedules")).body
    assert body["recurrence"] == {"kind": "weekly", "days": ["fri"], "at": "18:30"}
    assert (body["duration_minutes"], body["area_ids"]) == (90, ["front"])
    assert (body["rain"], body["enabled"]) == ({"enabled": False}, False)
    await until_state(hass, "switch.evenings_enabled", "off")


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"days": []},
        {"days": ["someday"]},
        {"days": ["mon", "mon"]},
        {"at": "25:00"},
        {"at": "18:30:15"},
        {"duration_minutes": 0},
        {"duration_minutes": 1441},
        {"duration_minutes": 90.5},
        {"area_ids": []},
        {"interval_days": 0},
        {"colour": "green"},
    ],
)
async def test_what_is_wrong_is_refused_before_the_gateway_is_asked(
    hass: HomeAssistant, gateway: EmulatedGateway, changes: dict[str, Any]
) -> None:
    with pytest.raises(probatio.MultipleInvalid):
        await create(hass, EVENINGS | changes)
    assert gateway.requests == []


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            {"interval_days": 3, "first_day": "2026-05-02"},
            {"kind": "every_n_days", "interval": 3, "anchor": "2026-05-02", "at": "18:30"},
        ),
        ({"day": "2026-05-09"}, {"kind": "once", "day": "2026-05-09", "at": "18:30"}),
    ],
)
async def test_a_schedule_need_not_be_weekly(
    hass: HomeAssistant, gateway: EmulatedGateway, rule: dict[str, Any], expected: dict[str, Any]
) -> None:
    without_days = {name: value for name, value in EVENINGS.items() if name != "days"}
    await create(hass, without_days | rule | {"starts_on": "2026-05-01", "ends_on": "2026-06-01"})
    body = (await gateway.wait_for_request("POST", "schedules")).body
    assert body["recurrence"] == expected
    assert (body["starts_on"], body["ends_on"]) == ("2026-05-01", "2026-06-01")


async def test_an_interval_counts_from_today_at_the_site(
    hass: HomeAssistant, gateway: EmulatedGateway, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to("2026-05-01T22:30:00Z")
    await create(hass, {"name": "n", "interval_days": 2, "at": "06:00", "duration_minutes": 60})
    body = (await gateway.wait_for_request("POST", "schedules")).body
    # In Amsterdam it is the next day already.
    assert body["recurrence"]["anchor"] == "2026-05-02"


async def test_a_schedule_without_any_day_is_refused(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    with pytest.raises(ServiceValidationError) as raised:
        await create(hass, {"name": "n", "at": "06:00", "duration_minutes": 60})
    assert raised.value.translation_key == "rule_and_start"
    assert gateway.requests == []


async def test_a_refusal_of_the_gateway_names_the_field(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.refuse(422, documents.error("invalid", "There is no such area.", field="area_ids[0]"))
    with pytest.raises(ServiceValidationError) as raised:
        await create(hass, EVENINGS | {"area_ids": ["nowhere"]})
    assert raised.value.translation_key == "refused_field_area_ids"
    assert raised.value.translation_placeholders == {"detail": "There is no such area.", "field": "area_ids[0]"}


async def test_a_mower_that_is_not_reached_gets_a_schedule_too(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_mower(available=False, unavailable_reason="link_lost")
    await until_state(hass, MOWER, "unavailable")
    await create(hass, EVENINGS)
    assert gateway.find("POST", "schedules") is not None


async def test_a_schedule_is_for_exactly_one_mower(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await gateway.put_mower("second", name="Back lawn")
    await until_state(hass, "lawn_mower.back_lawn", "docked")
    for target, count in (
        ([MOWER, "lawn_mower.back_lawn"], "2"),
        (["sun.sun"], "0"),
        ([ENABLED], "0"),
    ):
        with pytest.raises(ServiceValidationError) as raised:
            await create(hass, EVENINGS, {ATTR_ENTITY_ID: target})
        assert raised.value.translation_placeholders == {"count": count}


async def test_a_mower_is_found_by_its_area(
    hass: HomeAssistant,
    gateway: EmulatedGateway,
    loaded: MowDeckConfigEntry,
    device_registry: dr.DeviceRegistry,
    area_registry: ar.AreaRegistry,
) -> None:
    device = device_registry.async_get_device_by_identifier((DOMAIN, documents.MOWER_ID), loaded.entry_id)
    assert device is not None
    garden = area_registry.async_create("Garden")
    device_registry.async_update_device(device.id, area_id=garden.id)
    await create(hass, EVENINGS, {ATTR_AREA_ID: garden.id})
    body = (await gateway.wait_for_request("POST", "schedules")).body
    assert body["target"] == {"mower_id": documents.MOWER_ID}


async def test_a_schedule_is_deleted_by_its_entity(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await act(hass, "delete_schedule", {ATTR_ENTITY_ID: ENABLED})
    assert gateway.find("DELETE", SCHEDULE) is not None
    await until_state(hass, ENABLED, None)


async def test_a_schedule_is_run_by_its_device(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    device = loaded.runtime_data.devices.find(documents.SCHEDULE_ID)
    assert device is not None
    await act(hass, "run_schedule", {ATTR_DEVICE_ID: device.id}, Context(parent_id="what triggered it"))
    request = await gateway.wait_for_request("POST", f"{SCHEDULE}/run-now")
    assert request.headers["Idempotency-Key"]
    assert request.headers["X-MowDeck-Origin"] == "automation"


async def test_a_target_without_a_schedule_is_an_error(hass: HomeAssistant) -> None:
    with pytest.raises(ServiceValidationError) as raised:
        await act(hass, "run_schedule", {ATTR_ENTITY_ID: MOWER})
    assert raised.value.translation_key == "no_schedule"


async def test_nothing_is_found_while_the_entry_is_not_loaded(hass: HomeAssistant, loaded: MowDeckConfigEntry) -> None:
    assert await hass.config_entries.async_unload(loaded.entry_id)
    with pytest.raises(ServiceValidationError):
        await act(hass, "run_schedule", {ATTR_ENTITY_ID: ENABLED})


def person(hass: HomeAssistant, *policies: str) -> Context:
    """Return the context of a person who may do this with the mower and its plan, and everything with the rest."""
    rights: dict[str, bool] = dict.fromkeys(policies, True)
    of_the_mower = {MOWER: rights, "calendar.front_lawn_plan": rights}
    policy: PolicyType = {"entities": {"domains": {"switch": True, "sensor": True}, "entity_ids": of_the_mower}}
    group = Group(name="Neighbours", policy=policy)
    user = MockUser(groups=[group]).add_to_hass(hass)
    return Context(user_id=user.id)


async def test_who_may_control_the_mower_may_plan_for_it(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    context = person(hass, POLICY_READ, POLICY_CONTROL)
    await create(hass, EVENINGS, context=context)
    assert (await gateway.wait_for_request("POST", "schedules")).headers["X-MowDeck-Origin"] == "dashboard"
    await act(hass, "run_schedule", {ATTR_ENTITY_ID: ENABLED}, context)
    await act(hass, "delete_schedule", {ATTR_ENTITY_ID: ENABLED}, context)


async def test_who_may_not_control_the_mower_may_not_plan_for_it(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    context = person(hass, POLICY_READ)
    with pytest.raises(Unauthorized):
        await create(hass, EVENINGS, context=context)
    for service in ("run_schedule", "delete_schedule"):
        with pytest.raises(Unauthorized):
            await act(hass, service, {ATTR_ENTITY_ID: ENABLED}, context)
    assert gateway.requests == []
    assert state_of(hass, ENABLED) == "on"


async def test_a_schedule_of_no_single_mower_is_for_administrators(
    hass: HomeAssistant, gateway: EmulatedGateway, hass_admin_user: MockUser
) -> None:
    await gateway.put_schedule("of-a-group", name="All", target={"group_id": "all"})
    await until_state(hass, "switch.all_enabled", "on")
    target = {ATTR_ENTITY_ID: "switch.all_enabled"}
    with pytest.raises(Unauthorized):
        await act(hass, "run_schedule", target, person(hass, POLICY_READ, POLICY_CONTROL))
    await act(hass, "run_schedule", target, Context(user_id=hass_admin_user.id))
    assert gateway.find("POST", "schedules/of-a-group/run-now") is not None


async def test_somebody_who_is_not_known_is_refused(hass: HomeAssistant) -> None:
    with pytest.raises(UnknownUser):
        await create(hass, EVENINGS, context=Context(user_id="nobody"))
