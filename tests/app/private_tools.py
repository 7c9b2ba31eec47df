"""Tools of requirements/app.txt, in a folder of the work tree's own."""

import sys
from hashlib import sha256
from pathlib import Path

from scripts.set_up.console import run
from scripts.set_up.installer import find_uv
from scripts.set_up.places import REQUIREMENTS, TOOLS


def provide_tools() -> Path:
    """Return the folder with the pinned tools, fetched when they are missing."""
    pins = REQUIREMENTS / "app.txt"
    folder = TOOLS / "app-tools" / sha256(pins.read_bytes()).hexdigest()[:16]
    if not (folder / "complete").exists():
        command = [find_uv(), "pip", "install", "--quiet", "--python", sys.executable, "--require-hashes", "--no-deps"]
        run([*command, "--target", str(folder), "--requirement", str(pins)], timeout_seconds=300)
        (folder / "complete").touch()
    return folder
