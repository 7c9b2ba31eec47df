"""What a check of scripts/lint is, what it looks at, and the checks that other programs carry out."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from scripts.set_up.environments import ENVIRONMENTS
from scripts.set_up.places import ROOT

STEP_TIMEOUT_SECONDS = 900


@dataclass(frozen=True)
class Result:
    """What a check found: whether it is content, what it has to say, and how long it took."""

    passed: bool
    output: str
    seconds: float = 0.0


@dataclass(frozen=True)
class Step:
    """One check: its name and what carries it out."""

    name: str
    check: Callable[[], Result]

    def run(self) -> Result:
        """Carry it out and time it."""
        started = time.monotonic()
        result = self.check()
        return Result(result.passed, result.output, time.monotonic() - started)


def program(*command: str) -> Result:
    """Run one program in the work tree; its exit code decides."""
    finished = subprocess.run(  # noqa: S603 - the commands are this package's own
        command,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=STEP_TIMEOUT_SECONDS,
    )
    return Result(finished.returncode == 0, finished.stdout.strip())


def committed_files() -> list[str]:
    """Return the names of all files that are committed or about to be, from the work tree's top."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - git is the caller's own
        check=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return sorted(filter(None, listing.stdout.split("\0")))


def ruff(*arguments: str) -> Result:
    """Run ruff on the whole work tree."""
    return program(sys.executable, "-m", "ruff", *arguments)


def types(environment_name: str, *paths: str, without: tuple[str, ...] = ()) -> Result:
    """Check the types of what exists of the paths, less some of their folders, against an environment's packages."""
    existing = [path for path in paths if any((ROOT / path).rglob("*.py"))]
    if not existing:
        return Result(passed=True, output=f"left out: there is no {' or '.join(paths)} yet")
    environment = ENVIRONMENTS[environment_name]
    return program(
        *(sys.executable, "-m", "mypy", "--no-error-summary"),
        # A cache for each, so that the runs can go on side by side.
        *("--cache-dir", f".mypy_cache/{environment_name}", "--python-executable", str(environment.python)),
        *(argument for folder in without for argument in ("--exclude", f"^{folder}/")),
        *existing,
    )


def import_rules() -> Result:
    """Check who imports whom."""
    result = program(str(ENVIRONMENTS["gateway"].path / "bin" / "lint-imports"), "--no-logo")
    if not result.passed and result.output.endswith(("does not exist.", "in your Python path.")):
        return Result(passed=True, output=f"left out: {result.output.splitlines()[-1]}")
    return result


def dead_code() -> Result:
    """Look for what nobody calls any more."""
    return program(sys.executable, "-m", "vulture")
