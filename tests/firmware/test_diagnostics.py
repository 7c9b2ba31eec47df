"""What a bridge tells its owner and the gateway."""

import pytest

from tests.firmware.bridge_files import ADOPTED, ETHERNET, FACTORY, WIFI, Resolved

pytestmark = pytest.mark.timeout(300)
EVERY_FILE = ADOPTED + FACTORY


@pytest.mark.parametrize("name", EVERY_FILE)
def test_it_tells_what_its_owner_needs(name: str, resolved: dict[str, Resolved]) -> None:
    """Uptime and reason of the reset (esphome/issues 3652), memory (3667), firmware, address."""
    file = resolved[name]
    assert {"Uptime", "Chip temperature", "Free memory", "Largest free block", "Loop time"} <= set(
        file.entities("sensor")
    )
    assert set(file.entities("text_sensor")) == {"Reset reason", "ESPHome version", "IP address", "MAC address"}
    for kind in ("sensor", "text_sensor", "binary_sensor", "button"):
        for entity in file.entities(kind).values():
            assert entity["entity_category"] == "diagnostic" or "entity_category" not in entity
            assert not entity["disabled_by_default"]


@pytest.mark.parametrize("name", EVERY_FILE)
def test_the_one_button_that_the_gateway_presses_is_restart(name: str, resolved: dict[str, Resolved]) -> None:
    """A deaf bridge is restarted by its button of this class, which a factory reset has as well (esphome 12185)."""
    buttons = resolved[name].entities("button")
    assert [(button["platform"], button["device_class"]) for button in buttons.values()] == [("restart", "restart")]


@pytest.mark.parametrize("name", WIFI)
def test_the_gateway_knows_the_signal_by_its_id(name: str, resolved: dict[str, Resolved]) -> None:
    """Wi-Fi that is weak spoils Bluetooth too (bluetooth-proxies 67)."""
    platforms = {each["platform"]: each for each in resolved[name].config["sensor"]}
    assert "wifi" in platforms["wifi_signal"]["name"].lower()
    assert "uptime" in platforms["uptime"]["name"].lower()


@pytest.mark.parametrize("name", ETHERNET)
def test_on_a_cable_nothing_looks_like_a_wifi_signal(name: str, resolved: dict[str, Resolved]) -> None:
    assert not [sensor for sensor in resolved[name].entities("sensor") if "wifi" in sensor.lower()]


@pytest.mark.parametrize("name", EVERY_FILE)
def test_warnings_reach_the_gateway(name: str, resolved: dict[str, Resolved]) -> None:
    """The log tells who takes the advertisements away (esphome/esphome 17423)."""
    assert resolved[name].config["logger"]["level"] in {"INFO", "WARN"}


@pytest.mark.parametrize("name", EVERY_FILE)
def test_ten_short_starts_make_it_new(name: str, resolved: dict[str, Resolved]) -> None:
    """A key that another program gave it must not make it useless (home-assistant/core 121442)."""
    assert resolved[name].config["factory_reset"]["resets_required"] == 10
