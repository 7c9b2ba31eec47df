"""Diagnostics tell what is needed to help, and nothing that names or places anybody."""

import json

from homeassistant.core import HomeAssistant

from custom_components.mowdeck.diagnostics import async_get_config_entry_diagnostics
from custom_components.mowdeck.hub import MowDeckConfigEntry
from tests.emulators.gateway import documents
from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until_state


async def test_the_state_of_everything_is_told(
    hass: HomeAssistant, gateway: EmulatedGateway, loaded: MowDeckConfigEntry
) -> None:
    await gateway.put_mower(
        problem={"code": "stuck", "vendor_code": "1005"},
        job={"id": "job-1", "command_id": None, "started_at": None, "area_ids": [], "resumable": True},
    )
    await gateway.put_schedule(last_run=documents.run())
    await until_state(hass, "sensor.weekday_mornings_last_outcome", "skipped_rain")
    told = await async_get_config_entry_diagnostics(hass, loaded)
    assert told["gateway"]["connected"] is True
    assert told["sites"] == [{"time_zone_chosen": True, "has_coordinates": True}]
    assert told["mowers"][0]["problem"] == {"code": "stuck", "vendor_code": "1005"}
    assert told["mowers"][0]["job"] == {"resumable": True}
    assert told["schedules"][0]["last_run"]["reason"] == "rain_expected"
    assert told["logins"] == [{"provider": "mammotion", "status": "connected", "runs_here": True}]
    (of_the_bridge,) = told["bridges"]
    assert (of_the_bridge["status"], of_the_bridge["free_slots"]) == ("connected", 2)
    text = json.dumps(told)
    for private in (
        "Shed",
        "192.168",
        "AA:BB",
        "garden@example.org",
        gateway.token,
        "Front lawn",
        "SIM-0001",
        "52.1",
        "4.9",
        "Weekday mornings",
        "Amsterdam",
        "owner",
    ):
        assert private not in text
