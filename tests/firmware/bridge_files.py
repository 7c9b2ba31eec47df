"""The files of `esphome/`, what ESPHome makes of them, and which warnings are the board's own."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT

FOLDER = ROOT / "esphome"
BOARDS = {"xiao-esp32s3": "wifi", "esp32": "wifi", "olimex-poe-iso": "ethernet", "wt32-eth01": "ethernet"}
WIFI_BOARDS = [board for board, network in BOARDS.items() if network == "wifi"]
ADOPTED = [f"mowdeck-bridge-{board}.yaml" for board in BOARDS]
FACTORY = [f"mowdeck-bridge-{board}.factory.yaml" for board in BOARDS]
WIFI = [name for name in ADOPTED + FACTORY if any(board in name for board in WIFI_BOARDS)]
ETHERNET = [name for name in ADOPTED + FACTORY if name not in WIFI]

STRAPPING = "is a strapping pin and should only be used for I/O with care."
# The board is wired so, and ESPHome offers no way to say that it is known.
ALLOWED_WARNINGS = {"olimex-poe-iso": f"GPIO12 {STRAPPING}", "wt32-eth01": f"GPIO0 {STRAPPING}"}
TIMEOUT_SECONDS = 300


@dataclass(frozen=True)
class Resolved:
    """What ESPHome says of one file."""

    name: str
    code: int
    log: list[str]
    config: dict[str, Any]
    """With every default filled in; empty when the file is not valid."""

    @property
    def warnings(self) -> list[str]:
        """The first line of each warning."""
        return [line.removeprefix("WARNING ") for line in self.log if line.startswith("WARNING ")]

    @property
    def unexpected_warnings(self) -> list[str]:
        """The warnings that are not the board's own."""
        allowed = [warning for board, warning in ALLOWED_WARNINGS.items() if board in self.name]
        return [warning for warning in self.warnings if warning not in allowed]

    def entities(self, kind: str) -> dict[str, dict[str, Any]]:
        """Return the entities of one kind (`sensor`, `button`, …) by name, those inside a platform as well."""
        parts = [
            part for entry in self.config.get(kind, []) for part in (entry, *entry.values()) if isinstance(part, dict)
        ]
        return {part["name"]: part for part in parts if "name" in part}


def resolve(folder: Path) -> dict[str, Resolved]:
    """Have ESPHome check every file at the top of a folder; beside them it leaves files of its own."""
    names = sorted(path.name for path in folder.glob("*.yaml"))
    python = str(ENVIRONMENTS["esphome"].python)
    finished = subprocess.run(  # noqa: S603 - the command is our own
        [python, str(Path(__file__).with_name("resolving.py")), *names],
        check=True,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=TIMEOUT_SECONDS,
    )
    answers = json.loads(finished.stdout)
    return {
        name: Resolved(name, answer["code"], answer["log"], answer["config"] or {}) for name, answer in answers.items()
    }
