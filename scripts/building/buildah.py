"""Runs buildah on a storage of the work tree's own: no service, no container engine, nothing of the system's own."""

import subprocess
from pathlib import Path

from scripts.set_up.places import TOOLS

FOLDER = TOOLS / "app-image"
"""Images and their layers; may be deleted at any time, and is made anew then."""
BUILD_TIMEOUT_SECONDS = 1500


class BuildError(Exception):
    """The image cannot be built: the end of what was said."""


def buildah(*arguments: str | Path, timeout_seconds: float = BUILD_TIMEOUT_SECONDS) -> str:
    """Run one command of buildah and return what it printed; raises BuildError."""
    return run(
        "buildah",
        *("--root", FOLDER / "storage", "--runroot", FOLDER / "run", "--storage-driver", "vfs"),
        *arguments,
        timeout_seconds=timeout_seconds,
    )


def run(*command: str | Path, timeout_seconds: float = BUILD_TIMEOUT_SECONDS) -> str:
    """Run a program and return what it printed; raises BuildError with the end of what it said."""
    try:
        finished = subprocess.run(  # noqa: S603 - the commands are this package's own
            list(map(str, command)),
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_seconds,
        )
    except FileNotFoundError as error:
        raise BuildError(f"{command[0]} was not found; on Debian: apt-get install buildah debootstrap") from error
    except subprocess.TimeoutExpired as error:
        raise BuildError(f"{command[0]} did not finish within {timeout_seconds:.0f} seconds") from error
    if finished.returncode:
        said = f"{finished.stdout}\n{finished.stderr}".strip()[-3000:]
        raise BuildError(f"{command[0]} ended with code {finished.returncode}:\n{said}")
    return finished.stdout.strip()


def has_image(name: str) -> bool:
    """Tell whether an image of that name is in the storage."""
    try:
        buildah("inspect", "--type", "image", "--format", "{{.FromImageID}}", name, timeout_seconds=60)
    except BuildError:
        return False
    return True


def clear_away() -> None:
    """Delete what no name and no container needs any more: each layer is a whole copy of what it lies on."""
    try:
        buildah("rmi", "--prune", "--force")
    except BuildError:  # in use by another run: the next one does it
        return
