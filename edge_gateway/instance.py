"""The data folder of one gateway: its identity, its secrets, and the right to be the only program that uses it."""

import errno
import fcntl
import os
import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Self

import structlog
from ulid import ULID

from edge_gateway.contracts.errors import ConfigurationError, ConflictError
from edge_gateway.contracts.identifiers import IDENTIFIER_PATTERN
from edge_gateway.database.secrets import SecretBox, new_key

_log = structlog.get_logger(__name__)

_TOKEN_BYTES = 32
_PRIVATE = 0o600
_LONGEST_BYTES = 1024

_KEPT = {
    "gateway_id": re.compile(IDENTIFIER_PATTERN),
    # An owner may have chosen it; a part of one would open the door to whoever guesses.
    "token": re.compile(r"[\x21-\x7e]{16,500}"),
    # It stands in an address.
    "nats_token": re.compile(r"[A-Za-z0-9_-]{16,500}"),
    # Its box knows what a key looks like.
    "secret.key": re.compile(r"[\x21-\x7e]{1,500}"),
}
"""What the private files hold; anything else is a file that was damaged."""


def default_data_folder() -> Path:
    """Return where data lies when nobody says where: the user's folder for data of programs."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "mowdeck"


class Instance:
    """An opened data folder; nobody else can open it until it is closed."""

    def __init__(self, folder: Path, lock: int) -> None:
        """Read what identifies the gateway, and make it at the first start; see `open`."""
        self.folder = folder
        self._lock = lock
        self.gateway_id = self._kept("gateway_id", lambda: str(ULID()))
        """Who this gateway is, for ever; also the holder of its leases."""
        self.token = self._kept("token", _new_token)
        """The bearer token of the API: a secret."""
        self.nats_token = self._kept("nats_token", _new_token)
        """What opens the local bus: a secret."""
        self.secret_box = SecretBox(self._kept("secret.key", new_key))
        """Encrypts the logins at vendors."""

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the data folder, making it when it is missing.

        Raises `ConfigurationError` when it cannot be used, `ConflictError` (`already_running`) when another program
        uses it.
        """
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder = folder.resolve()
            lock = _locked(folder)
        except OSError as error:
            raise explained(folder, error) from error
        try:
            return cls(folder, lock)
        except OSError as error:
            os.close(lock)
            raise explained(folder, error) from error
        except BaseException:
            os.close(lock)
            raise

    def write_port(self, port: int) -> None:
        """Tell in the file `port` where the API listens."""
        (self.folder / "port").write_text(f"{port}\n")

    def close(self) -> None:
        """Let others have the folder."""
        (self.folder / "port").unlink(missing_ok=True)
        os.close(self._lock)

    def _kept(self, name: str, make: Callable[[], str]) -> str:
        """Return the text of a private file; made when it is missing."""
        path = self.folder / name
        try:
            # Longer than any of ours: what is damaged may be of any size.
            text = _beginning(path).decode("ascii", "replace").strip()
        except FileNotFoundError:
            text = make()
            _write(path, text)
            return text
        if _KEPT[name].fullmatch(text) is None:
            what = "holds something else than what the program wrote" if text else "is empty"
            raise ConfigurationError(
                code="data_folder_damaged",
                detail=f"The file {path} {what}.",
                remedy="Restore it from a backup, or delete it: a new one is made at the next start.",
            )
        if path.stat().st_mode & 0o077:
            _log.warning("others could read a secret of the data folder; now they cannot", file=name)
            path.chmod(_PRIVATE)
        return text


def examine(folder: Path) -> str:
    """Say what a data folder is to a program that would start now; changes nothing.

    Raises `ConfigurationError` when it could not be used.
    """
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        problem = errno.ENOTDIR
    elif os.statvfs(place).f_flag & os.ST_RDONLY:
        problem = errno.EROFS
    elif not os.access(place, os.W_OK | os.X_OK):
        problem = errno.EACCES
    else:
        problem = 0
    if problem:
        raise explained(folder, OSError(problem, os.strerror(problem), str(place)))
    if place != folder:
        return f"{folder} will be made"
    return f"{folder}, in use by a running program" if running(folder) else str(folder)


def running(folder: Path) -> bool:
    """Tell whether a program uses the data folder now."""
    try:
        lock = os.open(folder / "lock", os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def _locked(folder: Path) -> int:
    """Return the open lock file. The operating system gives it free when the program ends, however it ends."""
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, _PRIVATE)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(lock, 32, 0).decode().strip() or "unknown"
        os.close(lock)
        raise ConflictError(
            code="already_running",
            detail=f"Another program (process {holder}) uses the data folder {folder}.",
            remedy="Stop it first, or give this one a folder of its own with --data-dir.",
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_LONGEST_BYTES)


def _write(path: Path, text: str) -> None:
    """Write a private file so that a cut of power leaves it whole or not there."""
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)


def _new_token() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)


def explained(folder: Path, error: OSError) -> ConfigurationError:
    """Return the error for a data folder that the operating system does not let us use."""
    place = error.filename or folder
    reasons = {
        errno.EACCES: "this user may not write there",
        errno.EPERM: "this user may not write there",
        errno.EROFS: "the file system is read-only",
        errno.ENOSPC: "the disk is full",
        errno.ENOTDIR: "a part of the path is a file, not a folder",
        errno.EEXIST: "there is a file of that name, not a folder",
        errno.EISDIR: "there is a folder of that name, not a file",
    }
    reason = reasons.get(error.errno or 0, error.strerror or str(error))
    return ConfigurationError(
        code="data_folder_unusable",
        detail=f"The data folder {folder} cannot be used: {reason} ({place}).",
        field="MOWDECK_DATA_DIR",
        remedy="Make room on that disk."
        if error.errno == errno.ENOSPC
        else "Name another folder with --data-dir or MOWDECK_DATA_DIR, or give this user the right to write there.",
    )
