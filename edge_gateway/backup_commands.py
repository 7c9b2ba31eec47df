"""The commands `backup` and `restore`, on a gateway that runs or one that does not."""

import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import asyncpg

from edge_gateway import instance
from edge_gateway.backup import dump, folders, manifest, restoration
from edge_gateway.contracts.errors import ConfigurationError, ConflictError, MowDeckError
from edge_gateway.embedded import postgres_folder, postgres_programs, runtime_folder
from edge_gateway.embedded.postgres_server import DATABASE
from edge_gateway.instance import Instance
from edge_gateway.local_servers import LocalServers
from edge_gateway.settings import Settings

_STOP_SECONDS = 60.0
"""For a server in which much was written."""


async def back_up(settings: Settings, folder: Path) -> int:
    """Make a backup in the data folder and say what became of it; return the exit code.

    1 only when there is no complete backup at all: with an older one whoever calls shall go on, for a backup of
    everything else is worth more than none.
    """
    now = datetime.now(UTC)
    try:
        async with _database(settings, folder) as url:
            made = await dump.make(folder, url, postgres_bin=settings.program.postgres_bin, now=now)
    except (MowDeckError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        return _tell_failure(folder, folders.Failure(now, str(error)))
    told = manifest.read(made)
    rows = sum(table.rows for table in told.tables.values())
    sys.stdout.write(f"backed up: {rows} rows, {told.dump_bytes} bytes, verified, in {made}\n")
    if told.postgres_major is None:
        sys.stdout.write("The database lies elsewhere (MOWDECK_DATABASE_URL): back it up there.\n")
    return 0


async def restore(settings: Settings, folder: Path, source: Path | None, *, replace: bool) -> int:
    """Bring a backup back into the data folder of a gateway that does not run, and say so; return the exit code.

    `source` is a backup's folder; null: the newest in the data folder. Raises `ConfigurationError` or `ConflictError`
    when nothing was changed.
    """
    if settings.program.database_url:
        raise ConfigurationError(
            code="database_elsewhere",
            detail="The database lies elsewhere (MOWDECK_DATABASE_URL).",
            remedy="Restore it there, with that server's own means.",
        )
    backup = source or folders.newest(folder)
    if backup is None:
        raise ConfigurationError(
            code="no_backup",
            detail=f"There is no complete backup in {folder / 'backup'}.",
            remedy="Name the folder of one: mowdeck-edge restore FOLDER.",
        )
    restoration.examine(backup)
    opened = Instance.open(folder)
    servers = LocalServers(settings.program, opened)
    try:
        if replace:
            await _set_older_aside(settings, folder, folders.take_in(folder, backup))
        server = await servers.start_database()
        if not replace and await restoration.holds_data(server.url):
            raise ConflictError(
                code="database_in_use",
                detail=f"The data folder {folder} holds a database of its own.",
                remedy="Use an empty folder, or give --replace to put the backup in its place.",
            )
        kept = folders.take_in(folder, backup)
        restoration.bring_files_back(folder, kept)
        await restoration.restore(
            folder,
            kept,
            server.url,
            server.database_url("postgres"),
            postgres_bin=settings.program.postgres_bin,
        )
    finally:
        await servers.stop(lambda *, keep: _STOP_SECONDS - keep)
        opened.close()
    sys.stdout.write(f"restored from {backup}\n")
    return 0


async def _set_older_aside(settings: Settings, folder: Path, backup: Path) -> None:
    """Move a database of another major version of PostgreSQL aside, which only its own programs can read.

    From here on the backup is wanted: whatever happens, the next start brings it back into a new database.
    """
    try:
        version = (folder / "postgres" / "PG_VERSION").read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return
    if version == str(await postgres_programs.installed_major(settings.program.postgres_bin)):
        return
    folders.want_restored(folder, backup)
    aside = folder / "before" / f"postgres-{version}"
    if aside.exists():
        shutil.rmtree(aside)
    aside.parent.mkdir(mode=0o700, exist_ok=True)
    (folder / "postgres").rename(aside)
    sys.stdout.write(f"The database of PostgreSQL {version} is kept in {aside}; delete it when all is well.\n")


@asynccontextmanager
async def _database(settings: Settings, folder: Path) -> AsyncIterator[str | None]:
    """Yield the address of the program's own database, started for this when the gateway does not run; null: elsewhere.

    Raises what opening the data folder and starting the server raise.
    """
    if settings.program.database_url:
        yield None
        return
    if instance.running(folder):
        yield _running_url(folder)
        return
    if not (folder / "postgres").is_dir():
        raise ConfigurationError(code="no_database", detail=f"There is no database in {folder} yet.")
    opened = Instance.open(folder)
    servers = LocalServers(settings.program, opened)
    try:
        yield (await servers.start_database()).url
    finally:
        await servers.stop(lambda *, keep: _STOP_SECONDS - keep)
        opened.close()


def _running_url(folder: Path) -> str:
    runtime = runtime_folder.left_behind(folder)
    if runtime is None:
        raise ConflictError(
            code="gateway_starting",
            detail="The gateway is starting or stopping: its database cannot be asked now.",
            remedy="Try again in a minute.",
        )
    return f"postgresql://{postgres_folder.SUPERUSER}@/{DATABASE}?host={quote(str(runtime / 'postgres'))}"


def _tell_failure(folder: Path, failure: folders.Failure) -> int:
    sys.stderr.write(f"mowdeck-edge: the backup was not made: {failure.detail}\n")
    older = folders.newest(folder)
    try:
        folders.write_failure(folder, failure)
    except OSError as error:
        sys.stderr.write(f"That could not be written down either: {error.strerror}\n")
    if older is None:
        free = shutil.disk_usage(folder).free // 1024**2 if folder.is_dir() else 0
        sys.stderr.write(
            f"There is no older one ({free} MB are free): this backup would hold neither plans nor history.\n"
        )
        return 1
    made_at = manifest.read(older).made_at.isoformat(timespec="minutes")
    sys.stderr.write(f"The one of {made_at} is still there and is used.\n")
    return 0
