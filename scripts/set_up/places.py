"""Where things lie: everything the set-up makes is inside the work tree."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / ".tools"
REQUIREMENTS = ROOT / "requirements"

TOOL_PINS = REQUIREMENTS / "tools.txt"
PIP_TOOLS = TOOLS / "installed"
PRIVATE_PYTHON = TOOLS / "python-3.14"
