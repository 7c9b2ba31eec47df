"""A private Python 3.14 made from Debian's packages.

The packages are of a newer Debian than the machine's may be, so the interpreter brings its own C library and loader.
Both are written into it as absolute paths: it is made anew when the work tree has moved.
"""

from __future__ import annotations

import shutil

from scripts.set_up import debian_packages
from scripts.set_up.console import ProgramFailedError, run
from scripts.set_up.installer import private_tool
from scripts.set_up.places import PRIVATE_PYTHON

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


def make() -> str:
    """Make the interpreter and return its path; raise ProgramFailedError when a step fails."""
    patchelf = private_tool("patchelf")
    shutil.rmtree(PRIVATE_PYTHON, ignore_errors=True)
    PRIVATE_PYTHON.mkdir(parents=True)
    debian_packages.unpack(PACKAGES, PRIVATE_PYTHON)
    loaders = sorted(PRIVATE_PYTHON.glob("usr/lib/*/ld-linux-*.so.*"))
    if not loaders:
        raise ProgramFailedError(f"the packages of Debian {debian_packages.SUITE} hold no loader")
    loader = loaders[0]
    # RPATH, not RUNPATH: extension modules and the libraries of wheels must find the same libraries.
    run(
        [patchelf, "--set-interpreter", str(loader), "--force-rpath", "--set-rpath", str(loader.parent), str(PYTHON)],
        timeout_seconds=60,
    )
    run([str(PYTHON), "-c", "import ctypes, lzma, readline, sqlite3, ssl, zlib"], timeout_seconds=60)
    library = str(PRIVATE_PYTHON / "usr" / "lib" / "python3.14")
    run([str(PYTHON), "-m", "compileall", "-q", "-j0", library], timeout_seconds=300)
    MADE_AT.write_text(str(PRIVATE_PYTHON))
    return str(PYTHON)
