"""Debian packages that tests need: installed when this is root, named when it is not."""

import os
import shutil

from scripts.set_up.console import ProgramFailedError, run, say
from scripts.testing.suites import Suite
from tests.reporting.needs import NEEDS, Need

APT_TIMEOUT_SECONDS = 900


def provide(suites: list[Suite]) -> None:
    """Install what the suites' tests need and the machine lacks; tests that then cannot run say so themselves."""
    text = "\n".join(path.read_text() for suite in suites for path in suite.folder.rglob("*.py"))
    for need in NEEDS:
        if need.packages and need.marker in text and not need.is_met():
            _install(need)


def _install(need: Need) -> None:
    packages = " ".join(need.packages)
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        say(f"Some tests need {need.what}; on Debian, root gets it with: apt-get install {packages}")
        return
    say(f"Installing {packages} for the tests that need {need.what} …")
    quietly = {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *need.packages]
    try:
        try:
            run(install, timeout_seconds=APT_TIMEOUT_SECONDS, additions=quietly)
        except ProgramFailedError:
            # The lists may be missing or old: fetched only when the first try shows it.
            run(["apt-get", "update", "--quiet"], timeout_seconds=APT_TIMEOUT_SECONDS, additions=quietly)
            run(install, timeout_seconds=APT_TIMEOUT_SECONDS, additions=quietly)
    except ProgramFailedError as error:
        say(f"That failed:\n{error}")
