"""The command line of scripts/test, run by the gateway's environment.

Without arguments: what CI does (lint, all routine suites, coverage). With names of suites: these alone, as plain pytest
runs; what follows `--` goes to pytest.
"""

import argparse
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence

import pytest

from scripts.set_up.places import ROOT
from scripts.testing import coverage_gate, system_packages
from scripts.testing.child import coverage_data
from scripts.testing.gathering import Gathering
from scripts.testing.suites import BY_NAME_ONLY, ROUTINE, STAGES, SUITES, Suite

REPORTS = ROOT / ".reports"


def main(arguments: Sequence[str]) -> int:
    """Carry out scripts/test and return its exit code."""
    split = arguments.index("--") if "--" in arguments else len(arguments)
    for_pytest = list(arguments[split + 1 :])
    parser = argparse.ArgumentParser(
        prog="scripts/test",
        usage="scripts/test [suite …] [-- pytest's arguments …]",
        description=f"Without a name: lint, then {', '.join(suite.name for suite in ROUTINE)}, then coverage.",
        epilog=f"By name only: {', '.join(suite.name for suite in BY_NAME_ONLY)}.",
    )
    parser.add_argument("suites", nargs="*", metavar="suite", help=", ".join(SUITES))
    names = parser.parse_args(arguments[:split]).suites
    unknown = [name for name in names if name not in SUITES]
    if unknown:
        parser.error(f"there is no suite {unknown[0]}; there are {', '.join(SUITES)}")
    if for_pytest and not names:
        parser.error("arguments for pytest need the name of a suite before them")
    # Ended from outside like with Ctrl-C: the suites get to stop the servers that they started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if names:
        return run_alone([SUITES[name] for name in names], for_pytest)
    return run_all()


def run_alone(suites: list[Suite], for_pytest: list[str]) -> int:
    """Run the named suites one after the other, not measured; return the first exit code that is not 0."""
    without_tests = [suite.name for suite in suites if not suite.has_tests]
    if without_tests:
        print(f"There are no tests in tests/{without_tests[0]}/ yet.")
        return pytest.ExitCode.NO_TESTS_COLLECTED
    system_packages.provide(suites)
    first_failure = 0
    for suite in suites:
        command = suite.command(*for_pytest, measured=False)
        code = subprocess.run(command, check=False, cwd=ROOT).returncode  # noqa: S603 - the command is our own
        first_failure = first_failure or code
    return first_failure


def run_all() -> int:
    """Run lint and all routine suites; pytest's closing line over all of them is the last line printed."""
    lint_command = [sys.executable, "-m", "scripts.linting"]
    lint_code = subprocess.run(lint_command, check=False, cwd=ROOT).returncode  # noqa: S603 - the command is our own
    system_packages.provide([suite for suite in ROUTINE if suite.has_tests])
    shutil.rmtree(REPORTS, ignore_errors=True)
    coverage_data(REPORTS).parent.mkdir(parents=True)
    return pytest.main(
        [
            *("--noconftest", "--no-header", "-p", "no:cacheprovider"),
            *(f"--rootdir={ROOT}", f"--config-file={ROOT / 'pyproject.toml'}", "--durations=10", "--durations-min=2"),
        ],
        plugins=[Gathering(lint_code, STAGES, REPORTS, coverage_gate.judge)],
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
