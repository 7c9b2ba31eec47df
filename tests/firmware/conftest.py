"""What ESPHome makes of the bridges' files, found out once."""

import shutil
from pathlib import Path

import pytest

from tests.firmware.bridge_files import FOLDER, Resolved, resolve

# What an owner's own file looks like after adoption, but that the package is read from this checkout.
OWNERS_FILE = """
substitutions:
  name: mowdeck-bridge-a1b2c3
  friendly_name: Shed
packages:
  mowdeck.bridge: !include mowdeck-bridge-esp32.yaml
esphome:
  name: ${name}
  name_add_mac_suffix: false
  friendly_name: ${friendly_name}
api:
  encryption:
    key: EN0Xmtd1UYuPdF42kgzhiZ3n7KdFcyq7MhMI6PSAq3k=
wifi:
  ssid: Garden
  password: not-a-real-one
"""
# What must not be done, to see that it is noticed.
HAND_SET_WINDOW = """
packages:
  device: !include mowdeck-bridge-esp32.yaml
esp32_ble_tracker:
  scan_parameters:
    interval: 1100ms
    window: 1100ms
"""
CONNECTION_OF_ITS_OWN = """
packages:
  device: !include mowdeck-bridge-esp32.yaml
ble_client:
  - mac_address: 02:00:00:00:00:01
    id: mower
"""


@pytest.fixture(scope="session")
def resolved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Resolved]:
    """Return what ESPHome makes of each file: our own, an owner's, and two that must not be."""
    folder: Path = tmp_path_factory.mktemp("firmware") / "esphome"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns(".esphome"))
    (folder / "owner.yaml").write_text(OWNERS_FILE)
    (folder / "window.yaml").write_text(HAND_SET_WINDOW)
    (folder / "client.yaml").write_text(CONNECTION_OF_ITS_OWN)
    return resolve(folder)
