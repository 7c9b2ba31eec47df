"""ESPHome writes the program of each board. Compiling it needs the chip's tools, which are fetched from their maker.

The library for an encrypted API is fetched as well, so these are written without encryption.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.set_up.environments import ENVIRONMENTS
from tests.firmware.bridge_files import BOARDS, FOLDER

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a file for each board that needs nothing from the network."""
    folder = tmp_path_factory.mktemp("generated") / "esphome"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns(".esphome"))
    for board in BOARDS:
        (folder / f"{board}.yaml").write_text(
            f"packages:\n  device: !include mowdeck-bridge-{board}.yaml\napi:\n  encryption: !remove\n"
        )
    return folder


@pytest.mark.parametrize(("board", "network"), BOARDS.items())
def test_the_program_is_written_for_its_slots_and_network(board: str, network: str, folder: Path) -> None:
    """Wi-Fi and Bluetooth take turns on the radio (bluetooth-proxies 67); the controller has as many links as slots."""
    esphome = [str(ENVIRONMENTS["esphome"].python), "-m", "esphome", "-s", "name", board]
    finished = subprocess.run(  # noqa: S603 - the command is our own
        [*esphome, "compile", "--only-generate", f"{board}.yaml"],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        timeout=240,
    )
    assert finished.returncode == 0, (finished.stdout + finished.stderr)[-3000:]
    settings = (folder / ".esphome" / "build" / board / f"sdkconfig.{board}").read_text()
    assert f"CONFIG_SW_COEXIST_ENABLE={'y' if network == 'wifi' else 'n'}\n" in settings
    assert f"CONFIG_BTDM_CTRL_BLE_MAX_CONN={3 if network == 'wifi' else 4}\n" in settings
    program = (folder / ".esphome" / "build" / board / "src" / "main.cpp").read_text()
    assert "bluetooth_proxy" in program
