"""Where backups lie in the data folder: one folder each, named after its time; only complete ones count."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from edge_gateway.backup import manifest
from edge_gateway.contracts.errors import ConfigurationError

_FOLDER = "backup"
_FAILURE = "last_failure.json"
_WANTED = "restore_wanted"
_TIME = "%Y%m%dT%H%M%S%fZ"


class Failure(msgspec.Struct, frozen=True):
    """A backup that could not be made, after the last one that could."""

    at: datetime
    detail: str


def make_new(data_folder: Path, at: datetime) -> Path:
    """Make an empty folder for a backup; it counts when its manifest is written.

    The order of names is the order in which backups were made: after a clock that was ahead, the next one is named a
    moment later than the last instead of earlier.
    """
    last = newest(data_folder)
    if last is not None and last.name >= at.strftime(_TIME):
        at = _time_of(last, otherwise=at) + timedelta(microseconds=1)
    folder = data_folder / _FOLDER / at.strftime(_TIME)
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700)
    return folder


def newest(data_folder: Path) -> Path | None:
    """Return the newest complete backup."""
    return next(iter(reversed(_complete(data_folder))), None)


def keep_only(data_folder: Path, kept: Path) -> None:
    """Delete all other backups, complete or not."""
    for folder in (data_folder / _FOLDER).glob("*/"):
        if folder != kept:
            shutil.rmtree(folder, ignore_errors=True)


def write_failure(data_folder: Path, failure: Failure) -> None:
    """Keep why a backup could not be made."""
    (data_folder / _FOLDER).mkdir(mode=0o700, exist_ok=True)
    manifest.write_private(data_folder / _FOLDER / _FAILURE, msgspec.json.encode(failure))


def read_failure(data_folder: Path) -> Failure | None:
    """Return why the last backup could not be made; null when it could."""
    try:
        return msgspec.json.decode((data_folder / _FOLDER / _FAILURE).read_bytes(), type=Failure)
    except OSError, msgspec.DecodeError:
        return None


def forget_failure(data_folder: Path) -> None:
    """Forget why an earlier one could not be made: one was."""
    (data_folder / _FOLDER / _FAILURE).unlink(missing_ok=True)


def want_restored(data_folder: Path, backup: Path) -> None:
    """Write down which backup is being brought back, so that an interrupted restore is continued."""
    manifest.write_private(data_folder / _WANTED, f"{backup.name}\n".encode())


def wanted(data_folder: Path) -> Path | None:
    """Return the backup that is being brought back; null: none.

    Raises `ConfigurationError` (`restore_lost`) when it is not there any more.
    """
    try:
        name = (data_folder / _WANTED).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    folder = data_folder / _FOLDER / name
    if folder not in _complete(data_folder):
        raise ConfigurationError(
            code="restore_lost",
            detail=f"A backup was being brought back from {folder}, and it is not there any more.",
            remedy=f"Put it back there, or delete {data_folder / _WANTED} to go on with the database as it is.",
        )
    return folder


def was_restored(data_folder: Path) -> None:
    """Write down that the restore is complete."""
    (data_folder / _WANTED).unlink(missing_ok=True)
    manifest.sync_folder(data_folder)


def take_in(data_folder: Path, source: Path) -> Path:
    """Copy a backup from elsewhere into the data folder, its manifest last, and return where it is."""
    target = data_folder / _FOLDER / source.name
    if target.resolve() == source.resolve():
        return target
    if target.exists():
        shutil.rmtree(target)
    target.parent.mkdir(mode=0o700, exist_ok=True)
    target.mkdir(mode=0o700)
    for name in (manifest.DUMP_NAME, *manifest.KEPT_FILES, manifest.FILE_NAME):
        if (source / name).is_file():
            shutil.copyfile(source / name, target / name)
            (target / name).chmod(0o600)
    manifest.sync_folder(target)
    return target


def _complete(data_folder: Path) -> list[Path]:
    return sorted(path.parent for path in (data_folder / _FOLDER).glob(f"*/{manifest.FILE_NAME}"))


def _time_of(backup: Path, *, otherwise: datetime) -> datetime:
    """Return the time that a backup is named after; somebody may have renamed its folder."""
    try:
        return datetime.strptime(backup.name, _TIME).replace(tzinfo=UTC)
    except ValueError:
        return otherwise
