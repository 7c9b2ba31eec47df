"""Brings a backup back: loaded beside the database, compared with what was dumped, and only then put in its place.

A cut of power at any moment leaves either the database of before or that of the backup. Which backup is wanted is
written down first: an interrupted restore is begun anew by the next start.
"""

from pathlib import Path

import structlog

from edge_gateway.backup import counting, folders, manifest, programs
from edge_gateway.backup.manifest import Manifest, Table
from edge_gateway.contracts.errors import ConfigurationError, MowDeckError
from edge_gateway.database import migration_files, pools
from edge_gateway.database.pools import Connection

_log = structlog.get_logger(__name__)

_LOADING = "mowdeck_restored"
_BEFORE = "mowdeck_before"


def put_missing_files_back(data_folder: Path) -> None:
    """Give a data folder that lost its key or identity those of its newest backup, before new ones are made.

    They fit the database that the backup brings back; a folder that still has its own keeps them.
    """
    backup = folders.newest(data_folder)
    if backup is None or (data_folder / "postgres").exists():
        return
    for name in manifest.KEPT_FILES:
        if not (data_folder / name).exists() and (backup / name).is_file():
            _log.warning("a file of the data folder is brought back from the backup", file=name)
            manifest.write_private(data_folder / name, (backup / name).read_bytes())


def bring_files_back(data_folder: Path, backup: Path) -> None:
    """Put the backup's key and identity into a data folder, in place of those that a first start made."""
    for name in manifest.KEPT_FILES:
        if (backup / name).is_file():
            manifest.write_private(data_folder / name, (backup / name).read_bytes())


async def continue_or_begin(data_folder: Path, url: str, administration_url: str, *, postgres_bin: Path | None) -> bool:
    """At a start: bring back what was wanted, or what an empty database lacks and a backup has; tell if that was done.

    Raises what `restore` raises.
    """
    backup = folders.wanted(data_folder)
    if backup is None:
        newest = folders.newest(data_folder)
        if newest is None or manifest.read(newest).postgres_major is None or not await _is_empty(url):
            return False
        backup = newest
    await restore(data_folder, backup, url, administration_url, postgres_bin=postgres_bin)
    return True


async def holds_data(url: str) -> bool:
    """Tell whether the database is in use: the program has made its tables there."""
    return not await _is_empty(url)


def examine(backup: Path) -> Manifest:
    """Return the manifest of a backup that this program can bring back, after a look at the dump.

    Raises `ConfigurationError`: `backup_incomplete`, `backup_broken`, `backup_newer`, `backup_without_database`.
    """
    made = manifest.read(backup)
    if made.postgres_major is None:
        raise ConfigurationError(
            code="backup_without_database",
            detail=f"The backup in {backup} holds no database: it lay elsewhere (MOWDECK_DATABASE_URL).",
            remedy="Restore the database where it lies, with that server's own means.",
        )
    for step in made.migrations:
        known = migration_files.read(step.schema) if (migration_files.FOLDER / step.schema).is_dir() else []
        if step.number > len(known) or known[step.number - 1].checksum != step.checksum:
            raise ConfigurationError(
                code="backup_newer",
                detail=f"The backup in {backup} was made by MowDeck {made.program_version}, whose database this "
                f"version does not know ({step.schema} {step.number:04d}).",
                remedy="Nothing was changed. Install that version or a newer one.",
            )
    manifest.check_dump(backup, made)
    return made


async def restore(
    data_folder: Path, backup: Path, url: str, administration_url: str, *, postgres_bin: Path | None
) -> None:
    """Bring back a backup that lies in the data folder; the database at `url` is replaced.

    Nobody else may be connected. Raises `ConfigurationError` when the backup cannot be used, `UnavailableError` when
    it cannot be loaded; the database is as before then.
    """
    made = examine(backup)
    _log.info("bringing a backup back", backup=backup.name, rows=sum(table.rows for table in made.tables.values()))
    folders.want_restored(data_folder, backup)
    name = url.partition("?")[0].rpartition("/")[2]
    loading_url = url.replace(f"/{name}?", f"/{_LOADING}?")
    connection = await pools.connect(administration_url, application_name="mowdeck restore")
    try:
        for leftover in (_LOADING, _BEFORE):
            await connection.execute(f'DROP DATABASE IF EXISTS "{leftover}" WITH (FORCE)', timeout=600)
        await connection.execute(f'CREATE DATABASE "{_LOADING}"', timeout=600)
        pg_restore = programs.find(postgres_bin, "pg_restore")
        await programs.run(
            pg_restore,
            loading_url,
            *("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"),
            backup / manifest.DUMP_NAME,
        )
        await _compare(loading_url, made.tables)
        await _put_in_place(connection, name)
    except MowDeckError:
        if await holds_data(url):
            # The database of before is in use as it was; an empty one is not, until its owner says so.
            folders.was_restored(data_folder)
        raise
    finally:
        await connection.close(timeout=5)
    folders.was_restored(data_folder)
    _log.info("the backup is back", backup=backup.name)


async def _put_in_place(connection: Connection, name: str) -> None:
    # Renaming a database is one transaction of its own; between the two the next start begins the restore anew.
    await connection.execute("CHECKPOINT", timeout=600)
    await connection.execute(f'ALTER DATABASE "{name}" RENAME TO "{_BEFORE}"')
    await connection.execute(f'ALTER DATABASE "{_LOADING}" RENAME TO "{name}"')
    await connection.execute(f'DROP DATABASE "{_BEFORE}" WITH (FORCE)', timeout=600)


async def _compare(url: str, expected: dict[str, Table]) -> None:
    connection = await pools.connect(url, application_name="mowdeck restore")
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            found = await counting.count(connection)
    finally:
        await connection.close(timeout=5)
    if different := sorted(
        table for table in expected.keys() | found.keys() if expected.get(table) != found.get(table)
    ):
        raise ConfigurationError(
            code="backup_differs",
            detail=f"What was loaded differs from what was backed up: {', '.join(different)}.",
            remedy="Nothing was changed. Use another backup.",
            values={"tables": different},
        )


async def _is_empty(url: str) -> bool:
    connection = await pools.connect(url, application_name="mowdeck restore")
    try:
        return not await counting.steps(connection)
    finally:
        await connection.close(timeout=5)
