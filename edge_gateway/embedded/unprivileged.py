"""The account under which PostgreSQL runs when the program runs as root (PostgreSQL refuses to be root)."""

import os
import pwd
from pathlib import Path

import msgspec

from edge_gateway.contracts.errors import ConfigurationError

ACCOUNT_NAMES = ("mowdeck", "nobody")
"""A dedicated account when the machine has one, else the one that every machine has."""


class Account(msgspec.Struct, frozen=True):
    """A user of the operating system."""

    name: str
    user_id: int
    group_id: int

    def own(self, folder: Path) -> None:
        """Hand a folder and all that lies in it over to the account; done only when the folder is not its own yet."""
        if folder.stat().st_uid == self.user_id:
            return
        for directory, _, files in os.walk(folder):
            os.chown(directory, self.user_id, self.group_id)
            for file in files:
                os.chown(Path(directory, file), self.user_id, self.group_id, follow_symlinks=False)


def unprivileged_account() -> Account | None:
    """Return the account to step down to; null when the program is not root and has nothing to step down from.

    A number without an entry in the machine's list of users does not do: PostgreSQL looks its own name up.
    """
    if os.geteuid() != 0:
        return None
    for name in ACCOUNT_NAMES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name, entry.pw_uid, entry.pw_gid)
    raise ConfigurationError(
        code="no_unprivileged_account",
        detail="PostgreSQL refuses to run as root, and this machine has no user named mowdeck or nobody to run it as.",
        remedy="Create a system user named mowdeck, or start the program as an ordinary user.",
    )
