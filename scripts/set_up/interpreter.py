"""Finds Python 3.14: on the machine, else as a standalone build, else from Debian's own packages."""

from __future__ import annotations

from scripts.set_up import debian_packages, debian_python
from scripts.set_up.console import ProgramFailedError, SetUpError, run, say

WANTED = ">=3.14.2,<3.15"
DOWNLOAD_TIMEOUT_SECONDS = 240
# A site that cannot be reached is given up soon: there is another way.
IMPATIENT = {"UV_HTTP_TIMEOUT": "15", "UV_HTTP_RETRIES": "0"}


def find_python(uv: str) -> str:
    """Return the path of a Python 3.14 that is new enough; raise SetUpError when there is no way to one."""
    for way in (_installed, _standalone, _debian):
        python = way(uv)
        if python is not None:
            return python
    raise SetUpError(
        f"No Python {WANTED} was found, and none could be downloaded.",
        "Install Python 3.14.2 or newer (from your system, or with `uv python install 3.14` where its download site is"
        " reachable) and run scripts/setup again.",
    )


def _installed(uv: str) -> str | None:
    private = debian_python.existing()
    if private is not None:
        return private
    command = [uv, "python", "find", "--system", "--no-project", "--no-python-downloads", WANTED]
    try:
        return run(command, timeout_seconds=60).strip() or None
    except ProgramFailedError:
        return None


def _standalone(uv: str) -> str | None:
    say("Getting Python 3.14 …")
    try:
        run(
            [uv, "python", "install", "--no-bin", "3.14"],
            timeout_seconds=DOWNLOAD_TIMEOUT_SECONDS,
            additions=IMPATIENT,
        )
    except ProgramFailedError:
        return None
    return _installed(uv)


def _debian(_uv: str) -> str | None:
    if not debian_packages.are_possible():
        return None
    say("No standalone build can be reached; making a private Python 3.14 from Debian's packages …")
    try:
        return debian_python.make()
    except ProgramFailedError as error:
        say(f"That failed:\n{error}")
        return None
