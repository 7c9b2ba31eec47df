"""The command line of scripts/setup."""

from __future__ import annotations

import argparse
import fcntl
import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from scripts.set_up.console import SetUpError, complain, environment, say
from scripts.set_up.environments import ENVIRONMENTS, Environment, is_current, make
from scripts.set_up.installer import find_uv
from scripts.set_up.interpreter import find_python
from scripts.set_up.places import ROOT, TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LOCK_TIMEOUT_SECONDS = 1800
# What a shell expects of a program that was ended by Ctrl-C.
INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    """Carry out `scripts/setup` and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="scripts/setup",
        description="Make the environments that MowDeck is built and tested in; quick when they are there already.",
    )
    parser.add_argument("--only", action="append", choices=list(ENVIRONMENTS), help="make this one (repeatable)")
    options = parser.parse_args(arguments)
    return set_up(options.only or list(ENVIRONMENTS))


def set_up(names: Sequence[str]) -> int:
    """Bring the named environments up to date; return 0, or another code after a message with a remedy."""
    wanted = [ENVIRONMENTS[name] for name in names]
    if all(is_current(each) for each in wanted):
        return 0
    started = time.monotonic()
    try:
        with _lock():
            _make_all(wanted)
    except SetUpError as error:
        complain(error.sentence)
        complain(error.remedy)
        return 1
    except KeyboardInterrupt:
        complain("\nStopped before the environments were ready. The next start goes on from here.")
        return INTERRUPTED
    say(f"The environments are ready ({time.monotonic() - started:.0f} s).")
    return 0


def set_up_and_run(module: str, arguments: Sequence[str]) -> NoReturn:
    """Bring all environments up to date, then become `python -m module` in the gateway's one; does not return."""
    code = set_up(list(ENVIRONMENTS))
    if code:
        sys.exit(code)
    os.chdir(ROOT)
    python = str(ENVIRONMENTS["gateway"].python)
    sys.stdout.flush()
    os.execve(python, [python, "-m", module, *arguments], environment())  # noqa: S606 - no shell is wanted


def _make_all(wanted: Sequence[Environment]) -> None:
    # Looked at again: another set-up may have made them while this one waited.
    missing = [each for each in wanted if not is_current(each)]
    if not missing:
        return
    uv = find_uv()
    python = find_python(uv)
    for each in missing:
        make(each, uv, python)


@contextmanager
def _lock() -> Iterator[None]:
    """Let one set-up of this work tree run at a time."""
    try:
        TOOLS.mkdir(exist_ok=True)
        file = (TOOLS / "set-up.lock").open("w")
    except OSError as error:
        raise SetUpError(
            f"The environments cannot be made in {ROOT}: {error.strerror}.",
            "Use a checkout that belongs to this user, or give this user the right to write there.",
        ) from error
    with file:
        deadline = time.monotonic() + LOCK_TIMEOUT_SECONDS
        told = False
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise SetUpError(
                        "Another set-up of this work tree has not ended.", "End it, then run scripts/setup again."
                    ) from None
                if not told:
                    say("Another set-up of this work tree is running; waiting for it …")
                    told = True
                time.sleep(0.2)
        yield
