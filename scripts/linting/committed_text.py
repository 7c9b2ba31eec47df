"""What no committed file may say: where packages come from, a path of somebody's machine; and how long one may be."""

import re
from pathlib import Path

from scripts.linting.steps import Result, committed_files
from scripts.set_up.places import ROOT

LONGEST_SOURCE_FILE_LINES = 300
FORBIDDEN = (
    (
        re.compile(r"\b(pypi\.org|pythonhosted\.org|registry\.npmjs\.org|registry\.yarnpkg\.com|deb\.debian\.org)"),
        "names the host of a package registry",
    ),
    (re.compile(r"--(extra-)?index-url|--find-links|\"resolved\": \"http"), "says where packages come from"),
    (re.compile(r"(?<![\w.~*$}-])/(root|work)(?![\w-])"), "names a path of one machine"),
)
# These hold licences' or built text, or (the last) name the rules themselves.
EXEMPT = ("LICENSE", "scripts/linting/committed_text.py", "tests/unit/scripts/test_committed_text.py")


def check() -> Result:
    """Look at every file that is committed or about to be."""
    complaints: list[str] = []
    for name in committed_files():
        path = ROOT / name
        if name in EXEMPT or path.is_symlink() or not path.is_file():
            continue
        complaints += complaints_about(name, path.read_bytes())
    return Result(not complaints, "\n".join(complaints))


def complaints_about(name: str, content: bytes) -> list[str]:
    """Return what is wrong with one file; files that are not text are passed over."""
    try:
        lines = content.decode().splitlines()
    except UnicodeDecodeError:
        return []
    complaints = [
        f"{name}:{number}: {what}"
        for number, line in enumerate(lines, start=1)
        for pattern, what in FORBIDDEN
        if pattern.search(line)
    ]
    if Path(name).suffix == ".py" and len(lines) > LONGEST_SOURCE_FILE_LINES:
        complaints.append(f"{name}: {len(lines)} lines; a file is one thing, in at most {LONGEST_SOURCE_FILE_LINES}")
    return complaints
