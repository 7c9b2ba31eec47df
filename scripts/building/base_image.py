"""A stand-in for the app's base image, made from Debian's packages: where no registry of images can be reached.

It carries the base's name, so that the real Dockerfile is built on it unchanged.
"""

import hashlib
import re
import shutil
import tempfile
from pathlib import Path

from scripts.building.buildah import FOLDER, BuildError, buildah, has_image, run
from scripts.set_up.debian_packages import KEYRING, SUITE
from scripts.set_up.places import ROOT

DOCKERFILE = ROOT / "addon" / "Dockerfile"

_PACKAGES = ("python3.14", "python3.14-venv", "python3-pip-whl", "passwd", "ca-certificates")
_STEPS_VERSION = 1
"""Raised when the steps below change."""
_SCRIPTS = Path("/usr/share/debootstrap/scripts")


def base_name() -> str:
    """Return the name of the base image, as the Dockerfile pins it."""
    found = re.search(r"^ARG BASE=(\S+)$", DOCKERFILE.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise BuildError(f"{DOCKERFILE} names no base (ARG BASE=…)")
    return found[1]


def provide_stand_in() -> str:
    """Make the stand-in unless it is there, give it the base's name, and return that; raises BuildError."""
    name = base_name()
    wanted = "\n".join((name, SUITE, *_PACKAGES, str(_STEPS_VERSION)))
    kept = f"localhost/mowdeck-base:{hashlib.sha256(wanted.encode()).hexdigest()[:16]}"
    if not has_image(kept):
        _make(kept)
    buildah("tag", kept, name)
    return name


def _make(name: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    print(f"Making a stand-in for the base image from Debian {SUITE} …", flush=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as scratch:
        files = Path(scratch) / "files"
        run(
            "debootstrap",
            *("--variant=minbase", f"--include={','.join(_PACKAGES)}", f"--keyring={KEYRING}"),
            # The release is newer than the machine's debootstrap may know; all of them are made alike.
            *(SUITE, files, _mirror(), _SCRIPTS / "sid"),
        )
        for rubbish in ("var/cache/apt/archives", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale"):
            shutil.rmtree(files / rubbish, ignore_errors=True)
        # Where the real base has its interpreter.
        (files / "usr/local/bin/python3.14").symlink_to("/usr/bin/python3.14")
        container = buildah("from", "scratch")
        try:
            buildah("add", "--quiet", container, files, "/")
            buildah("config", "--env", "PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin", container)
            buildah("commit", "--quiet", "--format", "docker", container, name)
        finally:
            buildah("rm", container)


def _mirror() -> str:
    """Return the Debian mirror that the machine itself uses."""
    for address in run("apt-get", "indextargets", "--format", "$(REPO_URI)").split():
        if address.rstrip("/").endswith("/debian"):
            return address
    raise BuildError("the machine's package settings name no Debian mirror")
