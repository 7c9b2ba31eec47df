"""A private Python 3.14 made from Debian's packages: no root, and nothing of the system is touched.

The packages are of a newer Debian than the machine's may be, so the interpreter brings its own C library and loader.
Both are written into it as absolute paths: it is made anew when the work tree has moved.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from scripts.set_up.console import ProgramFailedError, run
from scripts.set_up.installer import private_tool
from scripts.set_up.places import PRIVATE_PYTHON

SUITE = "forky"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
APT_TIMEOUT_SECONDS = 300
PACKAGES = (
    *("python3.14", "python3.14-minimal", "libpython3.14-minimal", "libpython3.14-stdlib", "libpython3.14-dev"),
    *("python3.14-venv", "python3-pip-whl", "libc6", "libssl3t64", "libffi8", "libsqlite3-0", "zlib1g", "libbz2-1.0"),
    *("liblzma5", "libexpat1", "libreadline8t64", "libncursesw6", "libtinfo6", "libuuid1", "libzstd1", "libgcc-s1"),
    *("libstdc++6", "libmpdec4"),
)
PYTHON = PRIVATE_PYTHON / "usr" / "bin" / "python3.14"
MADE_AT = PRIVATE_PYTHON / "made-at"


def existing() -> str | None:
    """Return the interpreter's path when it has been made, and made for this place."""
    if PYTHON.exists() and MADE_AT.exists() and MADE_AT.read_text() == str(PRIVATE_PYTHON):
        return str(PYTHON)
    return None


def is_possible() -> bool:
    """Tell whether this is a machine with Debian's packages."""
    return KEYRING.exists() and shutil.which("apt-get") is not None and shutil.which("dpkg-deb") is not None


def make() -> str:
    """Make the interpreter and return its path; raise ProgramFailedError when a step fails."""
    patchelf = private_tool("patchelf")
    shutil.rmtree(PRIVATE_PYTHON, ignore_errors=True)
    PRIVATE_PYTHON.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        for package in _download(Path(scratch)):
            run(["dpkg-deb", "--extract", str(package), str(PRIVATE_PYTHON)], timeout_seconds=120)
    loaders = sorted(PRIVATE_PYTHON.glob("usr/lib/*/ld-linux-*.so.*"))
    if not loaders:
        raise ProgramFailedError(f"the packages of Debian {SUITE} hold no loader")
    loader = loaders[0]
    # RPATH, not RUNPATH: extension modules and the libraries of wheels must find the same libraries.
    run(
        [patchelf, "--set-interpreter", str(loader), "--force-rpath", "--set-rpath", str(loader.parent), str(PYTHON)],
        timeout_seconds=60,
    )
    run([str(PYTHON), "-c", "import ctypes, lzma, readline, sqlite3, ssl, zlib"], timeout_seconds=60)
    MADE_AT.write_text(str(PRIVATE_PYTHON))
    return str(PYTHON)


def _download(scratch: Path) -> list[Path]:
    """Fetch the packages with a package state of their own, from the mirror that the machine itself uses."""
    for folder in ("lists/partial", "cache/archives/partial", "packages"):
        (scratch / folder).mkdir(parents=True)
    (scratch / "status").touch()
    (scratch / "debian.sources").write_text(
        f"Types: deb\nURIs: {_mirror()}\nSuites: {SUITE}\nComponents: main\nSigned-By: {KEYRING}\n"
    )
    options = {
        "APT::Sandbox::User": "",
        "Debug::NoLocking": "1",
        "Dir::Cache": str(scratch / "cache"),
        "Dir::Etc::sourcelist": str(scratch / "debian.sources"),
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": str(scratch / "lists"),
        "Dir::State::status": str(scratch / "status"),
    }
    apt_get = ["apt-get", *(part for name, value in options.items() for part in ("-o", f"{name}={value}"))]
    run([*apt_get, "update"], timeout_seconds=APT_TIMEOUT_SECONDS)
    run([*apt_get, "download", *PACKAGES], timeout_seconds=APT_TIMEOUT_SECONDS, folder=scratch / "packages")
    return sorted((scratch / "packages").glob("*.deb"))


def _mirror() -> str:
    """Return the address of the Debian mirror in the machine's own settings."""
    for address in run(["apt-get", "indextargets", "--format", "$(REPO_URI)"], timeout_seconds=60).split():
        if address.rstrip("/").endswith("/debian"):
            return address
    raise ProgramFailedError("the machine's package settings name no Debian mirror")
