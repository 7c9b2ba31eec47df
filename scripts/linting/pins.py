"""The pins: each file carries a digest of what was asked for and of what it pins.

A difference means that the project asks for something else by now, or that somebody edited the file. Compiling again
takes a minute and the network, so only `--fix` does it, for the files that differ.
"""

import hashlib
import json
import shutil
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from scripts.linting.steps import Result
from scripts.set_up.console import ProgramFailedError, run
from scripts.set_up.installer import find_uv
from scripts.set_up.places import REQUIREMENTS, ROOT

COMPILE_TIMEOUT_SECONDS = 600
HEADER = (
    "# Made by `scripts/lint --fix` from what {source} asks for; newer versions: delete this file first.\n"
    "# Where packages come from is the reader's own setting. Digest of the request and the pins:\n"
    "# {digest}\n"
)


@dataclass(frozen=True)
class PinFile:
    """One file of pins: its name, the file that says what is asked for, further arguments, the oldest Python."""

    name: str
    source: str
    arguments: tuple[str, ...] = ()
    python_version: str = "3.14.2"

    @property
    def path(self) -> Path:
        """The committed file."""
        return REQUIREMENTS / f"{self.name}.txt"


PIN_FILES = (
    PinFile("gateway", "pyproject.toml", ("--group", "test", "--group", "lint")),
    # For the app's image: the same versions as the tests ran with.
    PinFile("gateway-runtime", "pyproject.toml", ("--constraints", "requirements/gateway.txt")),
    PinFile("gateway-build", "requirements/gateway-build.in"),
    PinFile("home-assistant-2026.10", "requirements/home-assistant-2026.10.in"),
    PinFile("home-assistant-2026.11", "requirements/home-assistant-2026.11.in"),
    PinFile("esphome", "requirements/esphome.in"),
    PinFile("mutation", "requirements/mutation.in"),
    PinFile("tools", "requirements/tools.in", python_version="3.9"),
    PinFile("app", "requirements/app.in"),
)


def check(*, fix: bool) -> Result:
    """Compare every file's digest; with fix, compile those anew that differ."""
    complaints = []
    for pin_file in PIN_FILES:
        if is_current(pin_file):
            continue
        if not fix:
            complaints.append(f"{pin_file.path.relative_to(ROOT)} is not what was asked for: run scripts/lint --fix")
            continue
        try:
            compile_pins(pin_file, find_uv())
        except ProgramFailedError as error:
            complaints.append(f"{pin_file.path.relative_to(ROOT)}: {error}")
    return Result(not complaints, "\n".join(complaints))


def is_current(pin_file: PinFile) -> bool:
    """Tell whether a file's header is the one that its request and its pins call for."""
    if not pin_file.path.exists():
        return False
    committed = pin_file.path.read_text()
    return committed == with_header(pin_file, without_header(committed))


def without_header(text: str) -> str:
    """Return the pins alone."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))


def with_header(pin_file: PinFile, pins: str) -> str:
    """Return the pins with the header that belongs to them."""
    digest = hashlib.sha256(f"{request(pin_file)}\n{pin_file.arguments}\n{pins}".encode()).hexdigest()
    return HEADER.format(source=pin_file.source, digest=digest) + pins


def request(pin_file: PinFile) -> str:
    """Return what is asked for, as text; of pyproject.toml only what decides about packages."""
    source = (ROOT / pin_file.source).read_text()
    if pin_file.source != "pyproject.toml":
        return source
    project = tomllib.loads(source)
    return json.dumps(
        [
            project["project"]["requires-python"],
            project["project"]["dependencies"],
            project["dependency-groups"] if "--group" in pin_file.arguments else None,
            project["tool"]["uv"],
        ]
    )


def compile_pins(pin_file: PinFile, uv: str) -> None:
    """Write the file, keeping the versions that it pins now where they still satisfy what is asked for."""
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / pin_file.path.name
        if pin_file.path.exists():
            shutil.copyfile(pin_file.path, output)
        run(
            [
                *(uv, "pip", "compile", "--universal", "--generate-hashes", "--no-annotate", "--no-header"),
                *("--python-version", pin_file.python_version, "--output-file", str(output)),
                *(pin_file.source, *pin_file.arguments),
            ],
            timeout_seconds=COMPILE_TIMEOUT_SECONDS,
            folder=ROOT,
        )
        pin_file.path.write_text(with_header(pin_file, without_header(output.read_text())))
