"""What ESPHome makes of each file. Beside each test stands the trouble that it keeps away."""

import re

import pytest

from tests.firmware.bridge_files import ADOPTED, ETHERNET, FACTORY, FOLDER, WIFI, Resolved

# ESPHome is started for each file.
pytestmark = pytest.mark.timeout(300)
EVERY_FILE = ADOPTED + FACTORY


def test_each_board_has_a_file_and_a_factory_file() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.yaml")) == sorted(EVERY_FILE)


@pytest.mark.parametrize("name", EVERY_FILE)
def test_it_is_valid_and_warns_of_nothing_but_the_board_s_own_pins(name: str, resolved: dict[str, Resolved]) -> None:
    file = resolved[name]
    assert file.code == 0, "\n".join(file.log)
    assert file.unexpected_warnings == []


def test_a_scan_window_set_by_hand_is_noticed(resolved: dict[str, Resolved]) -> None:
    """Long windows starve the Wi-Fi (esphome/esphome 18655) and take the pause for connections away (18609)."""
    file = resolved["window.yaml"]
    assert any("1100" in warning for warning in file.unexpected_warnings)
    assert "connection_scan_window" not in file.config["esp32_ble_tracker"]["scan_parameters"]


def test_a_connection_of_the_bridge_s_own_is_noticed(resolved: dict[str, Resolved]) -> None:
    """A `ble_client` for the mower takes a connection and fights the gateway (Mammotion-HA 664, 749)."""
    file = resolved["client.yaml"]
    assert file.code != 0 or file.unexpected_warnings


@pytest.mark.parametrize("path", [str(path.relative_to(FOLDER)) for path in sorted(FOLDER.rglob("*.yaml"))])
def test_no_file_sets_what_esphome_chooses_better(path: str) -> None:
    """Nor does it bring what takes memory or radio time away from the mowers (esphome/issues 3667)."""
    keys = set(re.findall(r"^[\s-]*(\w+):", (FOLDER / path).read_text(), re.MULTILINE))
    better_left_out = {"window", "interval", "connection_scan_window", "duration", "power_save_mode"}
    assert not keys & (better_left_out | {"ble_client", "web_server", "esp32_ble_beacon", "outgoing_connection"})


@pytest.mark.parametrize("name", WIFI)
def test_on_wifi_the_scan_makes_room_for_a_connected_mower(name: str, resolved: dict[str, Resolved]) -> None:
    """Without the pause mowers lost their connection after 12 to 17 seconds (esphome/esphome 18614)."""
    scan = resolved[name].config["esp32_ble_tracker"]["scan_parameters"]
    assert (scan["interval"], scan["window"], scan["connection_scan_window"]) == ("320ms", "320ms", "30ms")
    assert scan["continuous"] is True
    assert resolved[name].config["esp32_ble_tracker"]["software_coexistence"] is True


@pytest.mark.parametrize("name", WIFI)
def test_wifi_sleeps_because_bluetooth_needs_the_radio(name: str, resolved: dict[str, Resolved]) -> None:
    """Without Wi-Fi's sleep the chip stops as soon as both are on (espressif/esp-idf 5759)."""
    assert resolved[name].config["wifi"]["power_save_mode"] == "LIGHT"


@pytest.mark.parametrize("name", ETHERNET)
def test_on_a_cable_there_is_no_wifi_in_the_image(name: str, resolved: dict[str, Resolved]) -> None:
    config = resolved[name].config
    assert not {"wifi", "captive_portal", "improv_ble", "improv_serial"} & set(config)
    assert "software_coexistence" not in config["esp32_ble_tracker"]


@pytest.mark.parametrize("name", EVERY_FILE)
def test_it_connects_and_its_slots_agree(name: str, resolved: dict[str, Resolved]) -> None:
    """Slots of two components that differ are refused only in use (home-assistant/core 81468); Wi-Fi carries three."""
    config = resolved[name].config
    proxy, slots = config["bluetooth_proxy"], 3 if name in WIFI else 4
    assert proxy["active"] is True
    assert (proxy["connection_slots"], len(proxy["connections"]), config["esp32_ble"]["max_connections"]) == (
        slots,
    ) * 3
    assert proxy["cache_services"] is True


@pytest.mark.parametrize("name", EVERY_FILE)
def test_it_scans_passively_until_the_gateway_asks(name: str, resolved: dict[str, Resolved]) -> None:
    assert resolved[name].config["esp32_ble_tracker"]["scan_parameters"]["active"] is False


@pytest.mark.parametrize("name", EVERY_FILE)
def test_it_is_built_with_esp_idf(name: str, resolved: dict[str, Resolved]) -> None:
    """The other framework leaves less memory; bridges restarted for lack of it (esphome/issues 3652, 3667)."""
    assert resolved[name].config["esp32"]["framework"]["type"] == "esp-idf"


@pytest.mark.parametrize("name", EVERY_FILE)
def test_older_esphome_is_refused(name: str, resolved: dict[str, Resolved]) -> None:
    """Before 2026.7 a session that was cut off kept its slot (core 175664); 2026.8.0 loses connections."""
    year, month, _ = map(int, resolved[name].config["esphome"]["min_version"].split("."))
    assert (year, month) >= (2026, 9)
    if "improv_ble" in resolved[name].config:
        assert (year, month) >= (2026, 10)


PINS = {
    "olimex-poe-iso": ("LAN8720", 23, 18, "CLK_OUT", 17, 0, 12),
    "wt32-eth01": ("LAN8720", 23, 18, "CLK_EXT_IN", 0, 1, 16),
}


@pytest.mark.parametrize("name", ETHERNET)
def test_the_pins_of_the_network_chip_are_the_board_s(name: str, resolved: dict[str, Resolved]) -> None:
    chip = resolved[name].config["ethernet"]
    board = next(board for board in PINS if board in name)
    clock = chip["clk"]
    found = (chip["type"], chip["mdc_pin"], chip["mdio_pin"], clock["mode"], clock["pin"])
    assert (*found, chip["phy_addr"], chip["power_pin"]) == PINS[board]


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        ("xiao-esp32s3", ("seeed_xiao_esp32s3", "ESP32S3", "8MB")),
        ("esp32", ("esp32dev", "ESP32", "4MB")),
        ("olimex-poe-iso", ("esp32-poe-iso", "ESP32", "4MB")),
        ("wt32-eth01", ("wt32-eth01", "ESP32", "4MB")),
    ],
)
def test_the_board_is_the_one_of_the_file_s_name(
    board: str, expected: tuple[str, str, str], resolved: dict[str, Resolved]
) -> None:
    chip = resolved[f"mowdeck-bridge-{board}.yaml"].config["esp32"]
    assert (chip["board"], chip["variant"], chip["flash_size"]) == expected
