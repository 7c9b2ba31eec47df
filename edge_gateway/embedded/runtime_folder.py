"""The short-lived folder beside the data: sockets, the server's configuration, programs that had to be copied.

A unix socket's path must be under 108 bytes, and PostgreSQL's account must be able to walk to it; a data folder
promises neither. The link `runtime` in the data folder says where it is, so that the next start finds what a killed
program left behind: its path is on the command line of each server that the program started.
"""

import shutil
import stat
import tempfile
from pathlib import Path

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.embedded.unprivileged import Account

_LINK = "runtime"
_PREFIX = "mowdeck-"
_PLACES = (Path("/tmp"), Path("/run"), Path("/var/tmp"))  # noqa: S108 - a private folder is made in it
_LONGEST_PATH_BYTES = 70
"""Of the folder itself: leaves room for the socket's own name."""


class RuntimeFolder:
    """The folder of one run of the program."""

    def __init__(self, path: Path, link: Path, *, shared: bool) -> None:
        """Keep the folder and the link to it; see `create`."""
        self.path = path
        self._link = link
        self._shared = shared

    def subfolder(self, name: str, owner: Account | None = None) -> Path:
        """Return a private (0700) folder in it, for the program or for another account.

        It is made anew when somebody cleaned the folder for temporary files up.
        """
        self.path.mkdir(mode=0o700, exist_ok=True)
        if self._shared:
            self.path.chmod(0o711)
        folder = self.path / name
        folder.mkdir(mode=0o700, exist_ok=True)
        if owner:
            owner.own(folder)
        return folder

    def remove(self) -> None:
        """Delete it and the link."""
        self._link.unlink(missing_ok=True)
        shutil.rmtree(self.path, ignore_errors=True)


def left_behind(data_folder: Path) -> Path | None:
    """Return the folder of the run before; null when that one ended cleanly."""
    try:
        path = (data_folder / _LINK).readlink()
    except OSError:
        return None
    return path if path.name.startswith(_PREFIX) else None


def create(data_folder: Path, *, shared: bool) -> RuntimeFolder:
    """Make a new folder and the link to it; what the run before left is deleted.

    `shared`: other accounts may walk through it (to their own subfolder), not list it.
    """
    link = data_folder / _LINK
    if (old := left_behind(data_folder)) and old.is_dir() and not old.is_symlink():
        RuntimeFolder(old, link, shared=shared).remove()
    link.unlink(missing_ok=True)
    path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_place(shared=shared)))
    link.symlink_to(path)
    return RuntimeFolder(path, link, shared=shared)


def _place(*, shared: bool) -> Path:
    candidates = dict.fromkeys((Path(tempfile.gettempdir()).resolve(), *_PLACES))
    for place in candidates:
        if place.is_dir() and len(bytes(place)) < _LONGEST_PATH_BYTES and (not shared or _open_to_all(place)):
            return place
    raise ConfigurationError(
        code="no_runtime_folder",
        detail=f"None of {', '.join(map(str, candidates))} can hold sockets: missing, too long or closed to others.",
        remedy="Set TMPDIR to a folder with a short path that every user may enter.",
    )


def _open_to_all(place: Path) -> bool:
    return all(stat.S_IMODE(folder.stat().st_mode) & stat.S_IXOTH for folder in (place, *place.parents))
