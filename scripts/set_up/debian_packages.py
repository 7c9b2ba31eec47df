"""Fetches and unpacks Debian packages without installing them: no root, and nothing of the system is touched."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.set_up.console import ProgramFailedError, run

if TYPE_CHECKING:
    from collections.abc import Sequence

# The release that has Python 3.14, whatever the machine's own is.
SUITE = "forky"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
APT_TIMEOUT_SECONDS = 300


def are_possible() -> bool:
    """Tell whether this is a machine with Debian's packages."""
    return KEYRING.exists() and shutil.which("apt-get") is not None and shutil.which("dpkg-deb") is not None


def unpack(packages: Sequence[str], folder: Path) -> None:
    """Unpack the files of packages into a folder; raise ProgramFailedError when one cannot be had."""
    with tempfile.TemporaryDirectory() as scratch:
        for package in _download(packages, Path(scratch)):
            run(["dpkg-deb", "--extract", str(package), str(folder)], timeout_seconds=120)


def _download(packages: Sequence[str], scratch: Path) -> list[Path]:
    """Fetch packages with a package state of their own, from the mirror that the machine itself uses."""
    for folder in ("lists/partial", "cache/archives/partial", "packages"):
        (scratch / folder).mkdir(parents=True)
    (scratch / "status").touch()
    (scratch / "debian.sources").write_text(
        f"Types: deb\nURIs: {_mirror()}\nSuites: {SUITE}\nComponents: main\nSigned-By: {KEYRING}\n"
    )
    options = {
        # A mirror may be a snapshot whose lists have outlived their date; they are signed all the same.
        "Acquire::Check-Valid-Until": "false",
        "APT::Sandbox::User": "",
        "APT::Update::Error-Mode": "any",
        "Debug::NoLocking": "1",
        "Dir::Cache": str(scratch / "cache"),
        "Dir::Etc::sourcelist": str(scratch / "debian.sources"),
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": str(scratch / "lists"),
        "Dir::State::status": str(scratch / "status"),
    }
    apt_get = ["apt-get", *(part for name, value in options.items() for part in ("-o", f"{name}={value}"))]
    run([*apt_get, "update"], timeout_seconds=APT_TIMEOUT_SECONDS)
    run([*apt_get, "download", *packages], timeout_seconds=APT_TIMEOUT_SECONDS, folder=scratch / "packages")
    return sorted((scratch / "packages").glob("*.deb"))


def _mirror() -> str:
    """Return the address of the Debian mirror in the machine's own settings."""
    for address in run(["apt-get", "indextargets", "--format", "$(REPO_URI)"], timeout_seconds=60).split():
        if address.rstrip("/").endswith("/debian"):
            return address
    raise ProgramFailedError("the machine's package settings name no Debian mirror")
