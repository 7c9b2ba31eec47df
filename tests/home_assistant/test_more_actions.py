"""Actions on mowers and on schedules that stand: what they ask, what they answer, whom they refuse."""

from pathlib import Path
from typing import Any

import probatio
import pytest
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError, Unauthorized
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.mowdeck.const import DOMAIN
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until_state

pytestmark = pytest.mark.usefixtures("loaded")

MOWER = "lawn_mower.front_lawn"
SCHEDULE = "switch.weekday_mornings_enabled"
MOWER_PATH = f"mowers/{documents.MOWER_ID}"
SCHEDULE_PATH = f"schedules/{documents.SCHEDULE_ID}"


async def act(
    hass: HomeAssistant,
    action: str,
    entity_id: str | list[str],
    *,
    answer: bool = False,
    context: Context | None = None,
    **data: Any,  # noqa: ANN401  # JSON
) -> Any:  # noqa: ANN401  # any JSON
    """Call an action of ours on an entity, or on some."""
    return await hass.services.async_call(
        DOMAIN,
        action,
        data,
        blocking=True,
        target={ATTR_ENTITY_ID: entity_id},
        context=context,
        return_response=answer,
    )


async def test_a_mower_is_started_with_areas(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await act(hass, "start", MOWER, area_ids=["front"], mode="new")
    request = await gateway.wait_for_request("POST", f"{MOWER_PATH}/commands")
    assert request.body == {"kind": "start_mow", "mode": "new", "area_ids": ["front"]}


async def test_a_start_of_a_mower_that_is_not_reached_is_recorded_and_raised(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    await gateway.put_mower(available=False, unavailable_reason="link_lost")
    await until_state(hass, MOWER, "unavailable")
    gateway.outcome = {"status": "failed", "reason": "unavailable"}
    with pytest.raises(HomeAssistantError) as raised:
        await act(hass, "start", MOWER)
    assert raised.value.translation_key == "order_unavailable"
    assert gateway.find("POST", f"{MOWER_PATH}/commands") is not None


async def test_a_mower_is_held_and_released(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await hass.config.async_set_time_zone("Europe/Amsterdam")
    await act(hass, "hold_mowing", MOWER, until="2099-05-01 12:00:00")
    request = await gateway.wait_for_request("PUT", f"{MOWER_PATH}/hold")
    assert request.body == {"until": "2099-05-01T10:00:00+00:00"}
    await act(hass, "release_mowing", MOWER)
    assert gateway.find("DELETE", f"{MOWER_PATH}/hold") is not None


async def test_blades_are_reset(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await act(hass, "reset_blade", MOWER)
    assert gateway.find("POST", f"{MOWER_PATH}/blades/reset") is not None
    await until_state(hass, "sensor.front_lawn_blade_life_left", "100.0")


async def test_the_rain_verdict_is_answered(hass: HomeAssistant) -> None:
    answer = await act(hass, "get_rain_verdict", MOWER, answer=True)
    verdict = answer["mowers"][0]
    assert (verdict["mower"], verdict["hold"], verdict["reason"]) == ("Front lawn", True, "rain_expected")
    assert verdict["until"] == "2026-05-01T12:00:00+00:00"


async def test_the_past_is_written_into_a_file(hass: HomeAssistant, gateway: EmulatedGateway, tmp_path: Path) -> None:
    hass.config.config_dir = str(tmp_path)
    answer = await act(hass, "export_history", MOWER, answer=True, what="history")
    path = Path(answer["files"][0])
    assert path.is_relative_to(tmp_path)
    assert path.read_text() == "observed_at,activity\n"
    assert gateway.mower_routes.exported == [{"what": "history", "mower_id": documents.MOWER_ID, "format": "csv"}]
    gateway.mowers.clear()
    with pytest.raises(ServiceValidationError) as refused:
        await act(hass, "export_history", MOWER, answer=True, what="days")
    assert refused.value.translation_key == "refused_not_found"
    gateway.token = documents.OTHER_TOKEN
    with pytest.raises(HomeAssistantError) as raised:
        await act(hass, "export_history", MOWER, answer=True, what="days")
    assert raised.value.translation_key == "invalid_auth"
    await gateway.stop()
    with pytest.raises(HomeAssistantError) as raised:
        await act(hass, "export_history", MOWER, answer=True, what="days")
    assert raised.value.translation_key == "cannot_connect"


async def test_an_export_is_for_administrators(hass: HomeAssistant, hass_read_only_user: MockUser) -> None:
    with pytest.raises(Unauthorized):
        await act(
            hass, "export_history", MOWER, answer=True, what="history", context=Context(user_id=hass_read_only_user.id)
        )


@pytest.mark.parametrize("action", ["start", "release_mowing", "reset_blade"])
async def test_who_may_not_control_a_mower_may_not_act_on_it(
    hass: HomeAssistant, gateway: EmulatedGateway, hass_read_only_user: MockUser, action: str
) -> None:
    with pytest.raises(Unauthorized):
        await act(hass, action, MOWER, context=Context(user_id=hass_read_only_user.id))
    assert gateway.requests == []


async def test_a_target_without_a_mower_is_an_error(hass: HomeAssistant) -> None:
    with pytest.raises(ServiceValidationError) as raised:
        await act(hass, "start", SCHEDULE)
    assert raised.value.translation_key == "no_mower"


async def test_a_schedule_is_changed(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    given: dict[str, Any] = {
        "days": ["sun", "sat"],
        "at": "10:30",
        "duration_minutes": 45,
        "rain_enabled": False,
        "name": "Weekends",
    }
    await act(hass, "update_schedule", SCHEDULE, **given)
    assert (await gateway.wait_for_request("PATCH", SCHEDULE_PATH)).body == {
        "name": "Weekends",
        "duration_minutes": 45,
        "rain": {"enabled": False},
        "recurrence": {"kind": "weekly", "days": ["sat", "sun"], "at": "10:30"},
    }


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"days": ["sat"]}, {"kind": "weekly", "days": ["sat"], "at": "09:00"}),
        ({"at": "07:15"}, {"kind": "weekly", "days": ["mon", "wed", "fri"], "at": "07:15"}),
        (
            {"interval_days": 3, "first_day": "2026-05-02", "at": "07:15"},
            {"kind": "every_n_days", "interval": 3, "anchor": "2026-05-02", "at": "07:15"},
        ),
        ({"day": "2026-05-09"}, {"kind": "once", "day": "2026-05-09", "at": "09:00"}),
    ],
)
async def test_a_rule_is_changed_and_what_is_not_named_of_it_stays(
    hass: HomeAssistant, gateway: EmulatedGateway, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    await act(hass, "update_schedule", SCHEDULE, **given)
    assert (await gateway.wait_for_request("PATCH", SCHEDULE_PATH)).body == {"recurrence": expected}


async def test_a_rule_that_is_none_is_refused(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    with pytest.raises(ServiceValidationError) as raised:
        await act(hass, "update_schedule", SCHEDULE, days=["sat"], interval_days=3)
    assert raised.value.translation_key == "one_rule"
    with pytest.raises(ServiceValidationError) as raised:
        await act(hass, "update_schedule", SCHEDULE, first_day="2026-05-02")
    assert raised.value.translation_key == "rule_and_start"
    with pytest.raises(probatio.MultipleInvalid):
        await act(hass, "update_schedule", SCHEDULE, duration_minutes=0)
    assert gateway.requests == []


async def test_the_span_of_a_schedule_is_changed(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await act(hass, "update_schedule", SCHEDULE, starts_on="2026-05-01", ends_on="2026-09-30")
    body = (await gateway.wait_for_request("PATCH", SCHEDULE_PATH)).body
    assert body == {"starts_on": "2026-05-01", "ends_on": "2026-09-30"}


async def test_a_start_with_settings_of_the_maker(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await act(hass, "start", MOWER, pattern={"angle": 45})
    body = (await gateway.wait_for_request("POST", f"{MOWER_PATH}/commands")).body
    assert body == {"kind": "start_mow", "mode": "auto", "pattern": {"angle": 45}}


async def test_areas_are_answered(hass: HomeAssistant) -> None:
    answer = await act(hass, "get_areas", "sensor.front_lawn_battery", answer=True)
    assert answer["mowers"][0]["mower"] == "Front lawn"
    assert answer["mowers"][0]["areas"][0].keys() == {"id", "name", "enabled", "size_m2"}
    assert answer["mowers"][0]["areas"][0]["id"] == "front"


async def test_the_next_run_is_skipped_by_an_action(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await act(hass, "skip_next_run", SCHEDULE)
    await until_state(hass, "switch.weekday_mornings_skip_next_run", "on")
    await act(hass, "skip_next_run", SCHEDULE, skip=False)
    await until_state(hass, "switch.weekday_mornings_skip_next_run", "off")
    await gateway.put_schedule(next_run_at=None)
    await until_state(hass, "sensor.weekday_mornings_next_run", "unknown")
    with pytest.raises(ServiceValidationError) as raised:
        await act(hass, "skip_next_run", SCHEDULE)
    assert raised.value.translation_key == "no_next_run"


async def test_a_preview_is_answered(hass: HomeAssistant) -> None:
    answer = await act(hass, "preview_schedule", SCHEDULE, answer=True)
    schedule = answer["schedules"][0]
    assert (schedule["schedule"], schedule["time_zone"]) == ("Weekday mornings", "Europe/Amsterdam")
    assert schedule["runs"][0]["due_at"] == "2026-05-04T07:00:00+00:00"
    assert schedule["runs"][0]["mowers"][0]["reason"] == "rain_expected"


async def test_runs_are_answered(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.runs = [documents.run(id=f"run-{number}") for number in range(5)]
    gateway.runs_per_page = 2
    answer = await act(hass, "get_runs", SCHEDULE, answer=True, limit=3)
    assert [run["id"] for run in answer["runs"]] == ["run-0", "run-1", "run-2"]
    assert answer["runs"][0]["reason"] == "rain_expected"
    answer = await act(hass, "get_runs", SCHEDULE, answer=True)
    assert len(answer["runs"]) == 5


async def test_runs_of_a_mower_are_answered_once_each_whoever_planned_them(
    hass: HomeAssistant, gateway: EmulatedGateway, hass_read_only_user: MockUser
) -> None:
    gateway.runs = [documents.run(id="run-0", schedule_id="deleted since"), documents.run(id="run-1")]
    context = Context(user_id=hass_read_only_user.id)
    answer = await act(hass, "get_runs", MOWER, answer=True, context=context)
    assert [run["id"] for run in answer["runs"]] == ["run-0", "run-1"]
    answer = await act(hass, "get_runs", [MOWER, SCHEDULE], answer=True)
    assert sorted(run["id"] for run in answer["runs"]) == ["run-0", "run-1"]


async def test_runs_are_of_a_mower_or_a_schedule_that_one_may_see(hass: HomeAssistant) -> None:
    with pytest.raises(ServiceValidationError) as raised:
        await act(hass, "get_runs", "sun.sun", answer=True)
    assert raised.value.translation_key == "no_schedule_or_mower"
    nobody = MockUser(groups=[]).add_to_hass(hass)
    with pytest.raises(Unauthorized):
        await act(hass, "get_runs", MOWER, answer=True, context=Context(user_id=nobody.id))
