"""The environments: one virtual environment for each file of pins, because their pins exclude each other."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from scripts.set_up.console import ProgramFailedError, SetUpError, run, say
from scripts.set_up.places import REQUIREMENTS, ROOT

if TYPE_CHECKING:
    from pathlib import Path

# Raised when the steps below change, so that environments made the old way are made anew.
STEPS_VERSION = 2
SYNC_TIMEOUT_SECONDS = 1200


class Environment(NamedTuple):
    """One environment: its name, its folder in the work tree, and whether our own program is installed in it."""

    name: str
    folder: str
    has_program: bool

    @property
    def path(self) -> Path:
        """The environment's folder."""
        return ROOT / self.folder

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        return self.path / "bin" / "python"

    @property
    def pins(self) -> Path:
        """The file of pins it is made from."""
        return REQUIREMENTS / f"{self.name}.txt"


ENVIRONMENTS = {
    environment.name: environment
    for environment in (
        Environment("gateway", ".venv", has_program=True),
        Environment("home-assistant-2026.10", ".venv-ha-2026.10", has_program=False),
        Environment("home-assistant-2026.11", ".venv-ha-2026.11", has_program=False),
        Environment("esphome", ".venv-esphome", has_program=False),
        Environment("mutation", ".venv-mutation", has_program=False),
    )
}


def is_current(environment: Environment) -> bool:
    """Tell whether an environment is what its pins say. Reads files only, so that asking costs nothing."""
    stamp = _stamp(environment)
    return environment.python.exists() and stamp.exists() and stamp.read_text() == _fingerprint(environment)


def make(environment: Environment, uv: str, python: str) -> None:
    """Bring an environment to what its pins say; raise SetUpError when it cannot be done."""
    _stamp(environment).unlink(missing_ok=True)
    say(f"Installing {environment.pins.relative_to(ROOT)} into {environment.folder}/ …")
    try:
        if not _is_usable(environment):
            run([uv, "venv", "--clear", "--no-project", "--python", python, str(environment.path)], timeout_seconds=120)
        target = ["--python", str(environment.python)]
        run(
            # Compiled here: where a caller forbids Python to keep compiled files, each start would compile everything.
            [uv, "pip", "sync", "--compile-bytecode", "--require-hashes", *target, str(environment.pins)],
            timeout_seconds=SYNC_TIMEOUT_SECONDS,
            folder=ROOT,
        )
        if environment.has_program:
            run([uv, "pip", "install", "--no-deps", *target, "--editable", str(ROOT)], timeout_seconds=120, folder=ROOT)
    except ProgramFailedError as error:
        raise SetUpError(
            f"The environment {environment.name} could not be made:\n{error}",
            f"Mend what the lines above name (often: the network), then run scripts/setup --only {environment.name}",
        ) from error
    _stamp(environment).write_text(_fingerprint(environment))


def _is_usable(environment: Environment) -> bool:
    """Tell whether the folder holds an environment with an interpreter that runs and is new enough."""
    check = "import sys; sys.exit(not (3, 14, 2) <= sys.version_info < (3, 15))"
    try:
        run([str(environment.python), "-c", check], timeout_seconds=30)
    except ProgramFailedError:
        return False
    return True


def _stamp(environment: Environment) -> Path:
    return environment.path / "made-from.sha256"


def _fingerprint(environment: Environment) -> str:
    """Return a digest of all that decides what is in the environment, and of where it lies: it holds absolute paths."""
    digest = hashlib.sha256(f"{STEPS_VERSION} {environment.path}\n".encode())
    digest.update(environment.pins.read_bytes())
    if environment.has_program:
        digest.update((ROOT / "pyproject.toml").read_bytes())
    return digest.hexdigest()
