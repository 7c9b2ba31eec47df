"""What a backup says of itself. Written last: a folder with a manifest is a complete backup."""

import hashlib
import os
from datetime import datetime
from pathlib import Path

import msgspec

from edge_gateway.contracts.errors import ConfigurationError

FILE_NAME = "manifest.json"
DUMP_NAME = "database.dump"
KEPT_FILES = ("secret.key", "gateway_id", "token")
"""Of the data folder: without the key the logins at vendors do not open; with the others Home Assistant finds the same
gateway again."""

_FORMAT = 1
_CHUNK_BYTES = 1024 * 1024
_PRIVATE = 0o600


class Table(msgspec.Struct, frozen=True):
    """What a table held."""

    rows: int
    checksum: int
    """The sum of the rows' hashes: the same for the same rows in any order."""


class Step(msgspec.Struct, frozen=True):
    """A migration that the database had."""

    schema: str
    number: int
    checksum: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """One backup."""

    format: int = _FORMAT
    made_at: datetime
    program_version: str
    postgres_major: int | None = None
    """Null: the database lies elsewhere and is no part of the backup."""
    migrations: tuple[Step, ...] = ()
    tables: dict[str, Table] = {}
    dump_bytes: int = 0
    dump_sha256: str = ""


def read(folder: Path) -> Manifest:
    """Return a backup's manifest.

    Raises `ConfigurationError`: `backup_incomplete`, `backup_broken`, `backup_newer`.
    """
    path = folder / FILE_NAME
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise ConfigurationError(
            code="backup_incomplete",
            detail=f"{folder} holds no complete backup (no file {FILE_NAME}).",
            remedy="Name the folder of a backup that was finished.",
        ) from None
    except msgspec.DecodeError as error:
        raise ConfigurationError(code="backup_broken", detail=f"{path} cannot be read: {error}") from error
    if manifest.format > _FORMAT:
        raise ConfigurationError(
            code="backup_newer",
            detail=f"The backup in {folder} was made by MowDeck {manifest.program_version} in a newer format.",
            remedy="Install that version or a newer one.",
        )
    return manifest


def check_dump(folder: Path, manifest: Manifest) -> None:
    """Compare the dump with what the manifest says of it; raises `ConfigurationError` (`backup_broken`)."""
    path = folder / DUMP_NAME
    if manifest.postgres_major is None:
        return
    try:
        found = file_digest(path)
    except FileNotFoundError:
        found = "no file"
    if found != manifest.dump_sha256:
        raise ConfigurationError(
            code="backup_broken",
            detail=f"{path} is not what the backup wrote: it was damaged or changed.",
            remedy="Use another backup. Nothing was changed.",
        )


def write_private(path: Path, content: bytes) -> None:
    """Write a private file so that a cut of power leaves it whole or not there."""
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)
    sync_folder(path.parent)


def encode(manifest: Manifest) -> bytes:
    """Return a manifest's text."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1)


def sync_file(path: Path) -> None:
    """Force a file that another program wrote onto the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Force a folder's list of names onto the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def file_digest(path: Path) -> str:
    """Return a file's SHA-256."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
