"""Begins a command of the program inside the app: options become settings, the data folder its account's, root nobody.

The Supervisor gives `/data` to root, and its options are root's alone to read: this part runs as root and then becomes
the program under an account that may do nothing else.
"""

import os
import pwd
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from edge_gateway.contracts.errors import ConfigurationError
from edge_gateway.supervisor import options

DATA = Path("/data")
ACCOUNT_NAME = "mowdeck"
_FOLDER_NAME = "mowdeck"
"""Below `/data`, beside the options and what else the Supervisor puts there."""
_PRIVATE = 0o700


def command(arguments: Sequence[str], *, data: Path = DATA) -> list[str]:
    """Return the program's own command for the arguments; none: `run`."""
    name, *rest = arguments or ("run",)
    return [sys.executable, "-P", "-m", "edge_gateway", name, "--data-dir", str(data / _FOLDER_NAME), *rest]


def environment(inherited: Mapping[str, str], *, data: Path = DATA) -> dict[str, str]:
    """Return the program's variables: those that were inherited, and the options.

    Raises `ConfigurationError` when the options cannot be read.
    """
    try:
        document = (data / "options.json").read_bytes()
    except FileNotFoundError:
        # Without the Supervisor, for a look at the image: every option has a default.
        document = b"{}"
    except OSError as error:
        raise ConfigurationError(
            code="options_unreadable", detail=f"The app's options cannot be read: {error.strerror}."
        ) from error
    return {**inherited, **options.settings_of(options.read(document)), "HOME": str(data)}


def hand_over(*, data: Path = DATA) -> None:
    """Make the data folder and give it, with all that a restored backup brought as root's, to the program's account.

    Raises `ConfigurationError` (`data_folder_unusable`) when it cannot be written.
    """
    account = pwd.getpwnam(ACCOUNT_NAME)
    folder = data / _FOLDER_NAME
    try:
        folder.mkdir(mode=_PRIVATE, exist_ok=True)
        for place, folders, files in os.walk(folder):
            for path in (Path(place), *(Path(place, name) for name in (*folders, *files))):
                if path.lstat().st_uid != account.pw_uid:
                    os.chown(path, account.pw_uid, account.pw_gid, follow_symlinks=False)
    except OSError as error:
        raise ConfigurationError(
            code="data_folder_unusable",
            detail=f"The app's data folder {folder} cannot be used: {error.strerror} ({error.filename}).",
            remedy="Is the disk full or read-only? Home Assistant shows it under Settings, System, Storage.",
        ) from error


def step_down() -> None:
    """Become the program's account, for good."""
    account = pwd.getpwnam(ACCOUNT_NAME)
    os.setgroups([])
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)


def become(arguments: Sequence[str]) -> int:
    """Become the program's command; returns only when that cannot be done, by an error."""
    variables = environment(os.environ)
    if os.geteuid() == 0:
        hand_over()
        step_down()
    words = command(arguments)
    os.execve(words[0], words, variables)  # noqa: S606 - no shell is wanted
