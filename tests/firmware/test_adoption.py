"""How a bridge becomes its owner's: no secrets in an image that everybody has, and a way in."""

import pytest

from tests.firmware.bridge_files import ADOPTED, FACTORY, FOLDER, WIFI_BOARDS, Resolved

pytestmark = pytest.mark.timeout(300)
REPOSITORY = "github://mowdeck/mowdeck/"


@pytest.mark.parametrize("name", ADOPTED + FACTORY)
def test_it_is_encrypted_and_has_no_secret(name: str, resolved: dict[str, Resolved]) -> None:
    """The first client gives it a key; the same key in every bridge mixes them up (esphome/esphome 18640)."""
    config = resolved[name].config
    assert config["api"]["encryption"] == {}
    assert all("password" not in entry for entry in config["ota"])
    wifi = config.get("wifi", {"ap": {}})
    assert not {"ssid", "password", "networks"} & set(wifi)
    assert "password" not in wifi["ap"]
    assert not [line for path in FOLDER.rglob("*.yaml") for line in path.read_text().split("\n") if "!secret" in line]


@pytest.mark.parametrize("name", FACTORY)
def test_a_factory_file_leads_to_the_file_that_is_adopted(name: str, resolved: dict[str, Resolved]) -> None:
    adoption = resolved[name].config["dashboard_import"]
    path, _, branch = adoption["package_import_url"].removeprefix(REPOSITORY).partition("@")
    assert path == f"esphome/{name.replace('.factory', '')}"
    assert (FOLDER.parent / path).exists()
    assert branch == "main"
    assert adoption["import_full_config"] is False


@pytest.mark.parametrize("name", ADOPTED + FACTORY)
def test_two_bridges_do_not_have_one_name(name: str, resolved: dict[str, Resolved]) -> None:
    identity = resolved[name].config["esphome"]
    assert identity["name_add_mac_suffix"] is True
    assert (identity["name"], identity["project"]["name"]) == ("mowdeck-bridge", "mowdeck.bridge")


@pytest.mark.parametrize("board", WIFI_BOARDS)
def test_a_new_bridge_takes_its_wifi_over_usb_bluetooth_or_its_hotspot(
    board: str, resolved: dict[str, Resolved]
) -> None:
    config = resolved[f"mowdeck-bridge-{board}.factory.yaml"].config
    assert {"improv_serial", "improv_ble", "captive_portal"} <= set(config)
    assert config["improv_ble"]["authorizer"] is None
    assert config["wifi"]["ap"]["ssid"] == "MowDeck Bridge"


@pytest.mark.parametrize("board", WIFI_BOARDS)
def test_an_adopted_bridge_keeps_its_hotspot_and_no_bluetooth_beacon(board: str, resolved: dict[str, Resolved]) -> None:
    """Its radio is the mowers'; after a change of the router the hotspot is the way back."""
    config = resolved[f"mowdeck-bridge-{board}.yaml"].config
    assert "captive_portal" in config
    assert not {"improv_ble", "improv_serial", "dashboard_import"} & set(config)


def test_an_owner_s_file_adds_key_and_wifi_and_changes_nothing_else(resolved: dict[str, Resolved]) -> None:
    """A key that an update over the air lost shut owners out (home-assistant/core 121442): it stands in the file."""
    owner, package = resolved["owner.yaml"], resolved["mowdeck-bridge-esp32.yaml"].config
    assert owner.code == 0, "\n".join(owner.log)
    assert owner.unexpected_warnings == []
    assert owner.config["api"]["encryption"]["key"] == "EN0Xmtd1UYuPdF42kgzhiZ3n7KdFcyq7MhMI6PSAq3k="
    assert owner.config["esphome"]["name"] == "mowdeck-bridge-a1b2c3"
    assert owner.config["esphome"]["name_add_mac_suffix"] is False
    assert owner.config["wifi"]["networks"][0]["ssid"] == "Garden"
    for component in ("bluetooth_proxy", "esp32_ble", "esp32_ble_tracker", "button", "sensor", "factory_reset"):
        assert owner.config[component] == package[component]
