"""The firmware of a mower, and whether there is a newer one."""

import pytest
from homeassistant.components.update.const import UpdateEntityStateAttribute as Attribute
from homeassistant.core import HomeAssistant

from tests.emulators.gateway.gateway import EmulatedGateway
from tests.home_assistant.waiting import until_state

pytestmark = pytest.mark.usefixtures("loaded")

FIRMWARE = "update.front_lawn_firmware"
SECOND = "01K8MOWER00000000000000002"


async def test_a_newer_firmware_is_shown_and_is_not_for_us_to_install(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    await until_state(hass, FIRMWARE, "off")
    # What is known of it is no less true while nobody reaches it.
    await gateway.put_mower(newest_firmware_version="1.10.0", available=False)
    await until_state(hass, FIRMWARE, "on")
    state = hass.states.get(FIRMWARE)
    assert state is not None
    shown = [Attribute.INSTALLED_VERSION, Attribute.LATEST_VERSION, Attribute.TITLE, "supported_features"]
    assert [state.attributes[name] for name in shown] == ["1.2.3", "1.10.0", "Sim 500", 0]
    await gateway.put_mower(newest_firmware_version="1.10.0", firmware_version="1.10.1")
    await until_state(hass, FIRMWARE, "off")
    await gateway.put_mower(newest_firmware_version=None)
    await until_state(hass, FIRMWARE, "unknown")


async def test_a_mower_whose_maker_has_not_told_has_none_until_it_does(
    hass: HomeAssistant, gateway: EmulatedGateway
) -> None:
    second = "update.back_lawn_firmware"
    await gateway.put_mower(SECOND, name="Back lawn", newest_firmware_version=None)
    await until_state(hass, "lawn_mower.back_lawn", "docked")
    assert hass.states.get(second) is None
    await gateway.put_mower(SECOND, name="Back lawn", newest_firmware_version="2.0")
    await until_state(hass, second, "on")
    await gateway.remove_mower(SECOND)
    await until_state(hass, second, None)
    await gateway.put_mower(SECOND, name="Back lawn", newest_firmware_version="2.0")
    await until_state(hass, second, "on")
