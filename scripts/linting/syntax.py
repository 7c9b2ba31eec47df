"""Files that no other check reads: shell scripts and JSON."""

import json
from pathlib import Path

from scripts.linting.steps import Result, committed_files, program
from scripts.set_up.places import ROOT


def check() -> Result:
    """Parse every shell script and JSON file that is committed or about to be."""
    complaints = []
    for name in committed_files():
        complaint = complaint_about(ROOT / name)
        if complaint:
            complaints.append(f"{name}: {complaint}")
    return Result(not complaints, "\n".join(complaints))


def complaint_about(path: Path) -> str | None:
    """Return what is wrong with one file's syntax, or None."""
    if not path.is_file():
        return None
    if path.suffix == ".json":
        try:
            json.loads(path.read_bytes())
        except ValueError as error:
            return str(error)
    elif is_bash(path):
        result = program("bash", "-n", str(path))
        return None if result.passed else result.output
    return None


def is_bash(path: Path) -> bool:
    """Tell whether a file's first line names bash or sh as its interpreter."""
    with path.open("rb") as file:
        first_line = file.readline(80)
    return first_line.startswith(b"#!") and first_line.rstrip().endswith((b"bash", b"/sh"))
