"""Settings of a site: quiet hours, the switches of the rain rule, where its forecasts come from."""

from typing import Any

import pytest
from homeassistant.const import ATTR_ENTITY_ID, Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er

from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until_state

SITE = "sites/home"
QUIET = "switch.home_quiet_hours"
BEGIN = "time.home_quiet_hours_begin"
BEGIN_BY = "select.home_quiet_hours_begin_by"
NIGHT = {
    "begin": {"at": "21:30", "sun": "sunset", "offset_minutes": -15},
    "end": {"at": "07:00", "sun": None, "offset_minutes": 0},
}


async def act(hass: HomeAssistant, domain: Platform, action: str, entity_id: str, **data: Any) -> None:  # noqa: ANN401
    await hass.services.async_call(domain, action, {ATTR_ENTITY_ID: entity_id} | data, blocking=True)


async def last_change(gateway: EmulatedGateway) -> Any:  # noqa: ANN401  # JSON
    """Return what was asked last."""
    return (await gateway.wait_for_request("PATCH", SITE)).body


@pytest.mark.usefixtures("everything_enabled", "loaded")
async def test_quiet_hours_are_shown_and_unknown_without_any(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await until_state(hass, QUIET, "off")
    await until_state(hass, BEGIN, "unknown")
    await until_state(hass, BEGIN_BY, "unknown")
    await gateway.events.tell(site=documents.site(quiet_hours=NIGHT))
    await until_state(hass, QUIET, "on")
    await until_state(hass, BEGIN, "21:30:00")
    await until_state(hass, BEGIN_BY, "sunset")
    await until_state(hass, "number.home_quiet_hours_begin_after_the_sun", "-15")
    await until_state(hass, "time.home_quiet_hours_end", "07:00:00")
    await until_state(hass, "select.home_quiet_hours_end_by", "clock")


@pytest.mark.usefixtures("loaded")
async def test_quiet_hours_that_come_back_are_those_of_before(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await act(hass, Platform.SWITCH, "turn_on", QUIET)
    usual = {"at": "20:00", "sun": None, "offset_minutes": 0}
    assert await last_change(gateway) == {"quiet_hours": {"begin": usual, "end": usual | {"at": "08:00"}}}
    await gateway.events.tell(site=documents.site(quiet_hours=NIGHT))
    await until_state(hass, BEGIN, "21:30:00")
    await act(hass, Platform.SWITCH, "turn_off", QUIET)
    assert await last_change(gateway) == {"quiet_hours": None}
    await until_state(hass, QUIET, "off")
    await act(hass, Platform.SWITCH, "turn_on", QUIET)
    assert await last_change(gateway) == {"quiet_hours": NIGHT}


@pytest.mark.usefixtures("everything_enabled", "loaded")
async def test_quiet_hours_are_moved(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    await act(hass, Platform.TIME, "set_value", BEGIN, time="22:15:00")
    assert (await last_change(gateway))["quiet_hours"]["begin"]["at"] == "22:15"
    await until_state(hass, BEGIN, "22:15:00")
    await act(hass, Platform.SELECT, "select_option", BEGIN_BY, option="sunset")
    await until_state(hass, BEGIN_BY, "sunset")
    offset = "number.home_quiet_hours_begin_after_the_sun"
    await act(hass, Platform.NUMBER, "set_value", offset, value=30)
    begin = {"at": "22:15", "sun": "sunset", "offset_minutes": 30}
    assert (await last_change(gateway))["quiet_hours"]["begin"] == begin
    await act(hass, Platform.SELECT, "select_option", BEGIN_BY, option="clock")
    assert (await last_change(gateway))["quiet_hours"]["begin"]["sun"] is None
    await act(hass, Platform.TIME, "set_value", "time.home_quiet_hours_end", time="06:00:00")
    assert (await last_change(gateway))["quiet_hours"]["end"]["at"] == "06:00"


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    ("name", "setting", "state"),
    [
        ("rain_rule", "enabled", "on"),
        ("mow_without_a_forecast", "run_when_unknown", "on"),
        ("come_home_when_it_rains", "pause_running_jobs_on_rain", "on"),
        ("go_on_when_it_is_dry", "resume_when_dry", "off"),
    ],
)
async def test_the_switches_of_the_rain_rule(
    hass: HomeAssistant, gateway: EmulatedGateway, name: str, setting: str, state: str
) -> None:
    entity_id = f"switch.home_{name}"
    await until_state(hass, entity_id, state)
    await act(hass, Platform.SWITCH, "toggle", entity_id)
    assert await last_change(gateway) == {"rain": {setting: state == "off"}}


@pytest.mark.usefixtures("loaded")
async def test_who_may_not_change_a_site_is_told_of_the_site(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    gateway.refuse(403, documents.error("forbidden", "user:uwe may not do this."))
    with pytest.raises(ServiceValidationError) as refused:
        await act(hass, Platform.SWITCH, "toggle", "switch.home_rain_rule")
    assert refused.value.translation_key == "not_allowed_site"


@pytest.mark.usefixtures("loaded")
async def test_the_source_of_the_weather(hass: HomeAssistant, gateway: EmulatedGateway) -> None:
    source = "select.home_weather_source"
    await until_state(hass, source, "gateway")
    await act(hass, Platform.SELECT, "select_option", source, option="open_meteo")
    assert await last_change(gateway) == {"weather_source": "open_meteo"}
    await until_state(hass, source, "open_meteo")
    await act(hass, Platform.SELECT, "select_option", source, option="gateway")
    assert await last_change(gateway) == {"weather_source": None}
    await gateway.events.tell(site=documents.site(weather_source="of_tomorrow"))
    await until_state(hass, source, "unknown")


@pytest.mark.usefixtures("loaded")
async def test_what_few_want_is_off_at_first(entity_registry: er.EntityRegistry) -> None:
    for entity_id in (BEGIN_BY, "number.home_quiet_hours_end_after_the_sun", "sensor.weekday_mornings_last_run"):
        entry = entity_registry.async_get(entity_id)
        assert entry is not None
        assert entry.disabled_by is er.RegistryEntryDisabler.INTEGRATION
