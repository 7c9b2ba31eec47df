"""What the set-up says, and how it runs other programs."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Settings of the caller's own Python work that would send an installation somewhere else, or slow every start down.
FOREIGN_VARIABLES = (
    "PIP_REQUIRE_VIRTUALENV",
    "PIP_TARGET",
    "PIP_USER",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHOME",
    "PYTHONPATH",
    "UV_PROJECT_ENVIRONMENT",
    "UV_PYTHON",
    "UV_SYSTEM_PYTHON",
    "VIRTUAL_ENV",
)
# Certificates that the machine trusts are trusted: needed behind a company's proxy. The name has changed with uv.
OUR_VARIABLES = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "UV_NATIVE_TLS": "1", "UV_SYSTEM_CERTS": "1"}
# As many lines of a failed program's words are passed on; warnings before the failure are not.
LAST_LINES = 8


class SetUpError(Exception):
    """The set-up cannot go on: a sentence, and a remedy that the reader can carry out."""

    def __init__(self, sentence: str, remedy: str) -> None:
        """Keep both parts."""
        super().__init__(sentence)
        self.sentence = sentence
        self.remedy = remedy


class ProgramFailedError(Exception):
    """A program that was run ended with an error, was not found or took too long."""


def say(line: str) -> None:
    """Print one progress line at once."""
    print(line, flush=True)


def complain(line: str) -> None:
    """Print one line to standard error at once."""
    print(line, file=sys.stderr, flush=True)


def environment(additions: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables for a program: the caller's, less what would lead it astray."""
    variables = {name: value for name, value in os.environ.items() if name not in FOREIGN_VARIABLES}
    return {**OUR_VARIABLES, **variables, **(additions or {})}


def run(
    command: Sequence[str],
    *,
    timeout_seconds: float,
    additions: Mapping[str, str] | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> str:
    """Run a program and return its standard output; raise ProgramFailedError with the end of what it said."""
    try:
        result = subprocess.run(  # noqa: S603 - the commands are this package's own
            list(command),
            check=False,
            cwd=folder,
            env=environment(additions),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_seconds,
        )
    except subprocess.TimeoutExpired as error:
        raise ProgramFailedError(f"{command[0]} did not finish within {timeout_seconds:.0f} seconds") from error
    except OSError as error:
        raise ProgramFailedError(f"{command[0]}: {error.strerror or error}") from error
    if result.returncode != 0:
        said = (result.stderr or result.stdout).strip().splitlines()
        last_lines = [line for line in said if not line.startswith(("WARNING:", "W:"))][-LAST_LINES:]
        raise ProgramFailedError("\n".join(last_lines) or f"{command[0]} ended with code {result.returncode}")
    return result.stdout
