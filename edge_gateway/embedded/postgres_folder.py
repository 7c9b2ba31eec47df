"""The database folder: what lies in it, and making a new one where surely nothing lies."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import structlog

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.embedded import orphans
from edge_gateway.embedded.postgres_programs import PostgresPrograms
from edge_gateway.embedded.unprivileged import Account

_log = structlog.get_logger(__name__)

SUPERUSER = "mowdeck"

ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}
"""What PostgreSQL's programs see of the surroundings: nothing of the machine's language and time zone."""


class OpenFolder(msgspec.Struct, frozen=True):
    """A folder under a name that a program can use even if its account cannot walk to it."""

    name: str
    descriptors: tuple[int, ...]
    """Open files that the program must inherit for the name to work."""


@contextmanager
def opened(folder: Path, account: Account | None) -> Iterator[OpenFolder]:
    """Give a folder to a child: by its path, or by an open file when the child runs as another account.

    The folders above the data folder may be closed to that account (root's home is), and are none of our business.
    """
    if account is None:
        yield OpenFolder(str(folder), ())
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield OpenFolder(f"/proc/self/fd/{descriptor}", (descriptor,))
    finally:
        os.close(descriptor)


async def prepare(folder: Path, programs: PostgresPrograms, account: Account | None) -> None:
    """Leave a database folder that the programs can start with; makes one only beside no data of any version.

    Raises `ConfigurationError` for data of another version, a foreign folder or one that belongs to somebody else.
    """
    unfinished = folder.with_name(f"{folder.name}.new")
    if must_be_made(folder, programs.major):
        _start_over(unfinished)
        await _initialise(unfinished, programs, account)
        unfinished.rename(folder)
    _take_over(folder, account)
    await _clear_away_the_dead(folder)


def must_be_made(folder: Path, major: int) -> bool:
    """Tell whether there is no database yet; changes nothing.

    Raises `ConfigurationError` when there is something that PostgreSQL of this major version cannot use, or that an
    empty database must not be made beside.
    """
    if folder.exists():
        _check_owner(folder)
        if any(folder.iterdir()):
            _check(folder, major)
            return False
    _check_nothing_beside(folder)
    return True


def _start_over(unfinished: Path) -> None:
    """Make an empty folder; what a first start left that was interrupted was never in use."""
    if unfinished.exists():
        shutil.rmtree(unfinished)
    unfinished.mkdir(mode=0o700)


def _check_owner(folder: Path) -> None:
    owner = folder.stat().st_uid
    if os.geteuid() not in (0, owner):
        raise ConfigurationError(
            code="database_folder_owner",
            detail=f"The database folder {folder} belongs to another user (number {owner}).",
            remedy="Start the program as root or as that user, or hand the data folder over with chown.",
        )


def _take_over(folder: Path, account: Account | None) -> None:
    """Make it the account's own and private; PostgreSQL insists on both."""
    if account:
        account.own(folder)
    folder.chmod(0o700)


def _check(folder: Path, major: int) -> None:
    try:
        version = (folder / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        raise ConfigurationError(
            code="database_folder_foreign",
            detail=f"The folder {folder} is not empty and holds no PostgreSQL data (no file PG_VERSION).",
            remedy="Nothing was changed. Restore a backup, or move the folder away to start with an empty database.",
        ) from None
    if version != str(major):
        raise ConfigurationError(
            code="database_version",
            detail=f"The database in {folder} was made by PostgreSQL {version}; this program brings {major}.",
            remedy="Nothing was changed. Use the program's version that made it, or set MOWDECK_POSTGRES_BIN to "
            f"PostgreSQL {version}. To move on: make a backup with it (`mowdeck-edge backup`), then bring that into a "
            f"new database of PostgreSQL {major}: `mowdeck-edge restore --replace`.",
            values={"found": version, "expected": major},
        )


def _check_nothing_beside(folder: Path) -> None:
    """Refuse to make an empty database where an old one was moved aside or the wrong folder was named."""
    for place in (folder.parent, *folder.parent.glob("*/")):
        if place.name != f"{folder.name}.new" and (place / "PG_VERSION").exists():
            raise ConfigurationError(
                code="database_beside",
                detail=f"There is no database in {folder}, and an empty one is not made beside the data in {place}.",
                remedy=f"Nothing was changed. Move {place} back to {folder}, or away from here.",
            )


async def _initialise(folder: Path, programs: PostgresPrograms, account: Account | None) -> None:
    _log.info("making a new database", folder=str(folder), postgres=programs.major)
    if account:
        account.own(folder)
    with opened(folder, account) as place:
        process = await asyncio.create_subprocess_exec(
            programs.initdb,
            *("--pgdata", place.name, "--username", SUPERUSER, "--auth", "trust", "--encoding", "UTF8"),
            # A collation that no update of the C library can change under an index.
            *("--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--locale", "C"),
            *("--data-checksums", "--no-instructions"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd="/",
            env=ENVIRONMENT,
            user=account.user_id if account else None,
            group=account.group_id if account else None,
            extra_groups=[] if account else None,
            pass_fds=place.descriptors,
        )
        try:
            output, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.terminate()
                await process.wait()
    if process.returncode != 0:
        raise ConfigurationError(
            code="database_not_made",
            detail=f"PostgreSQL could not make a database in {folder}: {output.decode(errors='replace')[-600:]}",
            remedy="The reason is in the sentence; a full disk and missing rights are the usual ones.",
        )


async def _clear_away_the_dead(folder: Path) -> None:
    """Wait for what a dead server left, and remove its lock file.

    After a cut of power the number in that file may belong to any process of the new boot, in a container to one of
    ours, and PostgreSQL would wait for that one for ever.
    """
    lock = folder / "postmaster.pid"
    owner = _first_number(lock)
    if owner in set(orphans.working_in(folder)):
        raise ConfigurationError(
            code="database_in_use",
            detail=f"A PostgreSQL server that this program did not start works in {folder} (process {owner}).",
            remedy="Stop that server first.",
        )
    await orphans.end_backends_of(folder)
    if orphans.CAN_LOOK:  # else PostgreSQL decides by itself
        lock.unlink(missing_ok=True)


def _first_number(lock: Path) -> int | None:
    try:
        return int(lock.read_text().partition("\n")[0])
    except FileNotFoundError, ValueError:
        return None
