"""Makes a backup: a dump of the database as it was at one moment, verified, and the files that belong to it."""

import asyncio
import shutil
from datetime import datetime
from pathlib import Path

import asyncpg
import structlog

from edge_gateway import __version__
from edge_gateway.backup import counting, folders, manifest, programs
from edge_gateway.backup.manifest import Manifest
from edge_gateway.database import pools

_log = structlog.get_logger(__name__)


async def make(data_folder: Path, url: str | None, *, postgres_bin: Path | None, now: datetime) -> Path:
    """Make a backup beside the older one, which is deleted only then; return its folder.

    `url` is that of the program's own database; null: it lies elsewhere and is backed up there. Raises
    `UnavailableError` or `OSError` when it cannot be made; what was there before is still there then.
    """
    folder = folders.make_new(data_folder, now)
    try:
        for name in manifest.KEPT_FILES:
            manifest.write_private(folder / name, (data_folder / name).read_bytes())
        made = Manifest(made_at=now, program_version=__version__)
        if url is not None:
            made = await _dump(folder, url, postgres_bin=postgres_bin, now=now)
        manifest.write_private(folder / manifest.FILE_NAME, manifest.encode(made))
        manifest.sync_folder(folder.parent)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    folders.keep_only(data_folder, folder)
    folders.forget_failure(data_folder)
    return folder


async def _dump(folder: Path, url: str, *, postgres_bin: Path | None, now: datetime) -> Manifest:
    """Dump and count in one snapshot, so that both are of the same moment whatever is written meanwhile."""
    pg_dump, pg_restore = (programs.find(postgres_bin, name) for name in ("pg_dump", "pg_restore"))
    path = folder / manifest.DUMP_NAME
    path.touch(mode=0o600)
    connection = await pools.connect(url, application_name="mowdeck backup")
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            snapshot = await connection.fetchval("SELECT pg_export_snapshot()")
            dumping = asyncio.create_task(
                programs.run(
                    pg_dump,
                    url,
                    *("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"),
                    f"--file={path}",
                )
            )
            try:
                tables = await counting.count(connection)
                steps = await counting.steps(connection)
            finally:
                await dumping
            major = connection.get_server_version().major
    finally:
        await _close(connection)
    await programs.read_through(pg_restore, path)
    manifest.sync_file(path)
    return Manifest(
        made_at=now,
        program_version=__version__,
        postgres_major=major,
        migrations=steps,
        tables=tables,
        dump_bytes=path.stat().st_size,
        dump_sha256=await asyncio.to_thread(manifest.file_digest, path),
    )


async def _close(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    try:
        await connection.close(timeout=5)
    except OSError, TimeoutError, asyncpg.InterfaceError:
        connection.terminate()
