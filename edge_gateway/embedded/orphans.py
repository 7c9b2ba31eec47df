"""Servers that outlived a killed program: found by their command line or working folder, and stopped.

Only what is surely ours is touched: a process whose command line names the runtime folder of the run before (a random
name that no other program has), or a PostgreSQL process whose working folder is our database folder and whose
postmaster is gone.
"""

import asyncio
import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path

import structlog

_log = structlog.get_logger(__name__)

_PROCESSES = Path("/proc")
_POLL_SECONDS = 0.02

CAN_LOOK = _PROCESSES.is_dir()
"""Whether this system shows its processes here (Linux does)."""


async def stop_servers_of(runtime_path: Path) -> None:
    """Stop the servers that were started with a runtime folder; returns when they are gone (at most 15 s)."""
    found = [
        (number, signal.SIGINT if program == "postgres" else signal.SIGTERM)
        for number, program in _running()
        if program in {"postgres", "nats-server"} and _names(number, runtime_path)
    ]
    for number, how in found:
        _log.warning("stopping a server that a killed program left behind", process_id=number)
        _send(number, how)
    remaining = await _gone({number for number, _ in found}, seconds=10)
    for number in remaining:
        _send(number, signal.SIGQUIT)
    for number in await _gone(remaining, seconds=5):
        _log.error("a server left behind does not stop", process_id=number)


async def end_backends_of(database_folder: Path) -> None:
    """Wait until no PostgreSQL process works in a folder whose postmaster is gone; end those that stay over 3 s.

    The caller has made sure that it is gone. They notice it by themselves, except in the middle of long work.
    """
    for number in await _gone(set(working_in(database_folder)), seconds=3):
        # Not SIGTERM: what is in the middle of long work does not look at it. The log is replayed in any case.
        _send(number, signal.SIGKILL)
    await _gone(set(working_in(database_folder)), seconds=3)


def working_in(database_folder: Path) -> Iterator[int]:
    """Yield the PostgreSQL processes whose working folder is the given one (none where there is no /proc)."""
    for number, program in _running():
        if program != "postgres":
            continue
        try:
            if (_PROCESSES / str(number) / "cwd").samefile(database_folder):
                yield number
        except OSError:  # ended meanwhile, or not ours to look at
            continue


def _running() -> Iterator[tuple[int, str]]:
    for entry in _PROCESSES.glob("[0-9]*"):
        try:
            program = (entry / "exe").readlink().name
        except OSError:
            continue
        # The kernel adds this when the file was replaced or deleted since: an upgrade of the program.
        yield int(entry.name), program.removesuffix(" (deleted)")


def _names(number: int, runtime_path: Path) -> bool:
    try:
        arguments = (_PROCESSES / str(number) / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    path = os.fsencode(runtime_path)
    return any(argument == path or argument.startswith(path + b"/") for argument in arguments)


def _send(number: int, how: signal.Signals) -> None:
    try:
        os.kill(number, how)
    except ProcessLookupError:
        return


async def _gone(numbers: Iterable[int], *, seconds: float) -> set[int]:
    remaining = set(numbers)
    deadline = asyncio.get_running_loop().time() + seconds
    while True:
        remaining = {number for number in remaining if _alive(number)}
        if not remaining or asyncio.get_running_loop().time() > deadline:
            return remaining
        await asyncio.sleep(_POLL_SECONDS)


def _alive(number: int) -> bool:
    try:
        state = (_PROCESSES / str(number) / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
